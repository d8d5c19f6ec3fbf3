import { describe, expect, it } from 'vitest'
import { normalDeviates } from '../../../src/analyze/calibrate/normal-deviates.ts'
import { defaultDrawing } from '../../../src/analyze/choices.ts'
import { clusteredRuns, clusteredValues } from '../../../src/analyze/variance/clustered.ts'
import { varianceReadings, variances } from '../../../src/analyze/variance/variance.ts'
import { precisionOf } from '../../../src/analyze/variance/variation.ts'
import { varianceLines } from '../../../src/cli/analysis/variance/variance-view.ts'
import { styler } from '../../../src/cli/views/style.ts'
import type { Observation } from '../../../src/define/observation.ts'
import { crossedMean, meanOf } from '../../../src/stats/index.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { evidenceWith, scored } from '../evidence.ts'

function varianceOf(runs: readonly Observation[], blocks: readonly string[]) {
  const evidence = evidenceWith(runs, { blocks, factors: [] })
  const readings = varianceReadings(evidence, { metric: 'score' })
  const [found] = variances(evidence, { readings, threshold: 0.05, level: 0.95, drawing: defaultDrawing })
  const [statistic] = found?.statistics ?? []
  if (found === undefined || statistic === undefined) throw new Error('expected a variant with values')
  const half = statistic.precision.find(({ n }) => n === statistic.values.length)?.half_width ?? 0
  return { found, statistic, half }
}

interface Design {
  readonly tasks: number
  readonly seeds: number
  readonly ofTask: number
  readonly ofSeed: number
}

/** Scores of mean 10; each seed shifts all its tasks. */
function scores({ tasks, seeds, ofTask, ofSeed }: Design, z: () => number, inner = 'seed'): readonly Observation[] {
  const shifts = Array.from({ length: seeds }, () => ofSeed * z())
  return Array.from({ length: tasks }, () => ofTask * z()).flatMap((own, task) =>
    shifts.map((shift, seed) => scored({}, { task: `t${task}`, [inner]: seed }, 10 + own + shift + z())),
  )
}

describe('runs of tasks', () => {
  const rollouts = scores({ tasks: 12, seeds: 5, ofTask: 2, ofSeed: 0 }, normalDeviates(counterRandom(3)), 'rollout')
  const { found, statistic, half } = varianceOf(rollouts, ['task', 'rollout'])

  it('count as tasks, and it is said', () => {
    expect(found).toMatchObject({ unit: 'task', runs: { length: 60 }, units: { length: 12 } })
    expect(statistic.values).toHaveLength(12)
    expect(found.sentence).toMatch(/between tasks.*; the mean over 12 tasks \(60 runs\) is known to ± /)
    expect(found.warnings).toEqual([
      '60 runs of 12 tasks count as 12 tasks, each by the mean of its runs, as in comparisons (--filter looks at one alone, --pair-by none counts every run for itself)',
    ])
    expect(statistic.within_sd).toBeGreaterThan(0.7)
    expect(statistic.within_sd).toBeLessThan(1.3)
    expect(half).toBeGreaterThan(2 * varianceOf(rollouts, []).half)
  })

  it('say the same if every row is pasted three times', () => {
    const pasted = [1, 2, 3].flatMap(() => rollouts)
    expect(varianceOf(pasted, ['task', 'rollout']).statistic.ci?.high).toBeCloseTo(statistic.ci?.high ?? 0, 10)
    expect(varianceOf(pasted, ['task', 'rollout']).half).toBeCloseTo(half, 10)
  })

  it('solved or not, are worth fewer independent runs', () => {
    const solved = rollouts.map(run => ({ ...run, metrics: { score: Number((run.metrics.score ?? 0) > 10) } }))
    const [clustered, alone] = [varianceOf(solved, ['task', 'rollout']), varianceOf(solved, [])]
    const width = ({ statistic: { share } }: typeof alone) => (share?.high ?? 0) - (share?.low ?? 0)
    expect(width(clustered)).toBeGreaterThan(1.3 * width(alone))
    expect(clustered.found.sentence).toMatch(/ of 60 runs \(12 tasks\) say yes/)
  })
})

describe('the same seeds in all tasks', () => {
  const runs = scores({ tasks: 20, seeds: 5, ofTask: 0.3, ofSeed: 0.7 }, normalDeviates(counterRandom(8)))
  const { found, statistic, half } = varianceOf(runs, ['task', 'seed'])
  const last = statistic.precision.find(({ n }) => n === 20)
  const ofTasksAlone = (statistic.sd ?? 0) / Math.sqrt(20)

  it('are in the standard error of the mean as in its interval', () => {
    const error = (last?.relative_standard_error ?? 0) * statistic.mean
    expect(error).toBeGreaterThan(2 * ofTasksAlone)
    const [cells = []] = clusteredValues(
      clusteredRuns(evidenceWith(runs, { blocks: ['task', 'seed'] }), runs),
      runs.map(run => run.metrics.score ?? 0),
    ).crossed.map(crossing => crossing.cells)
    const both = crossedMean(cells)
    expect(error).toBeCloseTo('standardError' in both ? both.standardError : 0, 10)
    expect(half / error).toBeGreaterThan(1.9)
    for (const { relative_half_width: width, relative_standard_error: one } of statistic.precision)
      expect(width ?? 0).toBeGreaterThanOrEqual(1.9 * (one ?? 0))
  })

  it('are named where the interval is given', () => {
    expect(statistic.crossed_with).toEqual(['seed'])
    expect(found.sentence).toMatch(
      /the mean over 20 tasks \(100 runs\) is known to ± [\d.]+% \(95% CI, tasks crossed with seeds\)$/,
    )
    expect(found.warnings).toEqual([
      expect.stringMatching(
        /\. The same seeds recur in the tasks and may shift them alike: the interval and the standard error of the mean allow for other seeds, the CV applies to these seeds only$/,
      ),
    ])
    const lines = varianceLines(found, 100, styler({ colour: false })).join('\n')
    expect(lines).toMatch(
      /mean .* \(95% CI, the widest by t over tasks, over seeds and over tasks crossed with seeds\)/,
    )
    expect(lines).not.toContain('by t)')
  })
})

describe('yes or no with unequal numbers of runs', () => {
  const runs = [9, 1, 1, 1, 1].flatMap((count, task) =>
    Array.from({ length: count }, (_, rollout) => scored({}, { task, rollout }, Number(task > 2 || rollout > 2))),
  )

  it('has the share of all runs and the mean of the tasks apart', () => {
    expect(varianceOf(runs, ['task', 'rollout']).found.sentence).toMatch(
      /^score is yes or no: 8 of 13 runs say yes \(61\.5%\), and the mean of 5 tasks, each counted once, is 53\.3% \(95% CI [\d.]+% to [\d.]+%\), and/,
    )
  })
})

it('seeds with one run each count as runs', () => {
  const runs = [1, 2, 3, 4].map(seed => scored({}, { seed }, 10 + seed))
  expect(varianceOf(runs, ['seed']).found).toMatchObject({ unit: 'run', units: null, warnings: [] })
})

it.each([
  ['rollouts of tasks', { tasks: 12, seeds: 5, ofTask: 1, ofSeed: 0 }, 'rollout'],
  ['the same seeds in all tasks', { tasks: 20, seeds: 5, ofTask: 0.3, ofSeed: 0.7 }, 'seed'],
] as const)('the interval of the mean holds the true one as often as it says: %s', (_, design, inner) => {
  const z = normalDeviates(counterRandom(8))
  const trials = 300
  let held = 0
  for (let trial = 0; trial < trials; trial++) {
    const runs = scores(design, z, inner)
    const values = runs.map(run => run.metrics.score ?? 0)
    const found = clusteredValues(clusteredRuns(evidenceWith(runs, { blocks: ['task', inner] }), runs), values)
    const half = precisionOf(found, 0.95).find(({ n }) => n === found.means.length)?.half_width ?? 0
    if (Math.abs(meanOf(values) - 10) <= half) held++
  }
  // With every run for itself it is 74% and 51%.
  expect(held / trials).toBeGreaterThan(0.92)
})
