import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, assayProcess, folderWith, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'

/** TypeScript, as people write it: types are stripped by Node. */
const target = `import { mkdirSync, writeFileSync } from 'node:fs'
interface Spec { readonly kind: string; readonly times: number }
export default {
  kind: 'multiply',
  schema: {
    safeParse(value: Spec) {
      return typeof value.times === 'number'
        ? { success: true, data: value }
        : { success: false, error: { issues: [{ path: ['times'], message: 'expected a number' }] } }
    },
  },
  bound: (_: Spec, run?: { params: { x: number } }) => (run?.params.x === 1 ? 0 : 0.4),
  async execute({ times }: Spec, run: { params: { x: number } }, context: any) {
    const { out_dir } = context.makeDirectory()
    mkdirSync(out_dir, { recursive: true })
    writeFileSync(out_dir + '/answer.txt', 'answer: ' + times * run.params.x)
    context.report({ metric: 'product', value: times * run.params.x, step: null })
    return { kind: 'completed' }
  },
}
`
const definition = (more = '') => `name: e
targets: [./multiply.ts]
target: { kind: multiply, times: 3 }
factors: { x: [1, 2, 3, 4] }
metrics: { product: { goal: maximize } }
${more}`

function project(files: Readonly<Record<string, string>> = {}) {
  const cwd = folderWith({ 'experiment.yaml': definition(), 'multiply.ts': target, ...files })
  return {
    cwd,
    dir: join(cwd, 'results', 'e'),
    write: (name: string, text: string) => writeFileSync(join(cwd, name), text),
    run: (...args: string[]) => assay(['run', '--json', ...args], { cwd }),
    /** In a separate process, because this one has loaded an older version of the module. */
    runAnew: (...args: string[]) => assayProcess(['run', '--json', ...args], { cwd }),
    metrics: (name: string) =>
      journalRows<{ value: number }>(
        join(cwd, 'results', 'e'),
        `SELECT m.value FROM metrics m WHERE m.name = '${name}' ORDER BY m.value`,
      ).map(({ value }) => value),
  }
}

describe('a custom target', () => {
  it('works in run, plan and why like any other', async () => {
    const p = project()
    expect(summaryOf(await p.run())).toMatchObject({ planned: 4, completed: 4 })
    expect(p.metrics('product')).toEqual([3, 6, 9, 12])
    expect(summaryOf(await assay(['run', '--json'], p))).toMatchObject({ completed: 4, reused: 4, attempts: 4 })
    const plan = await assay(['plan', '--json'], { cwd: p.cwd })
    expect(JSON.parse(plan.stdout).runs[0]).toMatchObject({ command: ['multiply', expect.stringContaining('"x"')] })
  })

  it('is found from its directory by run, why and a worker', async () => {
    const p = project()
    expect((await assay(['sweep', 'experiment.yaml'], p)).status).toBe(0)
    expect((await assay(['worker', p.dir, '--count', '2'], p)).status).toBe(0)
    expect(summaryOf(await assay(['run', p.dir, '--json'], p))).toMatchObject({
      completed: 4,
      reused: 2,
    })
    const [run] = journalRows<{ name: string }>(p.dir, 'SELECT name FROM runs')
    expect((await assay(['why', p.dir, run?.name ?? ''], { cwd: p.cwd })).stdout).toContain('reuses it')
  })

  it('makes finished runs stale when changed, and a worker refuses it', async () => {
    const p = project()
    await p.run()
    p.write('multiply.ts', `${target}// other\n`)
    const again = await p.runAnew()
    expect(again.status).toBe(2)
    expect(again.stdout + again.stderr).toContain('multiply.ts changed')
    const worker = await assayProcess(['worker', p.dir], { cwd: p.cwd })
    expect(worker.status).toBe(2)
    expect(worker.stderr).toContain('./multiply.ts changed since the experiment was planned')
    expect(summaryOf(await p.runAnew('--stale', 'rerun'))).toMatchObject({ completed: 4, attempts: 8 })
  })

  it('states the maximum cost of each run, which the budget reserves', async () => {
    const p = project({ 'experiment.yaml': definition('limits: { budget_usd: 1.3, jobs: 1 }\norder: listed\n') })
    expect(summaryOf(await p.run())).toMatchObject({ completed: 4 })
    expect(journalRows(p.dir, `SELECT reserved_usd, cap_usd FROM attempts ORDER BY id`)).toEqual([
      { reserved_usd: 0, cap_usd: 0 },
      ...Array.from({ length: 3 }, () => ({ reserved_usd: 0.4, cap_usd: 0.4 })),
    ])
  })
})

describe('an invalid module is reported with its place in the file', () => {
  it.each([
    [
      'export default { kind: 7 }',
      [
        'experiment.yaml:2',
        'expected a target',
        'kind: expected text, got number',
        'execute: expected a function, got nothing',
      ],
    ],
    ['export const a = 1', ['export "a"', 'got number']],
    ["export default { kind: 'command', execute() {} }", ['"command" is built in already']],
    ['throw new Error("no key")', ["can't be loaded: no key"]],
    ['', ['exports nothing']],
  ])('%s', async (text, expected) => {
    const p = project({ 'multiply.ts': text })
    const { status, stderr } = await assay(['plan'], { cwd: p.cwd })
    expect(status).toBe(2)
    for (const part of expected) expect(stderr).toContain(part)
  })

  it('a missing module, and settings that its schema refuses', async () => {
    const p = project({ 'experiment.yaml': definition().replace('./multiply.ts', './other.ts') })
    expect((await assay(['plan'], { cwd: p.cwd })).stderr).toContain('module "./other.ts" was not found')
    p.write('experiment.yaml', definition().replace('times: 3', 'times: three'))
    const { stderr } = await assay(['plan'], { cwd: p.cwd })
    expect(stderr).toContain('experiment.yaml:3')
    expect(stderr).toContain('times: expected a number')
  })
})

const planner = `export const descending = {
  method: 'descending',
  make({ search }, options, { listed }) {
    const runs = listed()
    const most = Math.min(search.max_runs ?? runs.count, runs.count)
    return {
      learns: false,
      start: () => 0,
      tell: state => state,
      ask: (state, wanted) => state >= most ? 'done' : {
        state: Math.min(most, state + wanted),
        runs: Array.from({ length: Math.min(wanted, most - state) }, (_, at) => ({
          run: runs.at(runs.count - 1 - state - at),
          why: 'from ' + search.settings.from,
        })),
      },
      count: () => most,
      certain: () => most,
    }
  },
}
`

it('a custom planner proposes the runs, with its settings; another one is another plan', async () => {
  const search =
    'planners: [./descending.mjs]\nsearch: { method: descending, max_runs: 2, settings: { from: top } }\norder: listed\n'
  const p = project({ 'experiment.yaml': definition(search), 'descending.mjs': planner })
  expect(summaryOf(await p.run())).toMatchObject({ planned: 2, completed: 2 })
  expect(p.metrics('product')).toEqual([9, 12])
  expect(journalRows(p.dir, 'SELECT DISTINCT why FROM runs')).toEqual([{ why: 'from top' }])
  p.write('descending.mjs', planner.replace('runs.count - 1 - state - at', 'state + at'))
  expect(summaryOf(await p.runAnew())).toMatchObject({ planned: 2, completed: 2, reused: 0 })
  expect(p.metrics('product')).toEqual([3, 6, 9, 12])
})

it('a custom planner gets its state as stored in the journal, even between steps', async () => {
  const keepsDate = `export const dated = {
  method: 'dated',
  make(part, options, { listed }) {
    return {
      learns: true,
      start: () => ({ at: 0, since: new Date(0) }),
      tell: state => state,
      ask({ at, since }) {
        if (at >= 3) return 'done'
        return { state: { at: at + 1, since: new Date(0) }, runs: [{ run: listed().at(at), why: typeof since }] }
      },
      count: () => 3,
      certain: () => 3,
    }
  },
}
`
  const p = project({
    'experiment.yaml': definition('planners: [./dated.mjs]\nsearch: { method: dated }\nlimits: { jobs: 1 }\n'),
    'dated.mjs': keepsDate,
  })
  expect(summaryOf(await p.run())).toMatchObject({ completed: 3 })
  expect(journalRows(p.dir, 'SELECT why FROM runs')).toEqual([{ why: 'string' }, { why: 'string' }, { why: 'string' }])
})

it('a custom metric source reads in a thread; a value that it can’t read is a reason, not 0', async () => {
  const source = `export default {
  kind: 'answer',
  read(runDir, metric, { file }) {
    const text = require('node:fs').readFileSync(runDir + '/' + file, 'utf8')
    const value = Number(text.split(': ')[1])
    return value > 9 ? { wrong: true } : { readings: [{ metric, value }] }
  },
}
`.replace('export default', 'module.exports =')
  const metrics = 'metrics: { answer: { source: answer, settings: { file: out/answer.txt } } }\n'
  const p = project({
    'experiment.yaml': definition().replace(/metrics:.*\n/, `metric_sources: [./answer.cjs]\n${metrics}`),
    'answer.cjs': source,
  })
  expect(summaryOf(await p.run())).toMatchObject({ completed: 4 })
  expect(journalRows(p.dir, `SELECT value, problem FROM metrics WHERE name = 'answer' ORDER BY value`)).toEqual([
    { value: null, problem: expect.stringContaining('the metric source "answer" gave no reading') },
    ...[3, 6, 9].map(value => ({ value, problem: null })),
  ])
})

it('a custom stopper ends runs with a reason', async () => {
  const stopper = `export default {
  type: 'above',
  make: ({ most }) => running =>
    running.filter(({ values }) => values.at(-1) > most).map(({ run }) => ({ run: run.name, reason: 'above ' + most })),
}
`
  const p = project({
    'experiment.yaml': `name: e
target: { kind: function, module: ./steps.mjs }
stoppers: [./above.mjs]
factors: { x: [1, 100] }
metrics: { loss: { goal: minimize } }
search: { method: grid, metric: loss, early_stop: { type: above, settings: { most: 50 } } }
`,
    'above.mjs': stopper,
    'steps.mjs': `export default async ({ x }, { report, signal }) => {
  report('loss', x, 0)
  if (x > 50) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
}
`,
  })
  expect(summaryOf(await p.run())).toMatchObject({ completed: 1, stopped_early: 1 })
  expect(
    journalRows<{ data: string }>(p.dir, `SELECT data FROM events WHERE kind = 'stopped_early'`)[0]?.data,
  ).toContain('above 50')
})
