import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { complaint, summaryOf } from '../../support/assay.ts'
import { jsonOf, linesOf } from '../../support/files.ts'
import { journalRows } from '../../support/journal.ts'
import { harbour, models, scenarioExperiment, storyOf, textOf } from './support.ts'

const scenario = (more: string) => `${harbour()['scenarios/harbour/scenario.yaml']}${more}`

describe('the target scenario', () => {
  it('plays its turns, with outcomes that depend on the models', async () => {
    const e = scenarioExperiment(
      harbour({ 'scenarios/harbour/scenario.yaml': scenario('success: agreement == 1\n') }),
      'factors: { actors.port.model: [sim/firm, sim/soft] }\nreplicates: 2\n',
    )
    const { status, summary } = await e.run()
    expect([status, summary.completed]).toEqual([0, 4])
    expect(summary.pass).toMatchObject({ passed: 2 })
    const [firm, soft] = [e.metrics()[0] ?? {}, e.metrics().at(-1) ?? {}]
    expect([firm.passed, firm.agreement, firm.turns]).toEqual([0, 0, 3])
    expect(soft).toMatchObject({ passed: 1, agreement: 1, dues: 40, turns: 3 })
    // Questions that both variants ask in the same words are paid once.
    expect(soft.cost_usd).toBeLessThan(soft.price_usd ?? 0)
    const series = journalRows<{ name: string; steps: string }>(e.dir, 'SELECT name, steps FROM series')
    expect(series.filter(({ name }) => name === 'dues').map(({ steps }) => steps)).toEqual(Array(4).fill('[1,2,3]'))
  })

  it('leaves the files of the guide, and keeps talks private', async () => {
    const e = scenarioExperiment()
    await e.run()
    const files = Object.keys(storyOf(e.folder()))
    expect(files).toEqual(
      expect.arrayContaining([
        ...['000', '001', '002', '003'].map(turn => `world-state-${turn}.md`),
        ...['001', '002', '003'].flatMap(turn => [`actor-port-${turn}.md`, `actor-shipper-${turn}.md`]),
        ...['bilateral-port-shipper-001.md', 'metrics.json', 'costs.json', 'scenario-state.json', 'scenario.log'],
      ]),
    )
    expect(textOf(e.folder(), 'world-state-001.md')).toMatch(
      /^# World State - Turn 1\n\n\*\*Scenario:\*\* Harbour dues\n[\s\S]*## Current Situation\n\nNo deal\.[\s\S]*### Port Authority\n\n> raise the dues/,
    )
    expect(textOf(e.folder(), 'actor-port-001.md')).toMatch(
      /## Current Goals[\s\S]*money[\s\S]*## Reasoning\n\n> we can[\s\S]*## Action\n\n> raise/,
    )
    expect(textOf(e.folder(), 'bilateral-port-shipper-001.md')).toMatch(
      /### Port Authority\n\n> Pay \d+\.\n\n### Blue Line\n\n> We will see\./,
    )
    expect(textOf(e.folder(), 'scenario.log')).toMatch(/turn 1: port talked to shipper in private\n/)
    expect(Object.values(storyOf(e.folder())).join('\n')).not.toMatch(/\d{4}-\d\d-\d\dT/)
  })

  it('has costs of every call, with correct totals under both kinds of keys', async () => {
    const e = scenarioExperiment()
    const { summary } = await e.run()
    const costs = jsonOf<{
      total_cost: number
      totals: { total_cost_usd: number }
      by_actor: Record<string, number>
      by_purpose: Record<string, { calls: number; cost: number }>
      records: { actor: string | null; purpose: string; cost: number }[]
      costs_by_turn: Record<string, { total: number }>
      costs_by_actor: Record<string, { total_cost: number; turns: unknown[] }>
    }>(join(e.folder(), 'costs.json'))
    const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)
    expect(costs.total_cost).toBeCloseTo(Number(summary.cost_usd), 9)
    expect(costs.totals.total_cost_usd).toBe(costs.total_cost)
    expect(sum(costs.records.map(({ cost }) => cost))).toBeCloseTo(costs.total_cost, 9)
    expect(sum(Object.values(costs.costs_by_turn).map(({ total }) => total))).toBeCloseTo(costs.total_cost, 9)
    expect(sum(Object.values(costs.by_purpose).map(({ cost }) => cost))).toBeCloseTo(costs.total_cost, 9)
    const own = costs.records.filter(({ actor }) => actor === 'port').map(({ cost }) => cost)
    expect(costs.by_actor.port).toBeCloseTo(sum(own), 9)
    expect(costs.costs_by_actor['Port Authority']?.turns).toHaveLength(3)
    const booked = journalRows<{ purpose: string; usd: number }>(
      e.dir,
      'SELECT purpose, sum(usd) AS usd FROM ledger WHERE purpose IS NOT NULL GROUP BY purpose',
    )
    for (const { purpose, usd } of booked) expect(costs.by_purpose[purpose]?.cost).toBeCloseTo(usd, 9)
    expect(booked.map(({ purpose }) => purpose).toSorted()).toEqual(['decision', 'talk', 'world'])
  })

  it('has metrics by turn, final ones with their turn, and reasons for those that could not be read', async () => {
    const metrics = `metrics:
  early: { type: int, extraction_method: regex, pattern: "dues to (\\\\d+) in turn 1" }
  dues: { type: int, extraction_method: regex, pattern: "dues to (\\\\d+)" }
  never: { type: int, extraction_method: regex, pattern: "unicorns: (\\\\d+)" }
  talked: { type: bool, extraction_method: regex, pattern: complain }
`
    const e = scenarioExperiment(harbour({ 'scenarios/harbour/metrics.yaml': metrics }))
    await e.run()
    const found = jsonOf(join(e.folder(), 'metrics.json'))
    expect(found).toMatchObject({
      scenario: 'Harbour dues',
      final_metrics: { dues: expect.any(Number), talked: true },
      final_metrics_turn: { dues: 3 },
      unread_metrics: { never: 'its pattern matches nothing' },
      summary_statistics: { dues: { count: 3 } },
      success: true,
    })
    expect(found.final_metrics).not.toHaveProperty('never')
    expect(e.metrics()[0]).toMatchObject({ talked: 1, passed: 1 })
    expect(e.metrics()[0]).not.toHaveProperty('never')
  })

  it('reports no success if a metric of its expression was never read', async () => {
    const files = harbour({
      'scenarios/harbour/scenario.yaml': scenario('success: never > 3\n'),
      'scenarios/harbour/metrics.yaml':
        'metrics: { never: { type: int, extraction_method: regex, pattern: "unicorns: (\\\\d+)" } }\n',
    })
    const e = scenarioExperiment(files)
    expect((await e.run()).summary).toMatchObject({ completed: 1 })
    expect(e.metrics()[0]).not.toHaveProperty('passed')
    expect(textOf(e.folder(), 'scenario.log')).toContain('success is unknown: a metric of "never > 3" was never read')
    expect(jsonOf(join(e.folder(), 'scenario-state.json'))).toMatchObject({ status: 'completed', success: null })
  })

  it('ends once its condition holds', async () => {
    const length =
      'name: H\ninitial_world_state: B\nworld_state_model: sim/narrator\nscenario_length: { type: condition, turns: 9, condition: "turn >= 2" }\n'
    const e = scenarioExperiment(harbour({ 'scenarios/harbour/scenario.yaml': length }))
    await e.run()
    expect(jsonOf(join(e.folder(), 'scenario-state.json'))).toMatchObject({
      status: 'completed',
      current_turn: 2,
      total_turns: 9,
    })
  })

  it('summarises older turns once for all actors, with one call per turn', async () => {
    const e = scenarioExperiment(
      harbour({
        'scenarios/harbour/scenario.yaml': scenario('context_window_size: 1\n').replace('turns: 3', 'turns: 5'),
      }),
    )
    await e.run()
    const { by_purpose } = jsonOf<{ by_purpose: Record<string, { calls: number }> }>(join(e.folder(), 'costs.json'))
    expect(by_purpose.summary?.calls).toBe(3)
    expect(textOf(e.folder(), 'trace.jsonl')).toContain('Turns 1 to 3, in short\\n> So far they argued.')
  })

  it('halts if a check says so, and is not scored', async () => {
    const rules = `validation_model: sim/checker
checks:
  actor_decision_consistency: { enabled: true, prompt_template: "Profile: {actor_profile} Action: {actor_action}" }
  world_state_coherence: { enabled: false }
severity_thresholds: { high: halt }
`
    const checker = `  sim/checker:
    price: { input: 1, output: 2 }
    rules:
      - { contains: [complain], answer: "CONSISTENT: No\\nISSUES FOUND:\\n- It complains\\nSEVERITY: High\\nEXPLANATION: so" }
      - { answer: "CONSISTENT: Yes" }
`
    const e = scenarioExperiment(harbour({ 'scenarios/harbour/validation-rules.yaml': rules }), `${models}${checker}`)
    expect((await e.run()).summary).toMatchObject({ failed: 1 })
    expect(e.attempts()).toMatchObject([
      {
        outcome: 'failed',
        error_class: 'halted_by_check',
        message: expect.stringContaining('of shipper failed in turn 1 (high): It complains'),
      },
    ])
    expect(jsonOf(join(e.folder(), 'scenario-state.json'))).toMatchObject({
      status: 'halted',
      halt_reason: 'check',
      current_turn: 1,
    })
    expect(textOf(e.folder(), 'validation-001.md')).toContain(
      '### actor_decision_consistency, Blue Line: failed (high)\n- It complains',
    )
    expect(existsSync(join(e.folder(), 'validation-summary.md'))).toBe(true)
    expect(e.metrics()[0]).not.toHaveProperty('passed')
    expect(jsonOf(join(e.folder(), 'costs.json'))).toMatchObject({
      validation: { checks_performed: 2, model: 'sim/checker' },
    })
  })

  it('replays a recording without a call, with the same files', async () => {
    const e = scenarioExperiment()
    await e.run('--record', 'calls')
    const before = storyOf(e.folder())
    const other = scenarioExperiment()
    const again = await other.run('--replay', join(e.cwd, 'calls'))
    expect(again.summary).toMatchObject({ completed: 1, cost_usd: 0 })
    expect(storyOf(other.folder())).toEqual(before)
  })

  it('checks answers by a schema if configured', async () => {
    const held = models
      .replaceAll('price: {', 'structured: true\n    price: {')
      .replaceAll(/rules:\n(?: {6}-.*\n)+/g, 'rules: []\n')
    const e = scenarioExperiment(harbour(), held)
    expect((await e.run()).summary).toMatchObject({ completed: 1 })
    expect(e.metrics()[0]).toMatchObject({ dues: expect.any(Number), agreement: expect.any(Number) })
  })
})

describe('identity', () => {
  it('a changed scenario, actor or model is another run, and no other run is repeated', async () => {
    const e = scenarioExperiment(harbour(), 'factors: { actors.port.model: [sim/firm, sim/soft] }\n')
    await e.run()
    expect((await e.run()).summary).toMatchObject({ reused: 2, attempts: 2 })
    const edit = (file: string, from: string, to: string) => {
      const path = join(e.cwd, file)
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
    }
    edit('experiment.yaml', '"**ACTION:** lower the dues"', '"**ACTION:** lower the dues a bit"')
    expect((await e.run()).summary).toMatchObject({ planned: 2, reused: 1, attempts: 3 })
    edit('scenarios/harbour/actors/shipper.yaml', 'Keep dues low', 'Keep dues very low')
    expect((await e.run()).summary).toMatchObject({ planned: 2, reused: 0, attempts: 5 })
  })

  it('unknown parameters are refused before anything runs', async () => {
    const e = scenarioExperiment(harbour(), 'factors: { actors.prt.model: [sim/firm] }\n')
    const ended = await e.say('run')
    expect(ended.status).toBe(2)
    expect(complaint(ended, e)).toContain('there is no actor "prt"; did you mean "port"?')
    const file = scenarioExperiment(harbour({ 'scenarios/harbour/scenario.yaml': scenario('trns: 3\n') }))
    expect(complaint(await file.say('plan'), file)).toContain(
      'scenarios/harbour/scenario.yaml:8:1  trns: unknown key "trns"; did you mean "turns"?',
    )
  })
})

describe('a branch', () => {
  it('continues another run from a turn with other parameters, and keeps its history', async () => {
    const e = scenarioExperiment()
    await e.run()
    const trunk = e.folder()
    const before = storyOf(trunk)
    writeFileSync(
      join(e.cwd, 'branch.yaml'),
      `name: b\ntarget: { kind: scenario, scenario: scenarios/harbour, branch_from: "${trunk}:2" }\nparams: { actors.port.model: sim/soft }\n${models}`,
    )
    const ended = await e.say('run', 'branch.yaml', '--json')
    expect(ended.status, ended.stderr).toBe(0)
    const [name = ''] = readdirSync(join(e.cwd, 'results/b/runs'))
    const dir = join(e.cwd, 'results/b/runs', name)
    const after = storyOf(dir)
    for (const file of ['world-state-001.md', 'actor-port-002.md', 'turns/002.json'])
      expect(after[file]).toBe(before[file])
    expect(after['world-state-003.md']).not.toBe(before['world-state-003.md'])
    const state = jsonOf(join(dir, 'scenario-state.json'))
    expect(state).toMatchObject({
      current_turn: 3,
      branched_from: { run: trunk, turn: 2 },
      seed: jsonOf(join(trunk, 'scenario-state.json')).seed,
    })
    expect(jsonOf(join(dir, 'metrics.json'))).toMatchObject({ final_metrics: { agreement: true, dues: 40 } })
  })

  it('is a factor beside its trunk', async () => {
    const e = scenarioExperiment()
    await e.run()
    writeFileSync(
      join(e.cwd, 'branch.yaml'),
      `name: b\ntarget: { kind: scenario, scenario: scenarios/harbour }\nfactors: { branch_from: [trunk, "${e.folder()}:1"], actors.port.model: [sim/soft] }\n${models}`,
    )
    const ended = await e.say('run', 'branch.yaml', '--json')
    expect(ended.status, ended.stderr).toBe(0)
  })

  it('continues with a changed world state and metric values, and reports it', async () => {
    const e = scenarioExperiment(
      harbour({
        'scenarios/harbour/exogenous-events.yaml':
          'exogenous_events: [{ type: conditional, name: Protest, description: Residents march., conditions: { dues: "> 500" } }]\n',
        'states/flood.md': 'A flood, and then a fire. Nobody pays.\n',
      }),
    )
    await e.run()
    const before = storyOf(e.folder())
    const branch = async (name: string, params: string) => {
      writeFileSync(
        join(e.cwd, `${name}.yaml`),
        `name: ${name}\ntarget: { kind: scenario, scenario: scenarios/harbour, branch_from: "${e.folder()}:2" }\nparams: ${params}\n${models}`,
      )
      const ended = await e.say('run', `${name}.yaml`, '--json')
      expect(ended.status, ended.stderr).toBe(0)
      const [run = ''] = readdirSync(join(e.cwd, `results/${name}/runs`))
      return join(e.cwd, `results/${name}/runs`, run)
    }
    const flood = await branch('flood', '{ world_state: "file:states/flood.md", metrics.dues.value: 900 }')
    const story = storyOf(flood)
    expect(story['turns/001.json']).toBe(before['turns/001.json'])
    expect(story['world-state-002.md']).toContain('## Current Situation\n\nA flood, and then a fire. Nobody pays.\n')
    expect(jsonOf(join(flood, 'scenario-state.json')).branched_from).toEqual({
      run: e.folder(),
      turn: 2,
      changed: ['metrics.dues.value', 'world_state'],
    })
    expect(story['scenario.log']).toContain(
      'turn 2: the state after this turn was changed for this branch: metrics.dues.value, world_state',
    )
    // Actors and the narrator see it, and conditions use it.
    const prompts = linesOf(join(flood, 'trace.jsonl'))
    expect(prompts.filter(text => text.includes('A flood, and then a fire.')).length).toBeGreaterThan(2)
    expect(story['turns/003.json']).toContain('Residents march.')
    expect(before['turns/003.json']).not.toContain('Residents march.')
    expect(
      jsonOf<{ metrics_by_turn: Record<string, unknown> }>(join(flood, 'metrics.json')).metrics_by_turn,
    ).toMatchObject({
      2: { dues: 900 },
    })
    const more = await branch('more', '{ world_state: { append: The mayor resigns. }, metrics.agreement.value: yes }')
    expect(textOf(more, 'world-state-002.md')).toMatch(/No deal\.\n\nThe mayor resigns\./)
    // A null changes nothing, for a branch to compare with; a file that changed is another state.
    const same = await branch('same', '{ world_state: null }')
    expect(storyOf(same)['turns/002.json']).toBe(before['turns/002.json'])
    writeFileSync(join(e.cwd, 'states/flood.md'), 'A drought.')
    expect(summaryOf(await e.say('run', 'flood.yaml', '--json'))).toMatchObject({ planned: 1, reused: 0 })
  })

  it('is refused with an invalid or unchanged state', async () => {
    const e = scenarioExperiment()
    await e.run()
    const complaintOf = async (given: string, from = `, branch_from: "${e.folder()}:1"`) => {
      writeFileSync(
        join(e.cwd, 'b.yaml'),
        `name: b\ntarget: { kind: scenario, scenario: scenarios/harbour${from} }\n${given}\n${models}`,
      )
      return complaint(await e.say('plan', 'b.yaml'), e)
    }
    expect(await complaintOf('params: { metrics.due.value: 3 }')).toContain(
      'there is no metric "due"; did you mean "dues"?',
    )
    expect(await complaintOf('params: { metrics.dues.value: many }')).toContain(
      'metrics.dues.value: "many" is no number',
    )
    expect(await complaintOf('params: { world_state: [a] }')).toContain(
      'expected a text, file:PATH or { append: text }',
    )
    expect(await complaintOf('params: { world_state: "file:nowhere.md" }')).toContain('there is no file nowhere.md')
    expect(await complaintOf('params: { world_stat: a }')).toContain('did you mean "world_state"?')
    expect(await complaintOf('params: { world_state: a }', '')).toContain(
      'world_state changes the state from which a branch continues, but nothing branches here',
    )
    const both = `factors: { branch_from: [trunk, "${e.folder()}:1"], world_state: `
    expect(await complaintOf(`${both}[null, a] }`, '')).toContain(
      'world_state changes nothing in runs that begin at the beginning',
    )
    expect(await complaintOf(`${both}{ values: [null, a], when: "branch_from != 'trunk'" } }`, '')).toBe('')
  })

  it('is refused as a block, which would change nothing', async () => {
    const e = scenarioExperiment(harbour(), 'blocks: { branch_from: [trunk], seed: [1, 2] }\n')
    const ended = await e.say('plan')
    expect(ended.status).toBe(2)
    expect(complaint(ended, e)).toContain('branch_from is a setting of scenarios, and a block changes no settings')
  })

  it('is refused with another beginning, which would change nothing', async () => {
    const e = scenarioExperiment()
    await e.run()
    const write = (factor: string) =>
      writeFileSync(
        join(e.cwd, 'b.yaml'),
        `name: b\ntarget: { kind: scenario, scenario: scenarios/harbour }\nfactors:\n  branch_from: [trunk, "${e.folder()}:1"]\n  initial_world_state: ${factor}\n${models}`,
      )
    write('[{ append: A flood. }]')
    expect(complaint(await e.say('plan', 'b.yaml'), e)).toContain(
      'initial_world_state changes nothing in a branch, which has the beginning of its trunk',
    )
    write(`{ values: [{ append: A flood. }], when: "branch_from == 'trunk'" }`)
    expect((await e.say('plan', 'b.yaml')).status).toBe(0)
  })

  it('is refused without such a run or turn', async () => {
    const e = scenarioExperiment()
    await e.run()
    const complaintOf = async (from: string) => {
      writeFileSync(
        join(e.cwd, 'b.yaml'),
        `name: b\ntarget: { kind: scenario, scenario: scenarios/harbour, branch_from: "${from}" }\n${models}`,
      )
      return complaint(await e.say('plan', 'b.yaml'), e)
    }
    expect(await complaintOf(`${e.folder()}:9`)).toContain("has 3 whole turns, so it can't be continued after turn 9")
    expect(await complaintOf('nowhere:1')).toContain('nowhere is no folder of a run of a scenario')
    expect(await complaintOf('nowhere')).toContain('expected RUN:TURN, got "nowhere"')
  })
})

describe('the estimate', () => {
  const names = ['sim/narrator', 'sim/firm', 'sim/shipper']
  const sized = `models:\n${names.map(name => `  ${name}: { tokens: { output: 50 }, max_output: 100, price: { input: 1, output: 2 } }\n`).join('')}`

  it('by declared sizes is close to the real cost, below the upper bound', async () => {
    const e = scenarioExperiment(
      harbour({
        'scenarios/harbour/scenario.yaml': scenario('max_communications_per_turn: 0\n').replace('turns: 3', 'turns: 8'),
      }),
      sized,
    )
    const plan = await e.say('plan')
    const [, about = '', most = ''] = /cost of 1 run: about \$([\d.]+), at most \$([\d.]+),/.exec(plan.stdout) ?? []
    const { summary } = await e.run()
    expect(Number(about)).toBeGreaterThan(Number(summary.cost_usd) * 0.85)
    expect(Number(about)).toBeLessThan(Number(summary.cost_usd) * 1.15)
    expect(Number(most)).toBeGreaterThan(Number(summary.cost_usd))
  })

  it('states its assumptions if sizes are not declared', async () => {
    const e = scenarioExperiment()
    expect((await e.say('plan')).stdout).toContain('answers of 250 tokens (assumed)')
  })
})
