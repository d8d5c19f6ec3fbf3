import { describe, expect, it } from 'vitest'
import { assay, eventsOf, folderWith, summaryOf } from '../../../support/assay.ts'

const withMetric = (metric: string, more = '') => ({
  'experiment.yaml': `name: e
target: { kind: function, module: work.mjs }
factors: { x: [1, 2, 3] }
metrics: { ${metric} }
${more}`,
  'work.mjs': 'export default ({ x }) => (x === 2 ? { score: 1 } : { other: 1 })\n',
})

describe('the primary metric', () => {
  it('missing from every run makes run exit 1 with the reason', async () => {
    const cwd = folderWith(withMetric('scoer: { goal: maximize, primary: true }'))
    const ended = await assay(['run', '--json'], { cwd })
    expect(ended.status).toBe(1)
    expect(summaryOf(ended)).toMatchObject({ completed: 3, exit_code: 1 })
    const notices = eventsOf(ended).flatMap(({ kind, message }) => (kind === 'notice' ? [String(message)] : []))
    expect(notices.join('\n')).toMatch(/no run has a value of scoer, the primary metric; e\.g\. x-\d.*: .*scoer/)
    expect((await assay(['run', '-q'], { cwd })).status).toBe(1)
  })

  it('missing from some runs is a warning', async () => {
    const cwd = folderWith(withMetric('score: { goal: maximize, primary: true }'))
    const ended = await assay(['run', '-q'], { cwd })
    expect(ended.status).toBe(0)
    expect(ended.stderr).toContain('2 completed runs lack a metric')
  })

  it('another metric may be missing from every run', async () => {
    const cwd = folderWith(withMetric('score: { goal: maximize, primary: true }, third: { goal: minimize }'))
    expect((await assay(['run', '-q'], { cwd })).status).toBe(0)
  })
})

describe('a rate without effect', () => {
  const warnings = async (rate: string, target = '{ kind: command, command: ["true"] }') => {
    const cwd = folderWith({ 'experiment.yaml': `name: e\ntarget: ${target}\nlimits: { rate: { ${rate} } }\n` })
    return [(await assay(['run', '-q'], { cwd })).stderr, (await assay(['plan'], { cwd })).stdout]
  }

  it('for a misspelt provider is reported with the provider probably meant', async () => {
    for (const said of await warnings('opneai: 5rpm'))
      expect(said).toContain('no provider is called "opneai", so its rate has no effect: did you mean "openai"?')
  })

  it('for runs that call no models through assay is reported, too', async () => {
    for (const said of await warnings('openai: 5rpm'))
      expect(said).toContain('the rate of openai has no effect: runs of a command target do not call models')
  })

  it('of a prompt target is reported if no similar provider is used', async () => {
    const target = '{ kind: prompt, prompts: [Say hello.], models: [sim/echo] }'
    const [run] = await warnings('mistrall: 5rpm', target)
    expect(run).toContain('no provider is called "mistrall"')
    const [fine] = await warnings('openai: 5rpm', target)
    expect(fine).not.toContain('has no effect')
  })
})

describe('plan of a search', () => {
  const search = {
    'experiment.yaml': `name: s
target: { kind: function, module: work.mjs }
factors: { x: { min: 0, max: 1 } }
search: { method: tpe, metric: loss, goal: minimize, max_runs: 20 }
metrics: { loss: { goal: minimize } }
`,
    'work.mjs': 'export default ({ x }) => ({ loss: (x - 0.3) ** 2 })\n',
  }

  it('that is finished reports that nothing is left', async () => {
    const cwd = folderWith(search)
    await assay(['run', '-q'], { cwd })
    const { stdout } = await assay(['plan'], { cwd })
    expect(stdout).toContain('planned_runs=20 to_run=0 skipped=20')
    expect(stdout).toContain('it has made its 20 runs')
  })

  it('that is in progress counts its finished runs', async () => {
    const cwd = folderWith(search)
    await assay(['run', '-q', '--first', '14'], { cwd })
    const { stdout } = await assay(['plan'], { cwd })
    expect(stdout).toContain('planned_runs=20 to_run=6 skipped=14')
    expect(stdout).toContain('it has made 14 runs; the other 6 depend on results')
  })
})
