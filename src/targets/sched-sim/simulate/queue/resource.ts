import type { TierSpec } from '../../model/model-schema.ts'
import type { SimSettings } from '../../settings.ts'
import type { Attempt } from '../graph/workflow.ts'
import { RollingQuantiles } from '../rolling-quantiles.ts'
import { ReadyQueue } from './ready-queue.ts'
import { Tier } from './tier.ts'

interface ResourceSetup {
  readonly settings: SimSettings
  readonly agePerMs: number
}

/** A provider with its tiers, or a local resource, which is one tier without price, limit or failure. */
export class Resource {
  readonly name: string
  readonly isLocal: boolean
  /** As declared. */
  readonly tiers: readonly Tier[]
  /** In the order in which they are tried: cheapest first with model routing, as declared without. */
  readonly order: readonly Tier[]
  readonly queue: ReadyQueue
  /** Recent waits before the first tier, for escalation. */
  readonly recentWaits: RollingQuantiles
  /** Stragglers that wait for a second call. */
  readonly stragglers: Attempt[] = []

  constructor(name: string, isLocal: boolean, specs: readonly TierSpec[], { settings, agePerMs }: ResourceSetup) {
    const { model, enable_model_routing } = settings
    this.name = name
    this.isLocal = isLocal
    this.tiers = specs.map((spec, index) => new Tier({ name, isLocal }, index, spec))
    this.order = enable_model_routing ? this.tiers.toSorted((a, b) => a.spec.price - b.spec.price) : this.tiers
    this.queue = new ReadyQueue(agePerMs)
    this.recentWaits = new RollingQuantiles(model.estimates.window)
  }

  /** The tier that is used unless there is a reason for another. */
  get first(): Tier {
    return this.order[0] as Tier
  }
}

/** Every provider, then every local resource. */
export function resourcesOf(setup: ResourceSetup): ReadonlyMap<string, Resource> {
  const { model } = setup.settings
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
    ...Object.entries(model.providers).map(([name, { tiers }]) => new Resource(name, false, tiers, setup)),
    ...Object.entries(model.local).map(([name, { slots }]) => new Resource(name, true, [{ ...local, slots }], setup)),
  ]
  return new Map(resources.map(resource => [resource.name, resource]))
}
