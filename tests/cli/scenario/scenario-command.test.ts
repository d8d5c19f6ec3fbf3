import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { jsonOf } from '../../support/files.ts'
import { fakeIo } from '../fake-io.ts'

const examples = fileURLToPath(new URL('../../../examples/scenarios/', import.meta.url))

function project() {
  const cwd = folderWith()
  cpSync(examples, join(cwd, 'scenarios'), { recursive: true })
  return cwd
}

const harbour = 'scenarios/harbour-dues'
const models = ['--models', 'scenarios/models.yaml']

describe('assay scenario', () => {
  test('validate prints the parts of a scenario, or all errors with their places', async () => {
    const cwd = project()
    const good = await assay(['scenario', 'validate', harbour], { cwd })
    expect(good.status, good.stderr).toBe(0)
    expect(good.stdout).toContain('metrics: dues_eur, noise_db, agreement and trust')
    expect(good.stdout).not.toContain('note:')
    const file = join(cwd, harbour, 'scenario.yaml')
    const written = readFileSync(file, 'utf8')
    // A batch may bring settings for it, so this is no mistake of the scenario.
    writeFileSync(file, written.replace('sim/narrator', 'sim/narator'))
    const strange = await assay(['scenario', 'validate', harbour], { cwd })
    expect([strange.status, strange.stdout]).toEqual([
      0,
      expect.stringContaining('note: sim/narator: there is no such simulated model; did you mean "sim/narrator"?'),
    ])
    writeFileSync(file, written.replace('turns: 4', 'turns: many').replace('residents]', 'residnts]'))
    const bad = await assay(['scenario', 'validate', harbour], { cwd })
    expect(bad.status).toBe(2)
    expect(bad.stderr).toMatch(/scenario\.yaml:\d+:\d+ .*residnts.*did you mean "residents"/)
    const none = await assay(['scenario', 'validate', 'scenarios'], { cwd })
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('there is no scenario.yaml in it')])
  })

  test('a metric named like a column or a value of every run is refused by every command', async () => {
    const cwd = project()
    const file = join(cwd, harbour, 'metrics.yaml')
    const written = readFileSync(file, 'utf8')
    writeFileSync(
      join(cwd, 'b.yaml'),
      `experiment_name: S\nbase_scenario: ${harbour}\noutput_dir: out\nassay: { models: scenarios/models.yaml }\n`,
    )
    writeFileSync(file, written.replace('name: noise_db', 'name: outcome'))
    for (const command of [
      ['scenario', 'validate', harbour],
      ['scenario', 'run', harbour, ...models],
      ['plan', 'b.yaml'],
      ['run', 'b.yaml'],
    ]) {
      const { status, stderr } = await assay(command, { cwd })
      expect([status, stderr], command.join(' ')).toEqual([
        2,
        expect.stringMatching(/metrics\.yaml:4:\d+ {2}metrics\.1\.name: "outcome" is reserved by assay/),
      ])
    }
  })

  test('problems of a batch point at the value, and plan works with an unknown model', async () => {
    const cwd = project()
    const batch = (values: string, more = '') => `experiment_name: Study
base_scenario: ${harbour}
variations:
  - { type: actor_model, actor: port-authority, values: ${values} }
${more}output_dir: out
assay: { models: scenarios/models.yaml }
`
    writeFileSync(join(cwd, 'b.yaml'), batch('[sim/firm, sim/nobody]'))
    const ran = await assay(['run', 'b.yaml'], { cwd })
    expect([ran.status, ran.stderr]).toEqual([
      2,
      expect.stringMatching(/b\.yaml:4:\d+ {2}variations\.0\.values\.1: sim\/nobody/),
    ])
    const planned = await assay(['plan', 'b.yaml'], { cwd })
    expect([planned.status, planned.stdout]).toEqual([2, expect.stringContaining('sim/nobody')])
    const turns = '  - { type: scenario_parameter, parameter: turns, values: [2, -3] }\n'
    writeFileSync(join(cwd, 'b.yaml'), batch('[sim/firm]', turns))
    const bad = await assay(['run', 'b.yaml'], { cwd })
    expect([bad.status, bad.stderr]).toEqual([
      2,
      expect.stringMatching(/b\.yaml:5:\d+ {2}variations\.1\.values\.1: .*got -3/),
    ])
  })

  test('estimate counts the calls of a run', async () => {
    const cwd = project()
    writeFileSync(
      join(cwd, 'talkative.yaml'),
      `sim/talkative:
  price: { input: 1, output: 2 }
  tokens: { output: 30 }
  rules:
    - { purpose: talk, in: any, matches: 'You are Northgate Port', answer: "**TALK:** yes\\n**WITH:** residents\\n**MESSAGE:** hello\\n**ANSWER:** yes" }
    - { purpose: talk, answer: "**TALK:** yes\\n**WITH:** port-authority\\n**MESSAGE:** hello\\n**ANSWER:** yes" }
    - { purpose: world, matches: '(METRICS#\\w+):', answer: "**UPDATED WORLD STATE:** quiet\\n{1}: dues_eur=90; noise_db=50; agreement=yes; trust=8" }
    - { answer: "**ACTION:** wait\\n**UPDATED WORLD STATE:** quiet" }
`,
    )
    const all = ['port-authority', 'shipping-line', 'residents'].map(name => `actors.${name}.model=sim/talkative`)
    const given = [
      ...all,
      'world_state_model=sim/talkative',
      'summary_model=sim/talkative',
      'max_communications_per_turn=1',
    ].flatMap(one => ['--with', one])
    const line = [harbour, '--models', 'talkative.yaml', ...given]
    const { estimates } = JSON.parse((await assay(['scenario', 'estimate', ...line, '--json'], { cwd })).stdout)
    const ran = await assay(['scenario', 'run', ...line, '--json'], { cwd })
    expect(ran.status, ran.stderr).toBe(0)
    const folder = readdirSync(join(cwd, 'results')).find(name => name.startsWith('harbour')) ?? ''
    const [run = ''] = readdirSync(join(cwd, 'results', folder, 'runs'))
    const costs = jsonOf<{ records: unknown[]; total_cost: number }>(
      join(cwd, 'results', folder, 'runs', run, 'costs.json'),
    )
    expect(estimates[0].calls).toBe(costs.records.length)
    expect(estimates[0].usd).toBeGreaterThan(costs.total_cost * 0.7)
    expect(estimates[0].usd).toBeLessThan(costs.total_cost * 3)
    expect(estimates[0].at_most_usd).toBeGreaterThan(estimates[0].usd)
    expect(estimates[0].least_usd).toBeLessThan(estimates[0].usd)
    expect(estimates[0].own_seconds).toBeCloseTo(0.003 * costs.records.length)
  })

  test('run overrides values, and branches from a turn of an earlier run', async () => {
    const cwd = project()
    const first = await assay(
      ['scenario', 'run', harbour, ...models, '--with', 'turns=2,3', '--seeds', '1,2', '--json'],
      { cwd },
    )
    expect(summaryOf(first), first.stderr).toMatchObject({ planned: 4, completed: 4 })
    const dir = String(summaryOf(first).dir)
    const trunk = readdirSync(join(dir, 'runs')).find(name => name.includes('3')) ?? ''
    const branch = await assay(
      [
        'scenario',
        'run',
        harbour,
        ...models,
        '--branch-from',
        `${join(dir, 'runs', trunk)}:2`,
        '--with',
        'turns=4',
        '--json',
      ],
      { cwd },
    )
    expect(summaryOf(branch), branch.stderr).toMatchObject({ planned: 1, completed: 1 })
    const [run = ''] = readdirSync(join(String(summaryOf(branch).dir), 'runs'))
    const text = (folder: string, turn: number) => readFileSync(join(folder, `turns/00${turn}.json`), 'utf8')
    const place = join(String(summaryOf(branch).dir), 'runs', run)
    expect(text(place, 2)).toBe(text(join(dir, 'runs', trunk), 2))
    expect(existsSync(join(place, 'turns/004.json'))).toBe(true)
  })

  test('refuses a missing path', async () => {
    const { status, stderr } = await assay(
      ['scenario', 'run', harbour, ...models, '--with', 'actors.resident.model=sim/echo'],
      {
        cwd: project(),
      },
    )
    expect([status, stderr]).toEqual([2, expect.stringContaining('did you mean "residents"?')])
  })
})

describe('assay init --template scenario-batch', () => {
  test('asks for a batch, refuses wrong answers, and writes a working configuration', async () => {
    const cwd = project()
    const stdin = Object.assign(new PassThrough(), { isTTY: true })
    const io = fakeIo('init --template scenario-batch', { cwd, stdin, isTTY: true })
    stdin.write(
      `scenarios/none\n${harbour}\nscenarios/other.yaml\n\nMy study\n\nthree\n3\n2\n\nnone\n0.5\nresidnts\nresidents\n, ,\nsim/firm, sim/pragmatik\nsim/firm, sim/firm\nsim/firm, sim/pragmatic\n\nout/mine\n`,
    )
    expect(await runCli(io)).toBe(0)
    for (const refusal of [
      'there is no actor "residnts"; did you mean "residents"?',
      'scenarios/other.yaml',
      'expected the name of a model, or several',
      'sim/pragmatik: there is no such simulated model; did you mean "sim/pragmatic"?',
      'sim/firm is named twice',
    ])
      expect(io.stdout.text()).toContain(refusal)
    expect(readFileSync(join(cwd, 'out/mine/batch-config.yaml'), 'utf8')).toBe(`experiment_name: My study
base_scenario: scenarios/harbour-dues

runs_per_variation: 3
max_parallel: 2
timeout_per_run: 1800

cost_per_run_limit: 0.5

variations:
  - type: actor_model
    actor: residents
    values:
      - sim/firm
      - sim/pragmatic

output_dir: out/mine
save_individual_runs: true
aggregate_metrics: true

assay:
  models: scenarios/models.yaml
`)
    const { stdout, status } = await assay(['plan', 'out/mine/batch-config.yaml'], { cwd })
    expect([status, stdout]).toEqual([0, expect.stringContaining('planned_runs=6')])
  })

  test('uses defaults without a terminal, and requires a scenario', async () => {
    const cwd = project()
    expect((await assay(['init', '--template', 'scenario-batch'], { cwd })).status).toBe(0)
    const { status, stderr } = await assay(['run', 'experiments/harbour-dues-study/batch-config.yaml', '-q'], { cwd })
    expect([status, stderr]).toEqual([0, ''])
    const again = await assay(['init', '--template', 'scenario-batch'], { cwd })
    expect([again.status, again.stderr]).toEqual([2, expect.stringContaining('already there')])
    const none = await assay(['init', '--template', 'scenario-batch'], { cwd: folderWith() })
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('no folder with a scenario.yaml')])
  })
})

test('features that are only on or off may be written as true and false', async () => {
  const cwd = project()
  const file = join(cwd, harbour, 'scenario.yaml')
  const written = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    `${written}features: { communications: false, exogenous_events: false, metrics_extraction: true }\n`,
  )
  const valid = await assay(['scenario', 'validate', harbour, '--json'], { cwd })
  expect(JSON.parse(valid.stdout).scenario).toMatchObject({ events: [], metrics: { length: 4 } })
  writeFileSync(file, `${written}features: { communications: maybe }\n`)
  const bad = await assay(['scenario', 'validate', harbour], { cwd })
  expect([bad.status, bad.stderr]).toEqual([
    2,
    expect.stringMatching(/scenario\.yaml:\d+:\d+ {2}features\.communications: /),
  ])
})
