import { describe, expect, it } from 'vitest'
import type { ModelSettings } from '../../../../src/define/models/model-settings.ts'
import { bash, simulated, type Worked, type Working, workOn as workIn } from '../support.ts'

/** Faults are drawn by the prompt: without the name of a temporary folder in it they are the same each time. */
const workOn = ({ models, settings }: Pick<Working, 'models'> & { readonly settings: Settings }): Promise<Worked> =>
  workIn({ models, settings: { system_template: 'Work.', instance_template: '{instruction}', ...settings } })

type Settings = Readonly<Record<string, string | number>>

const troubled = (failures: ModelSettings[string]['failures'], more: ModelSettings[string] = {}): ModelSettings =>
  simulated([{ purpose: 'summary', answer: 'Wrote dates.' }, bash('date >> a.txt; seq 40')], { failures, ...more })

/** The cost of all tries, with the upper bound of unknown ones. */
const paid = ({ permits }: Worked): number =>
  permits.settled.reduce((sum, { usd, ask }) => sum + (usd ?? ask.usd ?? Number.NaN), 0)

const dearest = ({ permits }: Worked): number => Math.max(...permits.asked.map(({ usd }) => usd ?? Number.NaN))

describe('calls that fail and are retried', () => {
  it.each([
    ['are turned away', { rate_limited: 0.4 }],
    ['fail at the server', { server_error: 0.3 }],
    ['are cut off', { cut: 0.2 }],
    ['are malformed', { malformed: 0.15 }],
  ] as const)('are neither turns nor calls: they %s', async (_, failures) => {
    const worked = await workOn({ models: troubled(failures), settings: { call_limit: 20, turn_limit: 15 } })
    expect(worked.work).toMatchObject({ exitStatus: 'submitted (exit_cost)' })
    expect(worked.turns.filter(({ kind }) => kind === 'turn')).toHaveLength(15)
    expect(worked.permits.settled.length).toBeGreaterThan(15)
  })

  it.each([{ cut: 0.3 }, { malformed: 0.15 }, { cut: 0.15, rate_limited: 0.2, malformed: 0.1 }])(
    'count in cost_limit, at their upper bound if unknown: %o',
    async failures => {
      const cost_limit = 0.03
      const models = troubled(failures, { max_output: 2000 })
      const worked = await workOn({ models, settings: { cost_limit } })
      expect(worked.work.exitStatus).toBe('submitted (exit_cost)')
      expect(worked.permits.settled.some(({ usd }) => usd === null)).toBe(true)
      expect(paid(worked)).toBeGreaterThanOrEqual(cost_limit)
      // It ends with the try that reaches it: another is not made.
      expect(paid(worked)).toBeLessThan(cost_limit + dearest(worked))
    },
  )

  it('end an agent whose limit is reached between two tries: its work is submitted', async () => {
    const models = troubled({ cut: 1 }, { max_output: 2000 })
    const first = { ...models['sim/a'], rules: [{ ...bash('echo two > a.txt') }] }
    const worked = await workOn({ models: { 'sim/a': first }, settings: { cost_limit: 0.004 } })
    expect(worked.work.exitStatus).toBe('exit_cost')
    expect(worked.permits.settled).toHaveLength(2)
    expect(worked.trajectory.turns.map(({ kind }) => kind)).toEqual(['again', 'autosubmit'])
  })

  it('end a summary in the same way', async () => {
    const settings = {
      strategy: 'llm_summary',
      hp_sum_n: 3,
      hp_sum_keep_m: 1,
      summarizer_model: 'sim/b',
      cost_limit: 0.011,
    }
    const [agent] = Object.values(troubled({}))
    const models = { 'sim/a': agent ?? {}, 'sim/b': { ...agent, max_output: 4000, failures: { cut: 1 } } }
    const worked = await workOn({ models, settings })
    expect(worked.work.exitStatus).toBe('submitted (exit_cost)')
    expect(worked.permits.settled.filter(({ usd }) => usd === null).length).toBeGreaterThan(1)
    expect(paid(worked)).toBeLessThan(0.011 + dearest(worked))
  })

  it('take the time of their tries, not that of the waits between them', async () => {
    const latency = { base_ms: 40_000, per_token_ms: 0, spread: 0 }
    // 15 answers, and half a minute for the commands between them: a busy machine takes seconds.
    const time_limit = '630s'
    const calm = await workOn({ models: troubled({}, { latency }), settings: { time_limit } })
    const turned = troubled({ rate_limited: 0.3, retry_after_ms: 300_000 }, { latency })
    const waited = await workOn({ models: turned, settings: { time_limit } })
    expect([calm.work.exitStatus, waited.work.exitStatus]).toEqual(Array(2).fill('submitted (exit_timeout)'))
    const turnsOf = ({ turns }: Worked) => turns.filter(({ kind }) => kind === 'turn').length
    expect(turnsOf(calm)).toBe(15)
    expect(turnsOf(waited)).toBeGreaterThan(5)
    const slow = await workOn({ models: troubled({ cut: 0.3 }, { latency }), settings: { time_limit } })
    expect(turnsOf(slow)).toBeLessThan(15)
    expect(slow.trajectory.turns.reduce((ms, { inference_ms }) => ms + (inference_ms ?? 0), 0)).toBeLessThan(630_001)
  })
})

it('simultaneous agents don’t mix their usage', async () => {
  const cost_limit = 0.02
  const models = troubled({ cut: 0.2 })
  const together = await Promise.all(Array.from({ length: 4 }, () => workOn({ models, settings: { cost_limit } })))
  for (const one of together) {
    expect(paid(one)).toBeGreaterThanOrEqual(cost_limit)
    expect(paid(one)).toBeLessThan(cost_limit + dearest(one))
  }
})
