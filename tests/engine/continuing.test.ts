import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../../src/api/run.ts'
import type { Outcome } from '../../src/define/outcome.ts'
import type { RunContext } from '../../src/define/target.ts'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { backToVersion3, changeJournal, journalRows } from '../support/journal.ts'
import { outsideRepository } from '../support/outside-repository.ts'
import { scripted } from './scripted-target.ts'

outsideRepository()

const soon = { infra_error: 3, failed: 3, backoff: '1ms' }

/** The contexts of a run's attempts. */
interface Told {
  readonly mode: string
  readonly continues: RunContext['continues']
}

describe('an attempt whose scoring failed', () => {
  async function scoredAtLast(failures: number) {
    const folder = folderWith()
    const told: Told[] = []
    const experiment = scripted({ limits: { retries: soon } }, folder, async context => {
      const { mode, continues } = context
      told.push({ mode, continues })
      const { out_dir } = context.makeDirectory()
      if (mode === 'run') {
        context.report({ metric: 'cost_usd', value: 2, step: null })
        writeFileSync(join(out_dir, 'answer.txt'), '42')
        return { kind: 'infra_error', error_class: 'grader', only_scoring_left: true }
      }
      context.report({ metric: 'cost_usd', value: 0.5, step: null })
      if (told.length <= failures) return { kind: 'infra_error', error_class: 'grader' }
      const answer = readFileSync(join(continues?.dir ?? '', 'out/answer.txt'), 'utf8')
      context.report({ metric: 'score', value: Number(answer), step: null })
      return { kind: 'completed' }
    })
    const ended = await run(experiment, { dir: join(folder, 'e') })
    return { ...ended, told }
  }

  it('is scored by the next attempt, which gets its folder, outcome and cost', async () => {
    const { told, dir, runs } = await scoredAtLast(1)
    const [only] = runs
    const kept = join(dir, 'runs', only?.name ?? '', 'attempts/1')
    expect(told).toEqual([
      { mode: 'run', continues: null },
      {
        mode: 'score',
        continues: {
          attempt: 1,
          outcome: { kind: 'infra_error', error_class: 'grader', only_scoring_left: true },
          cost_usd: 2,
          dir: kept,
        },
      },
    ])
    expect(only).toMatchObject({
      attempts: [
        { number: 1, mode: 'run' },
        { mode: 'score', continues: 1 },
      ],
      metrics: { score: 42 },
    })
  })

  it('costs the sum of its attempts, and the journal marks the scoring ones', async () => {
    const { told, dir, runs, summary } = await scoredAtLast(3)
    expect(told.map(({ mode, continues }) => [mode, continues?.attempt ?? null])).toEqual([
      ['run', null],
      ['score', 1],
      ['score', 1],
      ['score', 1],
    ])
    expect([runs[0]?.cost_usd, summary.cost_usd]).toEqual([3.5, 3.5])
    expect(journalRows(dir, 'SELECT number, mode, continues, cost_usd FROM attempts')).toEqual([
      { number: 1, mode: 'run', continues: null, cost_usd: 2 },
      { number: 2, mode: 'score', continues: 1, cost_usd: 0.5 },
      { number: 3, mode: 'score', continues: 1, cost_usd: 0.5 },
      { number: 4, mode: 'score', continues: 1, cost_usd: 0.5 },
    ])
    const meta = JSON.parse(readFileSync(join(dir, 'runs', runs[0]?.name ?? '', 'meta.json'), 'utf8'))
    expect(meta).toMatchObject({ mode: 'score', continues: 1, attempt: 4 })
  })
})

describe('a command', () => {
  const program = `#!/bin/sh
echo "$ASSAY_MODE \${ASSAY_CONTINUES_DIR:-nothing}" >> "$LOG"
echo '{"cost_usd": 0.04}' >> "$ASSAY_METRICS_FILE"
if [ -n "$ASSAY_CONTINUES_DIR" ]; then cp "$ASSAY_CONTINUES_DIR/out/checkpoint" "$ASSAY_OUT_DIR"; fi
echo more >> "$ASSAY_OUT_DIR/checkpoint"
[ "$(wc -l < "$ASSAY_OUT_DIR/checkpoint")" -ge 3 ] || exit 75
`
  const experiment = `
name: e
target: { kind: command, command: [./goes-on.sh] }
metrics: { cost_usd: {} }
limits: { run_budget_usd: 1, retries: { infra_error: 5, backoff: 1ms } }
`
  const going = () => {
    const cwd = folderWith({ 'goes-on.sh': program, 'e.yaml': experiment })
    return { cwd, env: { LOG: join(cwd, 'log') }, log: () => readFileSync(join(cwd, 'log'), 'utf8').trim().split('\n') }
  }

  it('finds the files of its earlier attempt, and can continue from there', async () => {
    const { log, ...place } = going()
    const ended = await assay(['run', 'e.yaml', '--json'], place)
    expect(summaryOf(ended)).toMatchObject({ completed: 1, attempts: 3, cost_usd: expect.closeTo(0.12) })
    expect(log()).toEqual([
      'run nothing',
      expect.stringMatching(/^run .*\/attempts\/1$/),
      expect.stringMatching(/^run .*\/attempts\/2$/),
    ])
    const csv = (await assay(['collect', 'results/e', '--out-csv', '-'], place)).stdout
    expect(csv).toContain(',0.12')
  })

  it('starts from scratch if its run starts over, and so does its cost', async () => {
    const { log, ...place } = going()
    await assay(['run', 'e.yaml', '-q'], place)
    await assay(['run', 'e.yaml', '-q', '--fresh'], place)
    expect(log()).toHaveLength(6)
    expect(log()[3]).toBe('run nothing')
    const dir = join(place.cwd, 'results/e')
    expect(journalRows(dir, 'SELECT counts_from, round(cost_usd, 6) AS cost_usd FROM runs')).toEqual([
      { counts_from: 4, cost_usd: 0.12 },
    ])
  })

  it('does not continue files of another definition', async () => {
    const { log, ...place } = going()
    writeFileSync(join(place.cwd, 'e.yaml'), experiment.replace('infra_error: 5', 'infra_error: 0'))
    await assay(['run', 'e.yaml', '-q'], place)
    writeFileSync(join(place.cwd, 'e.yaml'), experiment.replace('[./goes-on.sh]', '[./goes-on.sh, differently]'))
    await assay(['run', 'e.yaml', '-q'], place)
    expect(log().slice(0, 2)).toEqual(['run nothing', 'run nothing'])
  })
})

describe('the cap of a run covers all its attempts', () => {
  it('a run that has used it up does not start again until it is raised', async () => {
    const folder = folderWith()
    const left: (number | null)[] = []
    const spending = (cap: number) =>
      scripted({ limits: { run_budget_usd: cap, retries: soon } }, folder, async (context): Promise<Outcome> => {
        left.push(context.runBudgetUsd)
        context.report({ metric: 'cost_usd', value: 0.5, step: null })
        return { kind: 'infra_error' }
      })
    const dir = join(folder, 'e')
    const first = await run(spending(1), { dir })
    expect(left).toEqual([1, 0.5])
    expect(first.runs[0]).toMatchObject({ cost_usd: 1, outcome: { kind: 'cost_limited', limit: 'run_budget_usd' } })
    expect(first.runs[0]?.outcome?.message).toBe(
      "its earlier attempts have used up the run's budget of $1.00; a higher run_budget_usd runs it again",
    )
    expect((await run(spending(1), { dir })).summary).toMatchObject({ cost_limited: 1, attempts: 3 })
    await run(spending(1.5), { dir })
    expect(left).toEqual([1, 0.5, 0.5])
  })

  it('costs and number of model calls count too', async () => {
    const folder = folderWith()
    const calls = [0, 0, 0]
    const experiment = scripted(
      { limits: { run_calls: 5, retries: soon } },
      folder,
      async ({ permits, signal, attempt }) => {
        for (let call = 0; call < 3; call++) {
          const ask = { provider: 'sim', key: 'k', model: 'm', tokens: 10, usd: 0.1 }
          const permit = await permits.acquire(ask, signal)
          calls[attempt - 1] = (calls[attempt - 1] ?? 0) + 1
          permits.settle(permit, { tokens: 7, usd: 0.1, rate_limited: null })
        }
        return { kind: 'infra_error' }
      },
      'per_call',
    )
    const { runs, dir } = await run(experiment, { dir: join(folder, 'e') })
    expect(calls).toEqual([3, 2, 0])
    expect(runs[0]?.outcome).toMatchObject({ kind: 'cost_limited', limit: 'run_calls', limit_at: 5 })
    expect(journalRows(dir, 'SELECT calls, tokens, round(cost_usd, 9) AS usd FROM runs')).toEqual([
      { calls: 5, tokens: 35, usd: 0.5 },
    ])
  })

  it('the assumed cost of a lost attempt does not keep its run from running', async () => {
    const cwd = folderWith({
      'e.yaml': `
name: e
target: { kind: command, command: [./silent.sh] }
limits: { budget_usd: 10, run_budget_usd: 1, retries: { failed: 2, backoff: 1ms } }
`,
      'silent.sh': '#!/bin/sh\necho x >> "$LOG"\n[ "$(wc -l < "$LOG")" -ge 3 ]\n',
    })
    const ended = await assay(['run', 'e.yaml', '--json'], { cwd, env: { LOG: join(cwd, 'log') } })
    expect(summaryOf(ended)).toMatchObject({ completed: 1, attempts: 3, cost_usd: 3 })
  })
})

it('a journal of version 3 keeps its costs, and counts from the next attempt on', async () => {
  const cwd = folderWith({
    'e.yaml': `
name: e
target: { kind: command, command: [./spends.sh] }
limits: { run_budget_usd: 0.1, retries: { failed: 0 } }
`,
    'spends.sh': `#!/bin/sh\necho '{"cost_usd": 0.07}' >> "$ASSAY_METRICS_FILE"\nexit 1\n`,
  })
  const dir = join(cwd, 'results/e')
  await assay(['run', 'e.yaml', '-q'], { cwd })
  changeJournal(dir, backToVersion3)
  const again = await assay(['run', 'e.yaml', '--retry-failed', '--json'], { cwd })
  expect(summaryOf(again), again.stderr).toMatchObject({ failed: 1, attempts: 2 })
  expect(journalRows(dir, 'SELECT round(cost_usd, 6) AS usd, round(capped_usd, 6) AS capped FROM runs')).toEqual([
    { usd: 0.14, capped: 0.07 },
  ])
  expect(existsSync(join(dir, 'runs'))).toBe(true)
})
