import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeAtif } from '../../../src/models/trajectory/trajectory-files.ts'
import { trajectoryOf } from '../../analyze/reprice/trajectories.ts'
import { assay, folderWith } from '../../support/assay.ts'

const work = (turns: number, id: string): string =>
  writeAtif(
    trajectoryOf(
      Array.from({ length: turns }, (_, turn) => ({
        says: `turn ${turn}`,
        outputs: [`line ${id} ${turn}\n`.repeat(60 + turn)],
      })),
      id,
    ),
  )

const recordings = (): string =>
  folderWith(
    Object.fromEntries([30, 44, 58, 70].map((turns, at) => [`works/${at}.trajectory.json`, work(turns, `task-${at}`)])),
  )

describe('assay reprice', () => {
  it('prices recordings under all strategies, with intervals and the turn from which one pays', async () => {
    const cwd = recordings()
    const { stdout, status } = await assay(['reprice', 'works', '--model', 'gpt-4o-mini', '--json'], { cwd })
    expect(status).toBe(0)
    const answer = JSON.parse(stdout)
    expect(answer).toMatchObject({ kind: 'reprice', trajectories: 4 })
    const [{ arms, instances }] = answer.models
    const [raw, masking, summary] = arms
    expect(arms.map(({ arm }: { arm: string }) => arm)).toEqual(['raw', 'observation_masking', 'llm_summary', 'hybrid'])
    expect(masking.mean_cost_usd).toBeLessThan(raw.mean_cost_usd)
    expect(masking.pays_from_turn).toBeGreaterThan(11)
    expect(masking.comparison.n.pairs).toBe(4)
    expect(summary.mean_summary_cost_usd).toBeGreaterThan(0)
    expect(instances).toHaveLength(16)
  })

  it('states the basis and the limits of the figures', async () => {
    const cwd = recordings()
    const { stdout } = await assay(['reprice', 'works', '--model', 'gpt-4o-mini'], { cwd })
    expect(stdout).toContain('4 trajectories repriced; no model was called.')
    expect(stdout).toContain('that can’t be known from recordings')
    expect(stdout).toContain('Summaries are assumed to have 500 tokens')
    expect(stdout).toContain('no difference between observation_masking and raw on cost_usd is shown')
  })

  it('makes one arm for each value of a setting that the strategy uses', async () => {
    const cwd = recordings()
    const line = ['reprice', 'works', '--strategy', 'observation_masking,raw', '--hp-obs-n', '5,20', '--hp-sum-n', '30']
    const { stdout } = await assay([...line, '--model', 'gpt-4o-mini', '--json'], { cwd })
    const [{ arms }] = JSON.parse(stdout).models
    expect(arms.map(({ arm }: { arm: string }) => arm)).toEqual([
      'raw',
      'observation_masking obs_n=5',
      'observation_masking obs_n=20',
    ])
  })

  it('accepts prices by prompt size, another caching rule, and a smaller context', async () => {
    const cwd = recordings()
    const line = ['reprice', 'works', '--model', 'gpt-4o-mini', '--strategy', 'raw', '--cache-rule', 'none', '--json']
    const cost = async (...more: readonly string[]) =>
      JSON.parse((await assay([...line, ...more], { cwd })).stdout).models[0].arms[0]
    const flat = await cost('--price', '1,1,0')
    expect(flat.mean_cost_usd).toBeCloseTo(flat.mean_input_tokens / 1e6, 10)
    expect((await cost('--price', '1,1,0; 10000: 2,2,0')).mean_cost_usd).toBeGreaterThan(flat.mean_cost_usd)
    expect((await cost('--context-tokens', '20000')).overflows).toBe(3)
  })

  it('adds up turns as Anthropic bills them, in any order of prices', async () => {
    const cwd = folderWith({ 'works/0.trajectory.json': work(12, 'task') })
    const costs = async (price: string): Promise<readonly number[]> => {
      const args = ['reprice', 'works', '--model', 'claude-sonnet-4.5', '--strategy', 'raw', '--price', price, '--json']
      const { curve } = JSON.parse((await assay(args, { cwd })).stdout).models[0].arms[0]
      const sums: readonly number[] = curve.map(({ mean_usd }: { mean_usd: number }) => mean_usd)
      return sums.map((sum, at) => sum - (sums[at - 1] ?? 0))
    }
    // A million dollars for a million tokens of one kind: as many dollars as there are tokens.
    const fresh = await costs('1000000,0,0,0')
    const cached = await costs('0,1000000,0,0')
    const output = await costs('0,0,1000000,0')
    const written = await costs('0,0,0,1000000')
    const input = (turn: number): number => (fresh[turn] ?? 0) + (cached[turn] ?? 0) + (written[turn] ?? 0)
    for (let turn = 1; turn < 12; turn++) expect(input(turn)).toBeGreaterThan(input(turn - 1))
    const billed = await costs('4000: 6,0.6,22.5,7.5; 3,0.3,15,3.75')
    for (const [turn, usd] of billed.entries()) {
      const times = input(turn) > 4000 ? 2 : 1
      const hand =
        (fresh[turn] ?? 0) * 3 * times + (cached[turn] ?? 0) * 0.3 * times + (written[turn] ?? 0) * 3.75 * times
      expect(usd).toBeCloseTo((hand + (output[turn] ?? 0) * (times === 2 ? 22.5 : 15)) / 1e6, 12)
    }
    expect(input(0)).toBeLessThan(4000)
    expect(input(11)).toBeGreaterThan(4000)
    // From 1,024 tokens on, everything new is written to the cache, and read at the next turn.
    expect(cached[11]).toBeCloseTo(input(10), 6)
    expect(written[11]).toBeCloseTo(input(11) - input(10), 6)
  })

  it('draws the cost up to each turn', async () => {
    const cwd = recordings()
    await assay(['reprice', 'works', '--model', 'gpt-4o-mini', '--output', 'costs.svg'], { cwd })
    expect(readFileSync(join(cwd, 'costs.svg'), 'utf8')).toContain('cost so far over turns')
  })

  it('refuses recordings that it can’t price, with advice', async () => {
    const cwd = recordings()
    const line = (...more: readonly string[]) => assay(['reprice', 'works', ...more], { cwd })
    const unnamed = await line()
    expect(unnamed).toMatchObject({ status: 2 })
    expect(unnamed.stderr).toMatch(/do not say which model made them[\s\S]*--model/)
    const keeping = await line('--model', 'gpt-4o-mini', '--hp-sum-n', '5', '--hp-sum-keep-m', '5')
    expect(keeping).toMatchObject({ status: 2 })
    expect(keeping.stderr).toContain('hp_sum_keep_m must be less than hp_sum_n')
    const empty = await assay(['reprice', '.', '--model', 'gpt-4o-mini'], { cwd: folderWith({}) })
    expect(empty.status).not.toBe(0)
    expect(empty.stderr).toContain('there is no trajectory here')
    expect(existsSync(join(cwd, 'costs.svg'))).toBe(false)
  })
})
