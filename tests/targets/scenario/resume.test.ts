import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttemptResult } from '../../../src/define/run.ts'
import { folderWith, startAssay } from '../../support/assay.ts'
import { jsonOf } from '../../support/files.ts'
import { harbour, models, performInPieces, scenarioExperiment, storyOf } from './support.ts'

/** Talks, coalitions, summaries, events, checks and metrics of every kind, so that each kind of call can be the one that is cut. */
const busy = harbour({
  'experiment.yaml': `name: e
target: { kind: scenario, scenario: scenarios/harbour }
calls: { cache: false }
models:
  sim/all:
    price: { input: 1, output: 2 }
    latency: { base: 1ms, spread: 1 }
    rules:
      - { purpose: coalition, contains: [Do you propose one], answer: "**PROPOSE:** {one_of yes|no}\\n**MEMBERS:** Blue Line, Residents, Port Authority\\n**PURPOSE:** calm {integer 1..99}" }
      - { purpose: coalition, contains: [Do you join], answer: "**ACCEPT:** {one_of yes|yes|no}\\n**REASON:** why not" }
      - { purpose: coalition, answer: "**MESSAGE:** hello {integer 1..99}" }
      - { purpose: talk, contains: [you may open], answer: "**TALK:** {one_of yes|no}\\n**WITH:** {one_of Blue Line|Residents|Port Authority|Nobody}\\n**MESSAGE:** take {integer 1..99}" }
      - { purpose: talk, answer: "**ANSWER:** perhaps {integer 1..99}" }
      - { purpose: decision, answer: "**REASONING:** so\\n**ACTION:** do {integer 1..999}, privacy" }
      - { purpose: world, matches: "every value:\\\\s+(METRICS#\\\\w+):", answer: "**UPDATED WORLD STATE:** state {integer 1..999}\\n{1}: dues={integer 1..99}" }
      - { purpose: metric, answer: "{one_of 3|7|unknown|hm}" }
      - { purpose: check, answer: "CONSISTENT: {one_of yes|no|hm}\\nISSUES FOUND:\\n- odd\\nSEVERITY: low" }
      - { purpose: summary, answer: "summary {integer 1..999}" }
`,
  'scenarios/harbour/scenario.yaml': `name: Harbour dues
initial_world_state: The port wants higher dues.
turns: 4
context_window_size: 1
enable_coalition_formation: true
world_state_model: sim/all
actors: [port, shipper, residents]
`,
  'scenarios/harbour/actors/port.yaml': 'name: Port Authority\nshort_name: port\nllm_model: sim/all\n',
  'scenarios/harbour/actors/shipper.yaml': 'name: Blue Line\nshort_name: shipper\nllm_model: sim/all\n',
  'scenarios/harbour/actors/residents.yaml': 'name: Residents\nshort_name: residents\nllm_model: sim/all\n',
  'scenarios/harbour/metrics.yaml': `metrics:
  - { name: dues, extraction: { type: line } }
  - { name: mood, type: int, extraction: { type: llm, prompt: How is the mood? } }
  - { name: privacy, type: int, actor_specific: true, extraction: { type: keyword, keywords: [privacy] } }
`,
  'scenarios/harbour/exogenous-events.yaml': `exogenous_events:
  - { type: random, name: Storm, description: A storm., probability: 0.4, once: false }
  - { type: conditional, name: Protest, description: People protest., conditions: { dues: "> 40" } }
`,
  'scenarios/harbour/validation-rules.yaml': 'checks: { actor_decision_consistency: {}, world_state_coherence: {} }\n',
})

/** Costs of calls are booked as they are made, by each attempt. */
const ownSeries = ({ series }: AttemptResult) => series.filter(({ metric }) => metric !== 'cost_usd')

describe('an interrupted run', () => {
  it('continues after its last whole turn, with byte-identical files however often it is interrupted', async () => {
    const cwd = folderWith(busy)
    const whole = await performInPieces(cwd, [])
    expect(whole.result.outcome).toEqual({ kind: 'completed' })
    expect(Object.keys(whole.story)).toEqual(
      expect.arrayContaining(['costs.json', 'metrics.json', 'scenario-state.json', 'scenario.log', 'turns/004.json']),
    )
    const names = Object.keys(whole.story).join(' ')
    for (const kind of ['coalition-', 'bilateral-', 'validation-']) expect(names).toContain(kind)
    for (const purpose of ['talk', 'coalition', 'decision', 'world', 'metric', 'check', 'summary'])
      expect(whole.story['costs.json']).toContain(`"purpose": "${purpose}"`)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 }), async cuts => {
        const pieces = await performInPieces(cwd, cuts)
        expect(pieces.story).toEqual(whole.story)
        expect(ownSeries(pieces.result)).toEqual(ownSeries(whole.result))
        // A turn that was whole is not played again.
        expect(pieces.calls).toBeLessThanOrEqual(whole.calls + cuts.reduce((sum, cut) => sum + cut, 0))
      }),
      { numRuns: 12 },
    )
  })

  it('pays no whole turn twice: after an interruption in the third turn only that turn is repeated', async () => {
    const cwd = folderWith(busy)
    const whole = await performInPieces(cwd, [])
    const perTurn = [1, 2, 3, 4].map(turn => JSON.parse(whole.story[`turns/00${turn}.json`] ?? '').calls.length)
    const untilThird = perTurn[0] + perTurn[1]
    const { calls, attempts } = await performInPieces(cwd, [untilThird + 1])
    expect([attempts, calls]).toEqual([2, whole.calls])
  })

  it('other seeds give other events and answers', async () => {
    const cwd = folderWith(busy)
    const [one, other] = [await performInPieces(cwd, [], 1), await performInPieces(cwd, [], 2)]
    expect(one.story['scenario.log']).not.toBe(other.story['scenario.log'])
  })
})

describe('with the engine', () => {
  it('a limit on calls ends a run, which continues once it is raised; all attempts count', async () => {
    const e = scenarioExperiment(harbour(), 'limits: { run_calls: 9 }\ncalls: { cache: false }\n')
    const first = await e.run()
    expect([first.status, first.summary.cost_limited]).toEqual([3, 1])
    const state = jsonOf(join(e.folder(), 'scenario-state.json'))
    expect(state).toMatchObject({ status: 'halted', halt_reason: 'credit_limit', current_turn: 1, success: null })
    expect(readFileSync(join(e.folder(), 'scenario.log'), 'utf8')).toMatch(/halted \(credit_limit\): .*run_calls/)
    // Interrupted runs are not scored.
    expect(e.metrics()[0]).not.toHaveProperty('passed')
    const second = await e.run('--run-calls', '100')
    expect(second.summary).toMatchObject({ completed: 1, attempts: 2 })
    const execution = jsonOf<{ attempts: { went_on_after_turn: number; paid_usd: number }[] }>(
      join(e.folder(), 'execution.json'),
    )
    expect(execution.attempts.map(one => one.went_on_after_turn)).toEqual([0, 1])
    const paid = execution.attempts.reduce((sum, one) => sum + one.paid_usd, 0)
    expect(second.summary.cost_usd).toBeCloseTo(paid, 9)
    const other = scenarioExperiment(harbour(), 'calls: { cache: false }\n')
    await other.run()
    expect(storyOf(e.folder())).toEqual(storyOf(other.folder()))
  })

  it('never spends more than its limit, and continues once that is raised', async () => {
    const e = scenarioExperiment(
      harbour(),
      'limits: { run_budget_usd: 0.01, jobs: 4 }\nreplicates: 4\ncalls: { cache: false }\n',
    )
    const first = await e.run()
    expect([first.status, first.summary.cost_limited]).toEqual([3, 4])
    for (const { cost_usd } of e.attempts()) expect(cost_usd).toBeLessThanOrEqual(0.01)
    expect(jsonOf(join(e.folder(), 'scenario-state.json'))).toMatchObject({
      status: 'halted',
      halt_reason: 'credit_limit',
    })
    expect((await e.run('--run-budget', '1')).summary).toMatchObject({ completed: 4, attempts: 8 })
  })

  it('kill -9 in the middle of a turn: the next call continues from the last whole turn', async () => {
    const slow = models.replaceAll('    price: {', '    latency: 30ms\n    price: {')
    const e = scenarioExperiment(
      harbour({
        'scenarios/harbour/scenario.yaml':
          harbour()['scenarios/harbour/scenario.yaml']?.replace('turns: 3', 'turns: 5') ?? '',
      }),
      `calls: { cache: false }\n${slow}`,
    )
    const { child, ended } = startAssay(['run', '--json'], { cwd: e.cwd })
    await expect
      .poll(() => existsSync(join(e.dir, 'runs')) && existsSync(join(e.folder(), 'turns/002.json')), {
        timeout: 20_000,
        interval: 5,
      })
      .toBe(true)
    child.kill('SIGKILL')
    await ended
    const last = await e.run()
    expect(last.summary).toMatchObject({ completed: 1, attempts: 2 })
    const { attempts } = jsonOf<{ attempts: { went_on_after_turn: number }[] }>(join(e.folder(), 'execution.json'))
    expect(attempts.at(-1)?.went_on_after_turn).toBeGreaterThanOrEqual(1)
    expect(Object.keys(storyOf(e.folder())).filter(name => /^world-state/.test(name))).toHaveLength(6)
  })

  it('starts over if the scenario has changed, or on request', async () => {
    const e = scenarioExperiment(harbour(), 'limits: { run_calls: 9 }\ncalls: { cache: false }\n')
    await e.run()
    const file = join(e.cwd, 'scenarios/harbour/actors/port.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('Balance', 'Improve'))
    const changed = await e.run('--run-calls', '100')
    expect(changed.summary).toMatchObject({ planned: 1, completed: 1 })
    const [name = ''] = e.runs().filter(run => existsSync(join(e.dir, 'runs', run, 'world-state-003.md')))
    expect(jsonOf(join(e.dir, 'runs', name, 'execution.json'))).toMatchObject({ attempts: [{ went_on_after_turn: 0 }] })
    const fresh = await e.run('--fresh', '--run-calls', '100')
    expect(fresh.summary).toMatchObject({ completed: 1 })
    expect(jsonOf<{ attempts: unknown[] }>(join(e.dir, 'runs', name, 'execution.json')).attempts).toHaveLength(1)
  })

  it('does not continue a folder with a manipulated state', async () => {
    const e = scenarioExperiment(harbour(), 'limits: { run_calls: 9 }\ncalls: { cache: false }\n')
    await e.run()
    rmSync(join(e.folder(), 'turns/001.json'))
    await e.run('--run-calls', '100')
    expect(jsonOf(join(e.folder(), 'execution.json'))).toMatchObject({ attempts: [{}, { went_on_after_turn: 0 }] })
  })
})

it('leaves the same files whatever the concurrency of runs and calls', async () => {
  const storiesOf = async (limits: string) => {
    const e = scenarioExperiment(harbour(), `replicates: 3\ncalls: { cache: false }\nlimits: ${limits}\n`)
    expect((await e.run()).summary).toMatchObject({ completed: 3 })
    return e.runs().map(run => storyOf(join(e.dir, 'runs', run)))
  }
  const alone = await storiesOf('{ jobs: 1, rate: { sim: { concurrency: 1 } } }')
  expect(await storiesOf('{ jobs: 3 }')).toEqual(alone)
  // Replicates are independent.
  expect(new Set(alone.map(story => story['scenario.log'])).size).toBe(3)
})
