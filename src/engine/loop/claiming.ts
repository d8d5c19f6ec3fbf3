import { randomUUID } from 'node:crypto'
import { type Limits, runCapsOf } from '../../define/limits.ts'
import type { Job, Run } from '../../define/run.ts'
import type { Bound } from '../../define/target.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { type ClaimAnswer, type ClaimRequest, claimNext } from '../../record/runs/claim.ts'
import { type Clock, momentOf } from '../../util/time.ts'
import { mostLost } from '../rules/after-attempt.ts'
import { runCap } from '../rules/limits.ts'

interface ClaimingSetup {
  readonly journal: Journal
  readonly workerId: number
  readonly fingerprint: string
  /** The most that one attempt of a run can cost, as far as the target knows; without a run, of any run. */
  readonly bound: (run?: Run) => Bound
  readonly clock: Clock
  /** Only attempts of this kind; default: any. */
  readonly mode?: 'score' | undefined
}

interface ClaimedJob {
  readonly job: Job
  /** Whether it is this process's first run of the trial. */
  readonly beginsTrial: boolean
  /** It was lost so often that the next loss is the last: runs next to it might be blamed for it. */
  readonly runsAlone: boolean
}

/** Turns ready runs into jobs, within the current limits. */
export class Claiming {
  readonly #setup: ClaimingSetup

  constructor(setup: ClaimingSetup) {
    this.#setup = setup
  }

  /** The most that this run may cost, or any run; null: there is no cap. */
  capUsd(limits: Limits, run?: Run): number | null {
    return runCap(limits, this.#setup.bound(run))
  }

  /** The next job, or why there is none. `isAlone`: nothing else is running in this process. */
  claim(
    limits: Limits,
    isAlone: boolean,
    trials?: ClaimRequest['trials'],
  ): ClaimedJob | Exclude<ClaimAnswer['kind'], 'claimed'> {
    const { journal, workerId, fingerprint, clock, mode } = this.#setup
    const { budget_usd, timeout_ms, grace_ms } = limits
    const { now, elapsed } = momentOf(clock)
    const token = randomUUID()
    const answer = claimNext(journal, {
      workerId,
      fingerprint,
      token,
      now,
      elapsed,
      lostFewerThan: isAlone ? Number.MAX_SAFE_INTEGER : mostLost(limits) - 1,
      capOf: run => this.capUsd(limits, run),
      paysByCall: run => this.#setup.bound(run) === 'per_call',
      timeoutMs: timeout_ms,
      budgetUsd: budget_usd,
      mode,
      trials,
    })
    if (answer.kind !== 'claimed') return answer.kind
    const { kind: _, capUsd, beginsTrial, lostBefore, ...claimed } = answer
    const limited = { timeout_ms, grace_ms, run_budget_usd: capUsd, ...runCapsOf(limits) }
    const runsAlone = lostBefore >= mostLost(limits) - 1
    return { job: { ...claimed, token, fingerprint, started_at: now, ...limited }, beginsTrial, runsAlone }
  }
}
