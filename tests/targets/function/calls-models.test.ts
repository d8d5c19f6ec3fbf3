import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defineExperiment } from '../../../src/api/define-experiment.ts'
import { run } from '../../../src/api/run.ts'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'

const agent = `
export default async function agent({ model }, { models, block }) {
  const { text } = await models.call({ model, messages: [{ role: 'user', content: 'Question ' + block.n }], max_output_tokens: 50 })
  return { length: text.length }
}
`
const priced = 'models: { sim/a: { price: { input: 1, output: 10 }, rules: [{ answer: "one two three" }] } }'
const experiment = (more: string) => ({
  'agent.mjs': agent,
  'experiment.yaml': `name: e\ntarget: { kind: function, module: agent.mjs }\nblocks: { n: [1, 2, 3, 4, 5, 6, 7, 8] }\n${more}\n`,
})

describe('a function that calls models', () => {
  test('keeps a budget without a cap per run, and continues after a stop', async () => {
    const cwd = folderWith(
      experiment(`factors: { model: [sim/a] }\n${priced}\nlimits: { budget_usd: 0.0006, jobs: 1 }`),
    )
    const stopped = await assay(['run', '--json'], { cwd })
    expect(stopped.status, stopped.stderr).toBe(3)
    const { completed, cost_usd, overrun_usd } = summaryOf(stopped)
    expect(completed).toBeGreaterThan(0)
    expect(completed).toBeLessThan(8)
    expect(cost_usd).toBeLessThanOrEqual(0.0006)
    expect(overrun_usd).toBe(0)
    const whole = await assay(['run', '--json', '--budget', '1'], { cwd })
    expect(whole.status, whole.stderr).toBe(0)
    expect(summaryOf(whole)).toMatchObject({ completed: 8, overrun_usd: 0 })
  })

  test('is recognised by settings for models, by known names of the factor model, or by declaration', async () => {
    const limits = 'limits: { budget_usd: 1 }'
    const ways = [
      `factors: { model: [sim/a] }\n${priced}`,
      'factors: { model: [sim/small, sim/large] }',
      'params: { model: sim/small }',
    ]
    for (const way of ways) {
      const planned = await assay(['plan', '--json'], { cwd: folderWith(experiment(`${way}\n${limits}`)) })
      expect(planned.status, way + planned.stdout + planned.stderr).toBe(0)
    }
    const unsaid = await assay(['plan'], {
      cwd: folderWith(experiment(`factors: { model: [linear, tree] }\n${limits}`)),
    })
    expect(unsaid.status).toBe(2)
    expect(unsaid.stderr).toContain('run_budget_usd')
    expect(unsaid.stderr).toContain('models: true')
  })

  test('models under target are the factor model; false means that it pays by itself', async () => {
    const files = experiment('limits: { budget_usd: 1 }')
    const target = (models: string) => ({
      ...files,
      'experiment.yaml': files['experiment.yaml'].replace('agent.mjs }', `agent.mjs, models: ${models} }`),
    })
    const listed = await assay(['plan', '--json'], { cwd: folderWith(target('[sim/small, sim/large]')) })
    expect(JSON.parse(listed.stdout)).toMatchObject({ planned: 16, variants: 2 })
    const both = target('[sim/small]')
    const twice = { ...both, 'experiment.yaml': `${both['experiment.yaml']}params: { model: sim/large }\n` }
    expect((await assay(['plan'], { cwd: folderWith(twice) })).stderr).toContain(
      '"model" is a factor or parameter already',
    )
    const denied = await assay(['plan'], { cwd: folderWith(target('false')) })
    expect(denied.stderr).toContain('run_budget_usd')
  })

  test('that reports its own cost fails if only its calls keep the budget', async () => {
    const files = experiment(`factors: { model: [sim/a] }\n${priced}\nlimits: { budget_usd: 10 }`)
    const cwd = folderWith({ ...files, 'agent.mjs': files['agent.mjs'].replace('{ length', '{ cost_usd: 0.2, length') })
    const first = await assay(['run', '--json', '--first', '1'], { cwd })
    expect(summaryOf(first)).toMatchObject({ failed: 1 })
    expect(summaryOf(first).cost_usd).toBeGreaterThan(0.2)
    expect(first.stdout).toContain('it reported a cost of $0.2 itself')
    const capped = await assay(['run', '--json', '--run-budget', '0.5', '--retry-failed'], { cwd })
    expect(summaryOf(capped), capped.stderr).toMatchObject({ completed: 8, failed: 0 })
  })

  test('a misspelt model is refused before anything is paid for', async () => {
    const cwd = folderWith(experiment(`factors: { model: [sim/a, sim/b] }\n${priced}`))
    const ended = await assay(['run', '--json'], { cwd })
    expect(ended.status).toBe(2)
    expect(ended.stderr + ended.stdout).toContain('sim/b')
  })

  test('a level changes with the settings of its model', async () => {
    const text = (answer: string) =>
      `factors: { model: [sim/a, sim/small] }\nmodels: { sim/a: { rules: [{ answer: ${answer} }] } }`
    const cwd = folderWith(experiment(text('one')))
    expect(summaryOf(await assay(['run', '--json'], { cwd }))).toMatchObject({ completed: 16, attempts: 16 })
    writeFileSync(join(cwd, 'experiment.yaml'), experiment(text('three'))['experiment.yaml'])
    expect(summaryOf(await assay(['run', '--json'], { cwd }))).toMatchObject({ completed: 16, reused: 8 })
  })

  test('records its calls, and replays them without model and key', async () => {
    const cwd = folderWith(experiment(`factors: { model: [sim/a] }\n${priced}`))
    const recorded = await assay(['run', '--json', '--record', 'tape'], { cwd })
    expect(recorded.status, recorded.stderr).toBe(0)
    const replayed = await assay(['run', '--json', '--replay', 'tape', '--out-root', 'again'], { cwd })
    expect(summaryOf(replayed), replayed.stderr).toMatchObject({ completed: 8, cost_usd: 0 })
    const rehearsed = await assay(['run', '--json', '--rehearse'], { cwd })
    expect(summaryOf(rehearsed), rehearsed.stderr).toMatchObject({ completed: 8 })
  })
})

describe('an inline function', () => {
  const inline = (folder: string, budget_usd = 1) =>
    run(
      defineExperiment(
        {
          name: 'inline',
          factors: { model: ['sim/small'] },
          seeds: [1, 2, 3],
          limits: { budget_usd, jobs: 1 },
          target: async ({ model }, { models, report }) => {
            const messages = [{ role: 'user', content: 'What is a harbour for?' }] as const
            const heard: string[] = []
            const { text } = await models.call(
              { model, messages },
              { onDelta: delta => void heard.push(delta.type === 'text' ? delta.text : '') },
            )
            report('own_calls', models.totals().calls)
            return { same: heard.join('') === text }
          },
        },
        { folder },
      ),
      { dir: join(folder, 'results', 'inline') },
    )

  test('calls models on the account of its run, with cache and trace', async () => {
    const { summary, runs, dir } = await inline(folderWith())
    expect(summary).toMatchObject({ completed: 3, overrun_usd: 0 })
    expect(summary.cost_usd).toBeGreaterThan(0)
    expect(runs.map(({ metrics }) => metrics.same)).toEqual([1, 1, 1])
    expect(runs.every(({ metrics }) => (metrics as { cost_usd?: number }).cost_usd !== 0)).toBe(true)
    const trace = join(dir, 'runs', runs[0]?.name ?? '', 'trace.jsonl')
    expect(readFileSync(trace, 'utf8')).toContain('What is a harbour for?')
  })

  test('is stopped by the budget', async () => {
    const { summary, exitCode } = await inline(folderWith(), 1e-6)
    expect(exitCode).toBe(3)
    expect(summary).toMatchObject({ completed: 0, cost_usd: 0 })
  })
})
