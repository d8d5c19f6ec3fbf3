import type { Route } from '../names/route.ts'
import type { Price } from '../prices/price.ts'
import type { Transport } from '../providers/transport.ts'

/** A model that was looked up: where it goes, what it costs, who carries it there. */
export interface KnownModel {
  readonly route: Route
  readonly price: Price | null
  readonly transport: Transport
  /** Tells keys of a provider apart without telling them. */
  readonly key_digest: string
}
