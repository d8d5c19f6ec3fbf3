import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith } from '../../../support/assay.ts'

const agent = `
const say = content => ({ model: 'sim/m', messages: [{ role: 'user', content }] })
export default async ({ style }, { block, models }) => {
  await models.call(say('plan task ' + block.task + ' x'.repeat(400)))
  await models.call(say(style + ' task ' + block.task + (style === 'long' ? ' y'.repeat(40) : '')))
  return { solved: 1 }
}
`
const definition = `
name: shared
target: { kind: function, module: agent.mjs, models: true }
factors: { style: [short, long] }
blocks: { task: 1..12 }
limits: { jobs: 1 }
models: { sim/m: { price: { input: 1000, output: 4000 }, rules: [{ contains: task, answer: one two three }] } }
metrics: { solved: { goal: maximize, primary: true } }
`

it('compares list prices, not which variant paid first for a shared call', async () => {
  const cwd = folderWith({ 'agent.mjs': agent, 'experiment.yaml': definition })
  expect((await assay(['run', '-q'], { cwd })).status).toBe(0)
  const compared = async (metric: string) =>
    JSON.parse((await assay(['compare', 'results/shared', '--metric', metric, '--json'], { cwd })).stdout)
  const [cost, paid] = [await compared('cost_usd'), await compared('paid_usd')]
  expect(cost).toMatchObject({ verdict: 'worse', metric: 'cost_usd' })
  // The second variant of a task pays for its own call alone.
  expect(Math.abs(paid.estimate - cost.estimate)).toBeGreaterThan(cost.estimate)
  expect(cost.warnings.join()).toContain('--metric paid_usd')

  const { stdout } = await assay(['analyze', 'results/shared', '--json'], { cwd })
  const { variations, patterns } = JSON.parse(stdout)
  expect(variations[2].cost.total - variations[1].cost.total).toBeCloseTo(12 * cost.estimate, 9)
  expect(patterns.cost.paid).toBeLessThan(patterns.cost.total)
  expect(patterns.findings.map(({ sentence }: { sentence: string }) => sentence).join()).toContain(
    'came from the cache',
  )
})

const restless = `
import { existsSync, writeFileSync } from 'node:fs'
export default async ({ style }, { block, models }) => {
  const marker = new URL('./' + style + block.task, import.meta.url)
  await models.call({ model: 'sim/m', messages: [{ role: 'user', content: style + ' task ' + block.task + (existsSync(marker) ? ' again' : '') }] })
  const isFirst = style === 'long' && !existsSync(marker)
  writeFileSync(marker, '')
  if (isFirst) throw new Error('try again')
  return { solved: 1 }
}
`

it('counts the cost of repeated attempts', async () => {
  const file = definition.replace('jobs: 1', 'jobs: 1, retries: 1').replace('1..12', '1..3')
  const cwd = folderWith({ 'agent.mjs': restless, 'experiment.yaml': file })
  expect((await assay(['run', '-q'], { cwd })).status).toBe(0)
  const { stdout } = await assay(['compare', 'results/shared', '--metric', 'cost_usd', '--json'], { cwd })
  const { arms, warnings } = JSON.parse(stdout)
  expect(arms.candidate.mean).toBeGreaterThan(1.9 * arms.control.mean)
  expect(warnings.join()).not.toContain('list price')
})

it('uses the costs in a table', async () => {
  const cwd = folderWith({})
  const rows = Array.from({ length: 8 }, (_, at) => `a,t${at},${0.1 + at / 100}\nb,t${at},${0.2 + at / 90}`)
  writeFileSync(join(cwd, 'costs.csv'), ['model,task,cost_usd', ...rows].join('\n'))
  const { stdout } = await assay(['analyze', 'costs.csv', '--group', 'model', '--pair-by', 'task', '--json'], { cwd })
  const { patterns } = JSON.parse(stdout)
  expect(patterns.cost).toMatchObject({ known: 16, missing: 0 })
  expect(patterns.cost_per_success.value).toBeGreaterThan(0.1)
})
