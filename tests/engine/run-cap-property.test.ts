import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { run } from '../../src/api/run.ts'
import type { OutcomeKind } from '../../src/define/outcome.ts'
import { folderWith } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'
import { outsideRepository } from '../support/outside-repository.ts'
import { scripted } from './scripted-target.ts'

outsideRepository()

/** In hundredths of a dollar, so that expectations are exact. */
const attempt = fc.record({
  spends: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 3 }),
  ends: fc.constantFrom<OutcomeKind>('completed', 'failed', 'infra_error', 'infra_error', 'rate_limited'),
  /** Whether it reports its cost. */
  isSilent: fc.integer({ min: 0, max: 5 }).map(n => n === 0),
})

const story = fc.record({
  attempts: fc.array(attempt, { minLength: 1, maxLength: 7 }),
  /** The cap of each call of assay, one after the other. */
  caps: fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 3 }),
  bound: fc.constantFrom('unknown' as const, 'per_call' as const),
  /** Whether a program respects its remaining budget, or reports its cost afterwards. */
  isCareful: fc.boolean(),
  hasBudget: fc.boolean(),
})

it('a run exceeds its cap by at most one late report, whatever attempts cost and however they end', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ attempts, caps, bound, isCareful, hasBudget }) => {
      const folder = folderWith()
      const dir = join(folder, 'e')
      let next = 0
      let known = 0
      let cap = 0
      let lastSpend = 0
      // An expectation that fails inside a run would only fail that run.
      const problems: string[] = []
      const experiment = (cents: number) =>
        scripted(
          {
            limits: {
              run_budget_usd: cents / 100,
              retries: { failed: 2, infra_error: 2, rate_limited: 2, backoff: '1ms' },
              quarantine_after: 100,
              initial_failures: 0,
              ...(hasBudget && { budget_usd: 1000 }),
            },
          },
          folder,
          async ({ runBudgetUsd, report, permits, signal }) => {
            // The rest is the cap minus the known cost of earlier attempts.
            if (Math.round((runBudgetUsd ?? Number.NaN) * 100) !== Math.max(0, cap - known))
              problems.push(`${runBudgetUsd} is left of ${cap} after ${known}`)
            const { spends, ends, isSilent } = attempts[next++] ?? { spends: [], ends: 'completed', isSilent: false }
            if (bound === 'per_call') {
              for (const cents of spends) {
                const ask = { provider: 'sim', key: 'k', model: 'm', tokens: 1, usd: cents / 100 }
                const permit = await permits.acquire(ask, signal)
                known += cents
                if (cents > 0 && known > cap) problems.push(`a call of ${cents} is let through: ${known} of ${cap}`)
                permits.settle(permit, { tokens: 1, usd: cents / 100, rate_limited: null })
              }
              return { kind: ends }
            }
            if (isSilent) return { kind: ends }
            report({ metric: 'cost_usd', value: 0, step: null })
            for (const cents of spends) {
              if (isCareful && known + cents > cap) break
              known += cents
              lastSpend = cents
              report({ metric: 'cost_usd', value: cents / 100, step: null })
              if (signal.aborted) return { kind: 'cost_limited' }
            }
            return { kind: ends }
          },
          bound,
        )
      for (const cents of caps) {
        cap = cents
        const before = known
        await run(experiment(cents), { dir, retryFailed: true })
        if (bound === 'per_call' || isCareful) expect(known).toBeLessThanOrEqual(Math.max(before, cap))
        else expect(known - lastSpend).toBeLessThanOrEqual(Math.max(before, cap))
      }
      expect(problems).toEqual([])
      const [row] = journalRows<{ capped: number; cost: number; spent: number; ledger: number; attempts: number }>(
        dir,
        `SELECT r.capped_usd * 100 AS capped, r.cost_usd * 100 AS cost, e.spent_usd * 100 AS spent,
           (SELECT coalesce(sum(usd), 0) * 100 FROM ledger WHERE kind IN ('charge', 'assumed')) AS ledger,
           (SELECT coalesce(sum(cost_usd), 0) * 100 FROM attempts) AS attempts FROM runs r, experiment e`,
      )
      expect(row?.capped).toBeCloseTo(known)
      // The cost of the run is the sum of its attempts, and of the ledger, plus assumed amounts.
      expect(row?.cost).toBeCloseTo(row?.attempts ?? Number.NaN)
      expect(row?.spent).toBeCloseTo(row?.ledger ?? Number.NaN)
      expect(row?.cost).toBeCloseTo(row?.spent ?? Number.NaN)
      expect(row?.cost ?? 0).toBeGreaterThanOrEqual(known - 1e-6)
    }),
    { numRuns: 60, seed: 3 },
  )
})
