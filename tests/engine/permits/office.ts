import { setImmediate } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Limits } from '../../../src/define/limits.ts'
import type { Permit, PermitAsk, Permits, Settlement } from '../../../src/define/permits.ts'
import { PermitOffice } from '../../../src/engine/permits/permit-office.ts'
import type { Decided } from '../../../src/engine/permits/rate-desk.ts'
import { runPermits } from '../../../src/perform/calls/run-permits.ts'
import type { Journal } from '../../../src/record/journal/journal.ts'
import { jobWith } from '../../perform/support.ts'
import { experimentWith } from '../../plan/experiment.ts'
import { claim } from '../../record/support.ts'
import { SetClock } from '../../support/set-clock.ts'

export const limitsWith = (more: Partial<Limits> = {}): Limits => ({ ...experimentWith({}).limits, ...more })

export const askOf = (more: Partial<PermitAsk> = {}): PermitAsk => ({
  provider: 'sim',
  key: 'k1',
  model: 'sim/m',
  tokens: 100,
  usd: 0.1,
  ...more,
})

export const took = (usd: number | null, more: Partial<Settlement> = {}): Settlement => ({
  tokens: 50,
  usd,
  rate_limited: null,
  ...more,
})

const never = new AbortController().signal

/** A process's office on a real journal, with a clock that the test moves. */
export function openOffice(
  journal: Journal,
  workerId: number,
  given: Partial<Limits> = {},
  clock: SetClock = new SetClock(),
) {
  const limits = { current: limitsWith(given) }
  const stops: string[] = []
  const decided: Decided[] = []
  const office = new PermitOffice({
    journal,
    workerId,
    clock,
    boot: 'b',
    random: () => 0.5,
    limits: () => limits.current,
    onRateDecision: one => decided.push(one),
    stop: reason => stops.push(reason),
  })
  onTestFinished(() => office.close())
  return {
    office,
    clock,
    stops,
    decided,
    /** The next run of the plan starts; its permits, and the token of its attempt. */
    start(run_budget_usd: number | null = null): { permits: Permits; token: string } {
      const { budget_usd } = limits.current
      const { token } = claim(journal, workerId, { capOf: () => run_budget_usd, budgetUsd: budget_usd })
      const { run_calls, run_tokens } = limits.current
      const job = jobWith({ token, run_budget_usd, run_calls, run_tokens })
      return { token, permits: runPermits(job, office.permitsOf(job)) }
    },
    set(more: Partial<Limits>): void {
      limits.current = { ...limits.current, ...more }
      office.look()
    },
  }
}

/** A call that asks for its permit: whether it has it. */
export class Asking {
  permit: Permit | null = null
  error: unknown = null

  constructor(permits: Permits, ask: PermitAsk = askOf(), signal: AbortSignal = never) {
    permits.acquire(ask, signal).then(
      permit => {
        this.permit = permit
      },
      error => {
        this.error = error
      },
    )
  }

  get state(): 'waits' | 'has it' | 'refused' {
    return this.permit !== null ? 'has it' : this.error !== null ? 'refused' : 'waits'
  }
}

/** Requests a permit, and returns the immediate result. */
export async function ask(permits: Permits, more: Partial<PermitAsk> = {}): Promise<Asking> {
  const asking = new Asking(permits, askOf(more))
  await served()
  return asking
}

/** All that asked have been looked at: the office serves in the next turn, and promises follow. */
export async function served(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate()
}
