import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { defineExperiment } from '../../src/api/define-experiment.ts'
import { run } from '../../src/api/run.ts'
import { folderWith } from '../support/assay.ts'
import { outsideRepository } from '../support/outside-repository.ts'
import { expectAddsUp } from '../support/summary.ts'

outsideRepository()

/** In hundredths, so that expectations are exact. */
const cents = (most: number) => fc.integer({ min: 0, max: most })

const spending = fc
  .record({ cap: fc.integer({ min: 1, max: 30 }), jobs: fc.integer({ min: 1, max: 4 }), budget: cents(100) })
  .chain(limits => fc.record({ ...each(limits), costs: fc.array(cents(limits.cap), { minLength: 1, maxLength: 12 }) }))

const each = (limits: { cap: number; jobs: number; budget: number }) => ({
  cap: fc.constant(limits.cap),
  jobs: fc.constant(limits.jobs),
  budget: fc.constant(limits.budget),
})

it('the total never exceeds the budget, whatever runs cost up to their cap, and however many run at once', async () => {
  await fc.assert(
    fc.asyncProperty(spending, async ({ cap, jobs, budget, costs }) => {
      let started = 0
      const experiment = defineExperiment({
        name: 'spends',
        factors: { n: costs.map((_, n) => n) },
        limits: { jobs, budget_usd: budget / 100, run_budget_usd: cap / 100 },
        target: async ({ n }) => {
          const cost = costs[Number(n)] ?? 0
          started += cost
          // Even if all running ones spend their full cost.
          expect(started).toBeLessThanOrEqual(budget)
          await setImmediate()
          return { cost_usd: cost / 100 }
        },
      })
      const { summary, exitCode } = await run(experiment, { dir: folderWith() })
      expectAddsUp({ ...summary })
      expect(summary.cost_usd * 100).toBeCloseTo(started)
      expect(summary.overrun_usd).toBe(0)
      // It stops for the budget only when another run would not have fitted.
      if (summary.pending > 0) expect(started + cap).toBeGreaterThan(budget)
      expect(exitCode).toBe(summary.pending > 0 ? 3 : 0)
      expect(summary.completed + summary.pending).toBe(costs.length)
    }),
    { numRuns: 40, seed: 1 },
  )
})
