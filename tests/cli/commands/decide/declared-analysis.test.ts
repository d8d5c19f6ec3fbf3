import { expect, it } from 'vitest'
import type { Comparison } from '../../../../src/analyze/compare/compare.ts'
import { assay, complaint, folderWith } from '../../../support/assay.ts'
import { prepared } from '../../../support/prepared.ts'

/** The hasty variant is a little faster, and fails on the long tasks. */
const work = `export default ({ pace }, { block: { task } }) => {
  if (pace === 'hasty' && task > 12) throw new Error('gave up after ' + task + ' steps')
  return { latency_ms: 100 + 10 * task - (pace === 'hasty' ? 5 + (task % 3) : 0), quality: pace === 'hasty' ? 8 - task % 2 : 5 + task % 3 }
}
`
const experiment = `name: demo
target: { kind: function, module: work.mjs }
factors: { pace: [steady, hasty] }
blocks: { task: 1..20 }
metrics: { latency_ms: { goal: minimize, primary: true }, quality: { goal: maximize, range: [0, 10] } }
analysis: { baseline: { pace: steady }, missing: worst-rank }
`

const ran = prepared(async () => {
  const cwd = folderWith({ 'work.mjs': work, 'experiment.yaml': experiment })
  expect((await assay(['run', '-q'], { cwd })).status).toBe(1)
  return cwd
})

async function told(...words: string[]): Promise<Comparison> {
  const { stdout } = await assay(['compare', 'results/demo', '--json', ...words], { cwd: await ran() })
  return JSON.parse(stdout)
}

it('uses the file’s rule for failed runs', async () => {
  expect(await told()).toMatchObject({
    statistic: 'wins',
    estimate: expect.closeTo((12 - 8) / 20, 12),
    verdict: 'inconclusive',
    missing: { rule: 'worst-rank' },
    sentence: expect.stringContaining('; 8 runs of hasty count as worse than every value'),
  })
})

it('an option overrides the file', async () => {
  expect(await told('--missing', 'failed')).toMatchObject({ verdict: 'better', missing: { rule: 'failed' } })
  const bounds = await told('--metric', 'quality', '--missing', 'bounds')
  expect(bounds.missing).toMatchObject({ rule: 'bounds', bounds: { units: 20 } })
  expect(bounds.missing.bounds?.high).toBeCloseTo(
    bounds.missing.bounds === null ? 0 : (bounds.missing.bounds.low ?? 0) + 4,
    10,
  )
})

it('says what is missing for bounds', async () => {
  const ended = await assay(['compare', 'results/demo', '--missing', 'bounds'], { cwd: await ran() })
  expect(ended.status).toBe(2)
  expect(complaint(ended, { cwd: await ran() })).toContain('--missing bounds needs to know where latency_ms can lie')
})

it('the report uses the same rule', async () => {
  const { stdout } = await assay(['report', 'results/demo', '--json'], { cwd: await ran() })
  expect(stdout).toContain('count as worse than every value')
})

it('weights and strata work alike in the file and in options', async () => {
  const cwd = folderWith({
    'work.mjs': `export default ({ pace }, { block: { task } }) => ({ score: task + (pace === 'hasty' ? (task > 6 ? 3 : -1) + (task % 2) / 4 : 0), points: task > 6 ? 3 : 1 })`,
    'experiment.yaml': `name: demo
target: { kind: function, module: work.mjs }
factors: { pace: [steady, hasty] }
blocks: { task: 1..12 }
metrics: { score: { goal: maximize, primary: true } }
analysis:
  weights: points
  strata: { groups: { short: [1, 2, 3, 4, 5, 6], long: [7, 8, 9, 10, 11, 12] }, shares: { short: 0.9, long: 0.1 } }
`,
  })
  expect((await assay(['run', '-q'], { cwd })).status).toBe(0)
  const compared = async (...words: string[]): Promise<Comparison> =>
    JSON.parse((await assay(['compare', 'results/demo', '--json', ...words], { cwd })).stdout)
  const declared = await compared()
  expect(declared.estimate).toBeCloseTo(0.9 * -0.875 + 0.1 * 3.125, 10)
  expect(declared.weighting?.strata?.map(({ share }) => share)).toEqual([0.1, 0.9])
  const equal = Array.from({ length: 12 }, (_, at) => `${at + 1}=1`).join()
  const asked = await compared('--strata', 'points:1=0.5,3=0.5', '--weights', equal)
  expect(asked.estimate).toBeCloseTo(0.5 * -0.875 + 0.5 * 3.125, 10)
  const wrong = await assay(['compare', 'results/demo', '--weights', 'colour'], { cwd })
  expect(wrong.status).toBe(2)
})

it('metrics of a family are corrected together', async () => {
  const found = await told('--missing', 'failed', '--family', 'latency_ms,quality')
  expect(found).toMatchObject({ family: { metrics: ['latency_ms', 'quality'], tests: 2 }, correction: 'holm' })
  expect(found.sentence).toContain('after holm over 2 tests of latency_ms and quality')
  const wrong = await assay(['compare', 'results/demo', '--family', 'quality,cost_usd'], { cwd: await ran() })
  expect(complaint(wrong, { cwd: await ran() })).toContain('does not include the metric latency_ms')
})
