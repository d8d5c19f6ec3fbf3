import type { Model, TierSpec } from '../model/model-schema.ts'
import { ReadyQueue } from './ready-queue.ts'
import { RollingQuantiles } from './rolling-quantiles.ts'
import { Tier } from './tier.ts'
import type { Attempt } from './workflow.ts'

/** A provider with its tiers, or a local resource, which is one tier without price, limit or failure. */
export class Resource {
  readonly name: string
  readonly isLocal: boolean
  /** As declared. */
  readonly tiers: readonly Tier[]
  /** Cheapest first. */
  readonly byPrice: readonly Tier[]
  readonly queue: ReadyQueue
  /** Recent waits before the cheapest tier, for escalation. */
  readonly recentWaits: RollingQuantiles
  /** Stragglers that want a second call. */
  readonly stragglers: Attempt[] = []

  constructor(name: string, isLocal: boolean, specs: readonly TierSpec[], model: Model, agePerMs: number) {
    this.name = name
    this.isLocal = isLocal
    this.tiers = specs.map((spec, index) => new Tier({ name, isLocal }, index, spec))
    this.byPrice = [...this.tiers].sort((a, b) => a.spec.price - b.spec.price || a.index - b.index)
    this.queue = new ReadyQueue(agePerMs)
    this.recentWaits = new RollingQuantiles(model.estimates.window)
  }

  get cheapest(): Tier {
    return this.byPrice[0] as Tier
  }
}

/** Every provider, then every local resource. */
export function resourcesOf(model: Model, agePerMs: number): ReadonlyMap<string, Resource> {
  const local: TierSpec = {
    slots: 1,
    rate_per_s: null,
    burst: 1,
    price: 0,
    failure: 0,
    timeout_ms: null,
    retries: 0,
    speed: 1,
  }
  const resources = [
    ...Object.entries(model.providers).map(([name, { tiers }]) => new Resource(name, false, tiers, model, agePerMs)),
    ...Object.entries(model.local).map(
      ([name, { slots }]) => new Resource(name, true, [{ ...local, slots }], model, agePerMs),
    ),
  ]
  return new Map(resources.map(resource => [resource.name, resource]))
}
