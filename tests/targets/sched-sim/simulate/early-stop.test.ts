import { expect, test } from 'vitest'
import { defaultModel } from '../../../../src/targets/sched-sim/model/default-model.ts'
import { earlyStop } from '../../../../src/targets/sched-sim/simulate/early-stop.ts'
import { simulate } from '../../../../src/targets/sched-sim/simulate/simulation.ts'
import { settingsWith } from '../support/settings.ts'

/** How many of 1,000 workflows (seeds 1 to 10, 100 of each) stop after one, two and three iterations. */
function iterationsUsed(pdfs: number, subqueries: number): readonly number[] {
  const used = [0, 0, 0]
  for (let seed = 1n; seed <= 10n; seed++) {
    const mayStop = earlyStop(defaultModel.early_stop, seed, { pdfs, subqueries, iters: 3 })
    for (let workflow = 1; workflow <= 100; workflow++) {
      const last = [0, 1, 2].findIndex(iteration => mayStop(workflow, iteration))
      used[last] = (used[last] ?? 0) + 1
    }
  }
  return used
}

// Measured on the original.
test.each([
  [10, 4, [1000, 0, 0]],
  [1, 1, [744, 190, 66]],
  [2, 1, [634, 228, 138]],
  [3, 2, [926, 68, 6]],
  [10, 1, [922, 74, 4]],
  [1, 4, [876, 92, 32]],
  [10, 0, [0, 0, 1000]],
])('%i documents and %i searches stop as in agent_sched_sim', (pdfs, subqueries, expected) => {
  expect(iterationsUsed(pdfs, subqueries)).toEqual(expected)
})

test('a simulation runs the resulting iterations', () => {
  const { workflows } = simulate(settingsWith({ workflows: 100, pdfs: 1, subqueries: 1, seed: 3 }))
  const mayStop = earlyStop(defaultModel.early_stop, 3n, { pdfs: 1, subqueries: 1, iters: 3 })
  for (const { id, totals } of workflows) expect(mayStop(id, totals.iterations - 1)).toBe(true)
  expect(new Set(workflows.map(({ totals }) => totals.iterations))).toEqual(new Set([1, 2, 3]))
})
