import { partsOf, type SimSettings } from '../../../../src/targets/sched-sim/settings.ts'
import type { Resource } from '../../../../src/targets/sched-sim/simulate/queue/resource.ts'
import type { Tier } from '../../../../src/targets/sched-sim/simulate/queue/tier.ts'
import type { Happening, Recording } from './record.ts'

interface TierState {
  busy: number
  tokens: number
  tokensAt: number
}

/** The state that follows from events alone: waiting nodes, free slots, learned latencies. */
export class Replay {
  readonly #settings: SimSettings
  readonly #stepOf: (node: number) => string
  readonly #waiting = new Map<string, { readonly node: number; readonly resource: string; readonly since: number }>()
  readonly #tiers = new Map<Tier, TierState>()
  readonly #durations = new Map<string, number[]>()
  readonly #waits = new Map<Tier, number[]>()

  constructor({ settings, result }: Recording) {
    this.#settings = settings
    this.#stepOf = node => result.graph.steps[result.graph.stepOf[node] ?? 0] ?? ''
  }

  take(happening: Happening): void {
    switch (happening.kind) {
      case 'queued': {
        const { key, node, resource, at: since } = happening
        this.#waiting.set(key, { node, resource, since })
        break
      }
      case 'started': {
        const { attempt, key, at } = happening
        const state = this.#stateOf(attempt.tier)
        state.tokens = this.#tokensOf(attempt.tier, at) - 1
        state.tokensAt = at
        state.busy++
        if (attempt.isHedge) break
        const since = this.#waiting.get(key)?.since ?? at
        this.#waits.set(attempt.tier, [...(this.#waits.get(attempt.tier) ?? []), at - since])
        this.#waiting.delete(key)
        break
      }
      case 'ended': {
        const { attempt, node, ending } = happening
        this.#stateOf(attempt.tier).busy--
        const name = `${this.#stepOf(node)} on ${attempt.tier.name}`
        if (ending !== 'cancelled')
          this.#durations.set(name, [...(this.#durations.get(name) ?? []), attempt.durationMs])
        break
      }
      case 'done':
        for (const key of this.#waiting.keys()) if (key.startsWith(`${happening.workflow}/`)) this.#waiting.delete(key)
    }
  }

  /** When a call could start on a tier with a free slot; infinite if no slot is free. */
  freeFrom(tier: Tier, now: number): number {
    if (this.#stateOf(tier).busy >= tier.spec.slots) return Number.POSITIVE_INFINITY
    const { rate_per_s } = tier.spec
    const tokens = this.#tokensOf(tier, now)
    return rate_per_s === null || tokens >= 1 ? now : now + ((1 - tokens) * 1000) / rate_per_s
  }

  /** Whether a waiting node would be sent to this tier by the policy if it were free. */
  hasEligible(resource: Resource, tier: Tier): boolean {
    const waiting = [...this.#waiting.values()].filter(({ resource: name }) => name === resource.name)
    const { spill, escalation } = partsOf(this.#settings)
    if (tier === resource.first || spill) return waiting.length > 0
    if (!escalation) return false
    return waiting.some(({ node }) => this.isWorthIt(resource, tier, node))
  }

  /** Whether a critical node currently gains enough from an expensive tier. */
  isWorthIt({ first }: Resource, tier: Tier, node: number): boolean {
    const { steps, escalation } = this.#settings.model
    const step = this.#stepOf(node)
    if (!steps[step]?.critical) return false
    const wait = this.#recent(this.#waits.get(first), 0.95) ?? escalation.initial_queue_wait_ms
    const benefit = wait + this.#median(step, first, first) - this.#median(step, tier, first)
    return benefit > 0 && benefit >= escalation.min_benefit_ms_per_usd * (tier.spec.price - first.spec.price)
  }

  #median(step: string, tier: Tier, first: Tier): number {
    const known = this.#recent(this.#durations.get(`${step} on ${tier.name}`), 0.5)
    if (known !== undefined) return known
    if (tier === first) return this.#settings.model.estimates.initial_ms
    return (this.#median(step, first, first) * first.spec.speed) / tier.spec.speed
  }

  #recent(values: readonly number[] = [], q: number): number | undefined {
    const latest = values.slice(-this.#settings.model.estimates.window).sort((a, b) => a - b)
    return latest[Math.min(latest.length - 1, Math.floor(q * latest.length))]
  }

  #tokensOf(tier: Tier, now: number): number {
    const { tokens, tokensAt } = this.#stateOf(tier)
    const { burst, rate_per_s } = tier.spec
    return Math.min(burst, tokens + ((now - tokensAt) * (rate_per_s ?? 0)) / 1000)
  }

  #stateOf(tier: Tier): TierState {
    const state = this.#tiers.get(tier) ?? { busy: 0, tokens: tier.spec.burst, tokensAt: 0 }
    this.#tiers.set(tier, state)
    return state
  }
}
