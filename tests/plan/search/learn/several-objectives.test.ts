import { describe, expect, test } from 'vitest'
import { paretoFront } from '../../../../src/analyze/search/trials.ts'
import type { Objective } from '../../../../src/define/experiment.ts'
import { observed, recordOf } from '../../../../src/define/observation.ts'
import type { Run } from '../../../../src/define/run.ts'
import { plannerFor } from '../../../../src/plan/plan.ts'
import { lossesFor } from '../../../../src/plan/search/learn/loss.ts'
import type { Trial } from '../../../../src/plan/search/learn/trials.ts'
import { seededRandom } from '../../../../src/util/random.ts'
import { experimentWith, factor } from '../../experiment.ts'
import { searching } from '../spaces.ts'

const objectives: readonly Objective[] = [
  { metric: 'loss', goal: 'minimize' },
  { metric: 'speed', goal: 'maximize' },
]
const unit = { kind: 'uniform', min: 0, max: 1, scale: 'linear', step: null } as const

/** Fonseca and Fleming's problem in two dimensions, with one objective turned round; its front bends inwards. */
function measured({ params }: Run): Record<string, number> {
  const [x, y] = [Number(params.x) * 8 - 4, Number(params.y) * 8 - 4]
  const away = (at: number) => 1 - Math.exp(-((x - at) ** 2) - (y - at) ** 2)
  return { loss: away(Math.SQRT1_2), speed: -away(-Math.SQRT1_2) }
}

/** How much of the unit square the front dominates: larger is better. */
function areaOf(found: readonly Record<string, number>[]): number {
  const front = paretoFront(
    found.map(values => ({ values })),
    objectives,
  )
  let area = 0
  let left = 1
  for (const { values } of front.toReversed()) {
    area += (left - (values.loss ?? 1)) * (1 + (values.speed ?? -1))
    left = values.loss ?? 1
  }
  return area
}

function searched(
  method: 'bayes' | 'tpe' | 'random',
  also: readonly Objective[],
  seed: number,
): Record<string, number>[] {
  const experiment = experimentWith({
    factors: [
      { ...factor('x', []), domain: unit },
      { ...factor('y', []), domain: unit },
    ],
    search: searching(method, { max_runs: 40, also }),
    metrics: [],
  })
  const selection = { filters: [], first: null, shard: null }
  const planner = plannerFor(experiment, { order: 'listed', seed, selection })
  let state = planner.start()
  const found: Record<string, number>[] = []
  for (;;) {
    const answer = planner.ask(state, 1)
    if (typeof answer === 'string') return found
    const news = answer.runs.map(({ run }) => {
      const metrics = measured(run)
      found.push(metrics)
      return observed({ ...recordOf(run), metrics })
    })
    state = planner.tell(JSON.parse(JSON.stringify(answer.state)), news)
  }
}

describe('several objectives', () => {
  test('the loss weighs them by shares that add up, scaled to observed values, for either goal', () => {
    const trials: readonly Trial[] = [
      { point: [0], asked: 1, results: [[10, 1]] },
      { point: [1], asked: 1, results: [[20, 5]] },
      { point: [2], asked: 1, results: ['failed'] },
    ]
    const search = { ...searching('bayes', { also: objectives.slice(1) }), metric: 'loss' }
    const { loss, trade } = lossesFor(trials, search, seededRandom(3))
    const [, first = 0, second = 0] = (/^loss (\d+)%, speed (\d+)%$/.exec(trade ?? '') ?? []).map(Number)
    expect(first + second).toBe(100)
    expect(loss([10, 5])).toBe(0)
    expect(loss([20, 5]) + loss([10, 1])).toBeCloseTo(1.05, 12)
    // Shares are rounded to whole percent.
    expect(Math.abs(loss([20, 5]) - 1.05 * (first / 100))).toBeLessThanOrEqual(1.05 * 0.005)
    expect(Math.abs(loss([10, 1]) - 1.05 * (second / 100))).toBeLessThanOrEqual(1.05 * 0.005)
    expect(loss([20, 1])).toBeGreaterThan(Math.max(loss([20, 5]), loss([10, 1])))
  })

  test.each(['bayes', 'tpe'] as const)(
    '%s finds a larger front than random search, and than one objective alone',
    method => {
      const mean = (area: (seed: number) => number) => [1, 2, 3].map(area).reduce((sum, one) => sum + one / 3, 0)
      const both = mean(seed => areaOf(searched(method, objectives.slice(1), seed)))
      expect(both).toBeGreaterThan(mean(seed => areaOf(searched('random', [], seed))))
      expect(both).toBeGreaterThan(mean(seed => areaOf(searched(method, [], seed))))
    },
  )
})
