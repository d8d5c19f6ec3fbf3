import { isCall, type Permit, type Permits, type Settlement } from '../../define/permits.ts'
import type { Spent } from '../../define/run.ts'
import type { Bound, Point } from '../../define/target.ts'

/**
 * Permits that also count: the cost of a run's calls is its `cost_usd`, whether assay or the program made them. A call
 * without a reported cost counts with its maximum; if not even that is known, the run's cost is unknown.
 */
export class CallMeter implements Permits {
  readonly #permits: Permits
  readonly #report: (point: Point) => void
  readonly #lacksCost: (reason: string) => void
  readonly #open = new Set<Permit>()
  #hasAssumed = false
  #hasReported = false
  #calls = 0
  #tokens = 0

  constructor(permits: Permits, report: (point: Point) => void, lacksCost: (reason: string) => void) {
    this.#permits = permits
    this.#report = report
    this.#lacksCost = lacksCost
  }

  /** Whether the cost has calls in it that count as the most they can have cost. */
  get hasAssumed(): boolean {
    return this.#hasAssumed
  }

  get used(): Omit<Spent, 'usd'> {
    return { calls: this.#calls, tokens: this.#tokens }
  }

  async acquire(...asked: Parameters<Permits['acquire']>): Promise<Permit> {
    const permit = await this.#permits.acquire(...asked)
    this.#open.add(permit)
    return permit
  }

  settle(permit: Permit, actual: Settlement): void {
    if (!this.#open.delete(permit)) return
    this.#permits.settle(permit, actual)
    this.#tokens += actual.tokens
    if (isCall(actual)) this.#calls++
    else if (actual.usd === 0) return
    const { usd: bound, model } = permit.ask
    if (actual.usd === null && bound !== null) this.#hasAssumed = true
    const usd = actual.usd ?? bound
    if (usd !== null) this.#cost(usd)
    else this.#lacks(model)
  }

  /**
   * The run has ended: calls that it left under way may cost their maximum. If a run only spends money on calls, and
   * made none, its cost is known too.
   */
  close(bound: Bound): void {
    for (const permit of this.#open) this.settle(permit, { tokens: permit.ask.tokens, usd: null, rate_limited: null })
    if (bound === 'per_call' && !this.#hasReported) this.#cost(0)
  }

  #lacks(model: string): void {
    this.#hasReported = true
    this.#lacksCost(`the price of ${model} is unknown; give it a price under models`)
  }

  #cost(usd: number): void {
    this.#hasReported = true
    this.#report({ metric: 'cost_usd', value: usd, step: null })
  }
}
