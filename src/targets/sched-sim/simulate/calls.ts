import type { Parts, SimSettings } from '../settings.ts'
import type { AttemptDraws } from './attempt-draws.ts'
import type { Estimates } from './estimates.ts'
import type { StepGraph } from './graph/step-graph.ts'
import type { Attempt, Workflow } from './graph/workflow.ts'
import type { SimListener } from './listener.ts'
import type { Tier } from './queue/tier.ts'
import type { Timeline } from './timeline.ts'

export interface CallsSetup {
  readonly settings: SimSettings
  readonly parts: Parts
  readonly graph: StepGraph
  readonly timeline: Timeline
  readonly estimates: Estimates
  readonly attemptDraws: AttemptDraws
  readonly listener: SimListener
  /** A slot of the tier is free again. */
  onFree(tier: Tier): void
}

/** Starts, ends and cancels calls, and keeps their accounts. */
export class Calls {
  readonly #setup: CallsSetup
  readonly #isCritical: readonly boolean[]

  constructor(setup: CallsSetup) {
    this.#setup = setup
    this.#isCritical = Object.values(setup.settings.model.steps).map(step => step.critical)
  }

  begin(workflow: Workflow, node: number, tier: Tier, isHedge: boolean): void {
    const { timeline, attemptDraws, listener } = this.#setup
    const number = (workflow.attempts[node] ?? 0) + 1
    workflow.attempts[node] = number
    workflow.totals.attempts++
    tier.totals.attempts++
    const { durationMs, ending } = attemptDraws.of(workflow, node, number, tier)
    const attempt: Attempt = {
      workflow,
      node,
      number,
      tier,
      lane: tier.enter(timeline.now),
      startedAt: timeline.now,
      durationMs,
      ending,
      price: tier.spec.price,
      isHedge,
      isOver: false,
    }
    workflow.running.add(attempt)
    workflow.reserved += attempt.price
    timeline.plan(timeline.now + durationMs, { kind: 'end', attempt })
    this.#watch(attempt)
    if (isHedge) listener.hedged?.(timeline.now, attempt)
    listener.started?.(timeline.now, attempt)
  }

  /** A call came to its own end: its time is learned, its price paid. */
  end(attempt: Attempt): void {
    const { workflow, tier, price, ending, durationMs } = attempt
    const { timeline, estimates, graph, listener } = this.#setup
    this.#release(attempt, price)
    estimates.learn(graph.stepOf[attempt.node] ?? 0, tier, durationMs)
    if (ending === 'ok') tier.totals.completed++
    else {
      if (ending === 'timeout') tier.totals.timed_out++
      else tier.totals.failed++
      workflow.totals[ending === 'timeout' ? 'timeouts' : 'failures']++
      waste(attempt, durationMs, price)
    }
    listener.ended?.(timeline.now, attempt, ending)
  }

  /** The result is no longer needed: the slot is free at once, and the used part is paid. */
  cancel(attempt: Attempt): void {
    const { timeline, settings, listener } = this.#setup
    const elapsed = timeline.now - attempt.startedAt
    const used = settings.model.rules.charge_losers ? (attempt.price * elapsed) / attempt.durationMs : 0
    this.#release(attempt, used)
    attempt.workflow.totals.cancellations++
    attempt.tier.totals.cancelled++
    waste(attempt, elapsed, used)
    listener.ended?.(timeline.now, attempt, 'cancelled')
  }

  /** Only a call that will take too long is checked again: the others would show no effect. */
  #watch(attempt: Attempt): void {
    const { parts, graph, estimates, timeline } = this.#setup
    const step = graph.stepOf[attempt.node] ?? 0
    if (!parts.hedging || attempt.isHedge || !this.#isCritical[step] || attempt.tier.isLocal) return
    const limit = estimates.stragglerMs(step, attempt.tier)
    if (attempt.durationMs > limit) timeline.plan(timeline.now + limit, { kind: 'straggling', attempt })
  }

  #release(attempt: Attempt, cost: number): void {
    const { workflow, tier } = attempt
    attempt.isOver = true
    workflow.running.delete(attempt)
    // Sums of fractions never come back to exactly nothing.
    workflow.reserved = workflow.running.size === 0 ? 0 : workflow.reserved - attempt.price
    workflow.totals.cost += cost
    tier.totals.cost += cost
    tier.leave(this.#setup.timeline.now, attempt.lane)
    this.#setup.onFree(tier)
  }
}

function waste({ workflow, tier }: Attempt, ms: number, cost: number): void {
  workflow.totals.wasted_ms += ms
  workflow.totals.wasted_cost += cost
  tier.totals.wasted_ms += ms
}
