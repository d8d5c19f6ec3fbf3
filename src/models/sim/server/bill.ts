import type { ModelSettings } from '../../../define/models/model-settings.ts'
import { findRoute } from '../../find-route.ts'
import type { Usage } from '../../model-call.ts'
import { settingOf } from '../../names/settings-of.ts'
import { costOf, type Price } from '../../prices/price.ts'
import { priceOf } from '../../prices/price-of.ts'
import { loadPriceTable } from '../../prices/price-table.ts'

/** The charge for one answer. */
export interface Charge extends Usage {
  readonly id: string
  readonly model: string
  readonly endpoint: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** null: the model has no price. */
  readonly usd: number | null
}

/** The provider's own account, to be compared with what a client believes to have spent. */
export interface BillTotals {
  /** null as soon as one model has no price. */
  readonly usd: number | null
  readonly charges: number
  /** Requests that were refused or failed before an answer, which cost nothing. */
  readonly refused: number
  readonly by_model: { readonly [model: string]: ModelCharges }
  /** The last ones. */
  readonly latest: readonly Charge[]
}

export interface ModelCharges extends Usage {
  readonly usd: number | null
  readonly charges: number
}

const latestKept = 1000

export class Bill {
  readonly #settings: ModelSettings
  readonly #prices = new Map<string, Promise<Price | null>>()
  readonly #models = new Map<string, ModelCharges>()
  #latest: Charge[] = []
  #refused = 0

  constructor(settings: ModelSettings) {
    this.#settings = settings
  }

  /** An answer is charged in full once it has begun, even if the connection breaks or the client gives up. */
  async charge(one: Omit<Charge, 'usd'>, known: string): Promise<void> {
    const price = await this.#priceOf(known)
    const charge: Charge = { ...one, usd: costOf(one, price, one.at).usd }
    this.#models.set(one.model, added(this.#models.get(one.model), charge))
    this.#latest.push(charge)
    if (this.#latest.length > 2 * latestKept) this.#latest = this.#latest.slice(-latestKept)
  }

  refused(): void {
    this.#refused++
  }

  totals(): BillTotals {
    const all = [...this.#models.values()]
    return {
      usd: all.reduce<number | null>((sum, { usd }) => plus(sum, usd), 0),
      charges: all.reduce((sum, { charges }) => sum + charges, 0),
      refused: this.#refused,
      by_model: Object.fromEntries(this.#models),
      latest: this.#latest.slice(-latestKept),
    }
  }

  #priceOf(model: string): Promise<Price | null> {
    const known = this.#prices.get(model)
    if (known !== undefined) return known
    const written = settingOf(model, this.#settings)?.price
    if (written !== undefined) {
      const price = Promise.resolve<Price>(
        written === 'free' ? { from: 'declared_free' } : { from: 'preset', tiers: written },
      )
      this.#prices.set(model, price)
      return price
    }
    const parts = { settings: this.#settings, env: {}, now: Date.now(), table: loadPriceTable }
    const price = findRoute(model, parts).then(
      route => priceOf(route, loadPriceTable),
      // An unknown name has no price.
      () => null,
    )
    this.#prices.set(model, price)
    return price
  }
}

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b)

function added(sum: ModelCharges | undefined, charge: Charge): ModelCharges {
  return {
    usd: sum === undefined ? charge.usd : plus(sum.usd, charge.usd),
    charges: (sum?.charges ?? 0) + 1,
    input_tokens: (sum?.input_tokens ?? 0) + charge.input_tokens,
    cached_input_tokens: (sum?.cached_input_tokens ?? 0) + charge.cached_input_tokens,
    cache_write_tokens: (sum?.cache_write_tokens ?? 0) + charge.cache_write_tokens,
    cache_write_1h_tokens: (sum?.cache_write_1h_tokens ?? 0) + (charge.cache_write_1h_tokens ?? 0),
    output_tokens: (sum?.output_tokens ?? 0) + charge.output_tokens,
    reasoning_tokens: (sum?.reasoning_tokens ?? 0) + charge.reasoning_tokens,
  }
}
