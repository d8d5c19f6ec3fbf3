import { randomUUID } from 'node:crypto'
import type { Job } from '../../define/job.ts'
import type { Limits } from '../../define/limits.ts'
import type { Bound } from '../../define/target.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { type ClaimAnswer, claimNext } from '../../record/runs/claim.ts'
import type { Clock } from '../../util/time.ts'
import { runCap } from '../rules/limits.ts'

interface ClaimingSetup {
  readonly journal: Journal
  readonly workerId: number
  readonly fingerprint: string
  /** The most that one attempt can cost by what the target knows. */
  readonly bound: Bound
  readonly clock: Clock
}

/** Makes jobs out of ready runs, under the limits in force. */
export class Claiming {
  readonly #setup: ClaimingSetup

  constructor(setup: ClaimingSetup) {
    this.#setup = setup
  }

  /** The most that one run may cost; null: nobody says. */
  capUsd(limits: Limits): number | null {
    return runCap(limits, this.#setup.bound)
  }

  /** The next job, or why there is none. */
  claim(limits: Limits): Job | Exclude<ClaimAnswer['kind'], 'claimed'> {
    const { journal, workerId, fingerprint, clock } = this.#setup
    const { budget_usd, timeout_ms, grace_ms, run_calls, run_tokens } = limits
    const now = clock.now()
    const token = randomUUID()
    const cap = this.capUsd(limits)
    const answer = claimNext(journal, {
      workerId,
      fingerprint,
      token,
      now,
      boundUsd: budget_usd === null ? 0 : (cap ?? 0),
      capUsd: cap,
      timeoutMs: timeout_ms,
      budgetUsd: budget_usd,
    })
    if (answer.kind !== 'claimed') return answer.kind
    const { kind: _, ...claimed } = answer
    return { ...claimed, token, timeout_ms, grace_ms, started_at: now, run_budget_usd: cap, run_calls, run_tokens }
  }
}
