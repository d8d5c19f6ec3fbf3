import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BatchAnalyzer } from '../../../../src/api/index.ts'
import { assay, complaint, folderWith } from '../../../support/assay.ts'
import { jsonOf } from '../../../support/files.ts'
import { prepared } from '../../../support/prepared.ts'

/** Failures, timeouts, costs and metrics that are missing. */
const work = `export default async ({ model, size }, { seed, report, signal }) => {
  report('cost_usd', model === 'large' ? 0.04 : 0.01)
  if (size === 'long' && model === 'small' && seed % 3 === 0) throw new RangeError('context is full')
  if (size === 'long' && seed % 5 === 0) await new Promise(resolve => signal.addEventListener('abort', resolve))
  const score = (model === 'large' ? 0.85 : 0.7) + 0.1 * ((seed * 37) % 10) / 10
  return seed % 7 === 0 ? { tokens: 100 } : { score, tokens: 100 + seed }
}
`
const experiment = `name: demo
target: { kind: function, module: work.mjs }
factors: { model: [small, large], size: [short, long] }
seeds: 1..10
limits: { jobs: 2, timeout: 5s }
metrics: { score: { goal: maximize, primary: true }, tokens: { goal: minimize } }
`

/** Its timeout is long, so that on a busy machine too only those are cut that wait for ever. */
const ran = prepared(async () => {
  const cwd = folderWith({ 'work.mjs': work, 'experiment.yaml': experiment })
  expect((await assay(['run', '-q'], { cwd })).status).toBe(1)
  return cwd
})

/** The stack position of a process does not belong into a golden file. */
const stable = (text: string): string =>
  text.replaceAll(/at MessagePort[^|,]*/g, 'at …').replace(/definition [0-9a-f]{64}/, 'definition …')

describe('assay analyze', () => {
  it('writes three files with Scenario Lab’s keys first, and prints the findings', async () => {
    const cwd = await ran()
    const { status, stdout, stderr } = await assay(['analyze', 'results/demo', '--success', 'score >= 0.8'], { cwd })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.split('\n')[0]).toContain('16 of 32 judged runs succeeded')
    expect(stdout).toContain('wrote: results/demo/analysis/patterns.json')
    const file = (name: string) =>
      jsonOf<Record<string, Record<string, unknown>>>(join(cwd, 'results/demo/analysis', name))
    const firstKeys = (value: object | undefined, count: number) => Object.keys(value ?? {}).slice(0, count)
    expect(readdirSync(join(cwd, 'results/demo/analysis'))).toEqual([
      'metrics-analysis.json',
      'patterns.json',
      'variation-statistics.json',
    ])
    expect(firstKeys(file('metrics-analysis.json').score, 6)).toEqual([
      'count',
      'mean',
      'median',
      'min',
      'max',
      'stdev',
    ])
    expect(firstKeys(file('variation-statistics.json')['1'], 7)).toEqual([
      'variation_id',
      'description',
      'total_runs',
      'successful_runs',
      'success_rate',
      'metrics',
      'cost',
    ])
    const patterns = file('patterns.json')
    expect(firstKeys(patterns, 8)).toEqual([
      'success_factors',
      'failure_modes',
      'cost_efficiency',
      'success_rate',
      'total_runs',
      'successful_runs',
      'failed_runs',
      'best_variation',
    ])
    expect(firstKeys(patterns.best_variation, 2)).toEqual(['variation_id', 'success_rate'])
  })

  it('with --report writes and prints the same page', async () => {
    const cwd = await ran()
    const { stdout } = await assay(['analyze', 'results/demo', '--report'], { cwd })
    expect(readFileSync(join(cwd, 'results/demo/analysis/analysis-report.md'), 'utf8')).toBe(stdout)
    await expect(stable(stdout)).toMatchFileSnapshot('./__golden__/analysis-report.md')
    const again = await assay(['analyze', 'results/demo', '--report'], { cwd })
    expect(again.stdout).toBe(stdout)
  })

  it('counts the cost of repeated attempts', async () => {
    const cwd = await ran()
    await assay(['run', '-q', '--retry-failed'], { cwd })
    const { stdout } = await assay(['analyze', 'results/demo', '--json'], { cwd })
    // 40 runs cost $1.00; 3 failures and 4 timeouts, tried again, another 5 × $0.01 + 2 × $0.04.
    expect(JSON.parse(stdout).patterns.cost).toMatchObject({ total: expect.closeTo(1.13, 9), known: 40, missing: 0 })
  })

  it('takes several experiments, and tables', async () => {
    const cwd = await ran()
    await assay(['run', '-q', '--exp-name', 'other'], { cwd })
    const both = await assay(['analyze', 'results/demo', 'results/other', '--json'], { cwd })
    const { patterns, files } = JSON.parse(both.stdout)
    expect(patterns.total_runs).toBe(80)
    expect(patterns.factor_contrasts.map((one: { factor: string }) => one.factor)).toContain('experiment')
    expect(files[0]).toBe(join(cwd, 'analysis', 'metrics-analysis.json'))
    await assay(['collect', 'results/demo', '--out-csv', 'runs.csv'], { cwd })
    const table = await assay(['analyze', 'runs.csv', '--group', 'model', '--metric', 'score', '--to', 'here'], { cwd })
    expect(table.status).toBe(0)
    expect(readdirSync(join(cwd, 'here'))).toHaveLength(3)
  })

  it('names no best variant with values for the easy tasks only', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => [`a,t${at},${at < 18 ? 1 : 0}`, `b,t${at},${at < 18 ? 1 : ''}`])
    const cwd = folderWith({ 'fc.csv': `g,task,y\n${rows.flat().join('\n')}\n` })
    const args = ['analyze', 'fc.csv', '--group', 'g', '--pair-by', 'task', '--success', 'y']
    const { stdout } = await assay([...args, '--to', 'here'], { cwd })
    const why = 'only one variant has a value for half of the 40 tasks or more (g=b lacks 22).'
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`- Nothing can be ranked on y: ${why}`)
    expect(stdout).not.toContain('is best')
    const report = await assay([...args, '--to', 'here', '--report'], { cwd })
    expect(report.stdout).toContain(`## Best Performing Variation\n\nNothing can be ranked by y: ${why}`)
  })

  it('reports an error in a rule', async () => {
    const cwd = await ran()
    const ended = await assay(['analyze', 'results/demo', '--success', 'score'], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toMatchInlineSnapshot(`
      "error: --success score: its values are not only 0 and 1, e.g. 0.77
      say how much is enough, e.g. --success 'score >= 0.77'"
    `)
  })
})

it('reads costs from the cost_usd column of a table', async () => {
  const cwd = folderWith({ 'table.csv': 'task,score,cost_usd\n1,0.5,0.01\n2,0.6,0.02\n3,0.7,0.03\n' })
  const { stdout } = await assay(['analyze', 'table.csv', '--json'], { cwd })
  const { patterns } = JSON.parse(stdout)
  expect(patterns.cost).toMatchObject({ total: expect.closeTo(0.06, 9), known: 3, missing: 0 })
  expect(stdout).not.toContain('no run recorded a cost')
})

it.each([
  ['oops', 'not a number: "oops"'],
  ['NaN', 'the value is NaN'],
])('names rows with %s in place of a number', async (text, reason) => {
  const table = (value: string) => folderWith({ 't.csv': `arm,score\na,1\na,2\na,${value}\nb,3\nb,4\nb,5\n` })
  const { stdout } = await assay(['analyze', 't.csv', '--group', 'arm'], { cwd: table(text) })
  expect(stdout).toContain(`! left out of score: 1 of 6 runs (${reason})`)
  const whole = await assay(['analyze', 't.csv', '--group', 'arm'], { cwd: table('2.5') })
  expect(whole.stdout).not.toContain('left out')
})

describe('BatchAnalyzer', () => {
  it('works as in Scenario Lab’s guide', async () => {
    const cwd = await ran()
    const analyzer = new BatchAnalyzer(join(cwd, 'results/demo'))
    expect(analyzer.collectRunData()).toHaveLength(40)
    const metrics = analyzer.calculateMetricStatistics()
    expect(metrics.score?.mean?.toFixed(2)).toBe('0.83')
    const comparison = analyzer.compareVariations('score')
    expect(comparison[0]?.description).toContain('model=large')
    expect(analyzer.compareVariations('tokens').at(0)?.mean).toBeLessThan(
      analyzer.compareVariations('tokens').at(-1)?.mean ?? 0,
    )
    const patterns = analyzer.identifyPatterns()
    expect(`${((patterns.success_rate ?? 0) * 100).toFixed(1)}%`).toBe('91.7%')
    expect(Object.keys(analyzer.calculateVariationStatistics())).toEqual(['1', '2', '3', '4'])
    expect(analyzer.generateAnalysisReport()).toContain('# Batch Analysis Report')
    expect(analyzer.saveAnalysisData()).toHaveLength(4)
    expect(() => analyzer.compareVariations('scor')).toThrow('no run has a metric "scor"')
    expect(() => new BatchAnalyzer(cwd)).toThrow('is not an experiment directory')
  })
})
