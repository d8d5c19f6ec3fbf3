import { describe, expect, it } from 'vitest'
import { armsFor } from '../../../src/analyze/arms.ts'
import type { Aim } from '../../../src/analyze/power/model.ts'
import { rolloutSpreadOf } from '../../../src/analyze/power/rollout-spread.ts'
import { cheapestRollouts, mostForBudget, planFor, sdWith } from '../../../src/analyze/power/rollouts.ts'
import { readingOf } from '../../../src/analyze/reading.ts'
import { tTestPower } from '../../../src/stats/power/t-test.ts'
import { aRun, evidenceWith } from '../evidence.ts'

const aim: Aim = { alpha: 0.05, power: 0.8, alternative: 'two-sided' }
const spread = { taskSd: 0.33, rolloutSd: 0.4 }
const costs = { task: 1, rollout: 0.2 }

describe('tasks and rollouts under a cost', () => {
  it('needs the 969 questions of Miller 2024, and two more for the t distribution', () => {
    const plan = planFor({ taskSd: 1 / 3, rolloutSd: 0 }, 0.03, costs, aim, 1)
    expect(plan).toMatchObject({ tasks: 971, rollouts: 1, runs: 1942 })
  })

  it('balances the costs: √(2 · rollout variance / task variance · task cost / cost of a pair of rollouts)', () => {
    const ideal = Math.sqrt(((2 * 0.4 ** 2) / 0.33 ** 2) * (1 / 0.4))
    const plan = cheapestRollouts(spread, 0.03, costs, aim)
    expect(plan).toMatchObject({ rollouts: Math.round(ideal), tasks: 1882 })
  })

  it('is the cheapest of all numbers of rollouts', () => {
    const best = cheapestRollouts(spread, 0.05, costs, aim)
    const others = Array.from({ length: 30 }, (_, at) => planFor(spread, 0.05, costs, aim, at + 1))
    const cheapest = Math.min(...others.map(plan => ('cost_usd' in plan ? plan.cost_usd : Infinity)))
    expect(best).toMatchObject({ cost_usd: cheapest })
  })

  it('stays within a budget, and uses it up', () => {
    const plan = mostForBudget(spread, 500, costs, aim)
    expect(plan).toMatchObject({ rollouts: 3, tasks: 227 })
    if (!('cost_usd' in plan)) throw new Error('expected a plan')
    expect(plan.cost_usd).toBeLessThanOrEqual(500)
    expect(cheapestRollouts(spread, plan.detectable ?? 0, costs, aim)).toMatchObject({ tasks: 227, rollouts: 3 })
  })

  describe('if tasks hardly differ, so that few tasks with many rollouts look cheap to the normal approximation', () => {
    const alike = { taskSd: 0, rolloutSd: 0.4 }
    const all = Array.from({ length: 1000 }, (_, at) => at + 1)

    it('is the cheapest of all designs', () => {
      expect(cheapestRollouts(alike, 0.03, costs, aim)).toMatchObject({ tasks: 47, rollouts: 62 })
      const isEnough = (tasks: number, rollouts: number) =>
        Number(tTestPower(0.1 / sdWith(alike, rollouts), { kind: 'paired', n: tasks }, aim)) >= aim.power
      let cheapest = Infinity
      for (const rollouts of all.slice(0, 130))
        for (let tasks = 2; tasks * (1 + 0.4 * rollouts) < cheapest; tasks++)
          if (isEnough(tasks, rollouts)) cheapest = tasks * (1 + 0.4 * rollouts)
      const best = cheapestRollouts(alike, 0.1, costs, aim)
      expect('cost_usd' in best ? best.cost_usd : null).toBeCloseTo(cheapest, 9)
    })

    it('has the most power of all designs within a budget', () => {
      const best = mostForBudget(alike, 100, costs, aim)
      const found = all.slice(0, 130).map(rollouts => mostForBudget(alike, 100, costs, aim, rollouts))
      const smallest = Math.min(...found.map(plan => ('detectable' in plan ? (plan.detectable ?? Infinity) : Infinity)))
      expect('detectable' in best ? best.detectable : null).toBeCloseTo(smallest, 9)
      expect(best).toMatchObject({ tasks: 16, rollouts: 13 })
    })

    it('is never more expensive than any other design shown', () => {
      for (const taskSd of [0, 0.05, 0.2])
        for (const task of [0.1, 20]) {
          const spent = { task, rollout: 0.2 }
          const best = cheapestRollouts({ taskSd, rolloutSd: 0.4 }, 0.08, spent, aim)
          const shown = [1, 2, 4, 8, 16].map(k => planFor({ taskSd, rolloutSd: 0.4 }, 0.08, spent, aim, k))
          const cheapestShown = Math.min(...shown.map(plan => ('cost_usd' in plan ? plan.cost_usd : Infinity)))
          expect('cost_usd' in best ? best.cost_usd : Infinity).toBeLessThanOrEqual(cheapestShown)
        }
    })
  })

  it('uses one rollout if they do not vary, and respects a given number', () => {
    expect(cheapestRollouts({ taskSd: 0.3, rolloutSd: 0 }, 0.1, costs, aim)).toMatchObject({ rollouts: 1 })
    expect(cheapestRollouts(spread, 0.1, costs, aim, 10)).toMatchObject({ rollouts: 10 })
  })

  it('has no plan for a budget of one task', () => {
    expect(mostForBudget(spread, 2, costs, aim)).toEqual({ unavailable: 'unreachable' })
  })

  it('has less spread with more rollouts, never less than tasks have', () => {
    expect(sdWith(spread, 1)).toBeCloseTo(Math.hypot(0.33, 0.4 * Math.SQRT2), 12)
    expect(sdWith(spread, 1e9)).toBeCloseTo(0.33, 4)
  })
})

describe('the spread of a pilot', () => {
  const runs = (values: Readonly<Record<string, readonly [readonly number[], readonly number[]]>>) =>
    Object.entries(values).flatMap(([task, arms]) =>
      arms.flatMap((scores, arm) =>
        scores.map((score, replicate) =>
          aRun({
            name: `${task}-${arm}-${replicate}`,
            params: { arm: arm === 0 ? 'a' : 'b' },
            block: { task },
            replicate: replicate + 1,
            metrics: { score },
          }),
        ),
      ),
    )
  const spreadFor = (all: ReturnType<typeof runs>, blocks = ['task']) => {
    const evidence = evidenceWith(all, { blocks })
    const { control, candidates } = armsFor(evidence, { control: { arm: 'a' }, candidates: [{ arm: 'b' }] })
    const [candidate = control] = candidates
    return rolloutSpreadOf(evidence, { control, candidate }, readingOf(evidence, {}))
  }

  it('subtracts the noise of rollouts from the differences between tasks', () => {
    const found = spreadFor(
      runs({
        one: [
          [0, 2],
          [3, 5],
        ],
        two: [
          [0, 2],
          [7, 9],
        ],
      }),
    )
    // Within: four pairs two apart, variance 2. Differences of means 3 and 7: variance 8, of which 2 / 2 + 2 / 2 is noise.
    expect(found).toMatchObject({ tasks: 2, rollouts: 2 })
    expect(found.rolloutSd).toBeCloseTo(Math.SQRT2, 12)
    expect(found.taskSd).toBeCloseTo(Math.sqrt(6), 12)
  })

  it('is never negative', () => {
    const found = spreadFor(
      runs({
        one: [
          [0, 10],
          [1, 11],
        ],
        two: [
          [5, 15],
          [6, 16],
        ],
      }),
    )
    expect(found.taskSd).toBe(0)
  })

  it('cannot be estimated from one rollout per task, one task, or no tasks', () => {
    expect(() => spreadFor(runs({ one: [[1], [2]], two: [[1], [3]] }))).toThrow('one rollout of each task')
    expect(() =>
      spreadFor(
        runs({
          one: [
            [1, 2],
            [2, 3],
          ],
        }),
      ),
    ).toThrow('two are needed')
    expect(() => spreadFor(runs({ one: [[1, 2], [2]], two: [[1], [3]] }), [])).toThrow('no tasks')
  })
})
