import type { Parts, SimSettings } from '../settings.ts'
import type { Estimates } from './estimates.ts'
import type { Attempt, Ready, Workflow } from './graph/workflow.ts'
import type { Resource } from './queue/resource.ts'
import type { Tier } from './queue/tier.ts'

/** The next start on a resource. */
export type Choice =
  | { readonly kind: 'call'; readonly ready: Ready; readonly tier: Tier }
  | { readonly kind: 'hedge'; readonly of: Attempt; readonly tier: Tier }
  /** The next one's workflow can't pay for the tier at this place in the order, though it has a free slot. */
  | { readonly kind: 'too_dear'; readonly ready: Ready; readonly place: number }

export interface Chooser {
  readonly settings: SimSettings
  readonly parts: Parts
  readonly estimates: Estimates
  /** A tier has a slot, and no token before that time. */
  wakeAt(resource: Resource, tier: Tier, time: number): void
}

/** The next call for a free slot: stragglers first, then the best waiting one; null if there is none. */
export function chooseNext(resource: Resource, now: number, chooser: Chooser): Choice | null {
  const free = new Map<Tier, boolean>()
  const isFree = (tier: Tier): boolean => {
    let answer = free.get(tier)
    if (answer === undefined) {
      answer = canStart(resource, tier, now, chooser)
      free.set(tier, answer)
    }
    return answer
  }
  return nextHedge(resource, isFree, chooser) ?? nextCall(resource, now, isFree, chooser)
}

function nextCall(resource: Resource, now: number, isFree: (tier: Tier) => boolean, chooser: Chooser): Choice | null {
  if (resource.queue.size === 0) return null
  const { settings, parts } = chooser
  for (const [place, tier] of resource.order.entries()) {
    if (place > 0 && !parts.spill && !parts.escalation) break
    if (!isFree(tier)) continue
    const isUsual = place === 0 || parts.spill
    const ready = resource.queue.next(
      now,
      ({ step, reach }) => reach > place && (isUsual || isWorthIt(resource, step, tier, chooser)),
    )
    if (ready === undefined) continue
    if (!canPay(ready.workflow, tier, settings)) return { kind: 'too_dear', ready, place }
    return { kind: 'call', ready, tier }
  }
  return null
}

/** How many tiers, in the order in which they are tried, a step may use. */
export function reachOf(resource: Resource, isCritical: boolean, { spill, escalation }: Parts): number {
  return spill || (escalation && isCritical) ? resource.order.length : 1
}

/** A straggler gets its second call on another tier: the next more expensive one, else the next cheaper. */
function nextHedge(resource: Resource, isFree: (tier: Tier) => boolean, chooser: Chooser): Choice | null {
  const { stragglers, order } = resource
  for (let index = 0; index < stragglers.length; index++) {
    const of = stragglers[index] as Attempt
    if (of.isOver) {
      stragglers.splice(index--, 1)
      continue
    }
    const own = order.indexOf(of.tier)
    const others = [...order.slice(own + 1), ...order.slice(0, own).reverse()]
    const tier = others.find(other => isFree(other) && canPay(of.workflow, other, chooser.settings))
    if (tier === undefined) continue
    stragglers.splice(index, 1)
    return { kind: 'hedge', of, tier }
  }
  return null
}

/**
 * What a more expensive tier saves, by the documented rule: the 95th percentile of recent waits for the cheapest tier
 * plus its median time, minus the median time on the more expensive one, per unit of price.
 */
function isWorthIt({ recentWaits, first }: Resource, step: number, tier: Tier, chooser: Chooser): boolean {
  const { estimates, settings } = chooser
  const { initial_queue_wait_ms, min_benefit_ms_per_usd } = settings.model.escalation
  const wait = recentWaits.quantile(0.95) ?? initial_queue_wait_ms
  const benefit = wait + estimates.median(step, first) - estimates.median(step, tier)
  return benefit > 0 && benefit >= min_benefit_ms_per_usd * (tier.spec.price - first.spec.price)
}

function canStart(resource: Resource, tier: Tier, now: number, { wakeAt }: Chooser): boolean {
  if (!tier.hasSlot) return false
  const time = tier.tokenTime(now)
  if (time <= now) return true
  if (!tier.isWaitingForToken) wakeAt(resource, tier, time)
  return false
}

/** Calls in flight count with their full price: the budget is never exceeded. Without routing there is no budget. */
function canPay(workflow: Workflow, tier: Tier, { model, enable_model_routing }: SimSettings): boolean {
  if (model.budget_per_workflow === null || !enable_model_routing) return true
  return workflow.totals.cost + workflow.reserved + tier.spec.price <= model.budget_per_workflow + 1e-9
}
