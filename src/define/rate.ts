export interface Rates {
  readonly [provider: string]: RateLimit
}

/** What may be sent to a provider with one key; null: as much as it takes. */
export interface RateLimit {
  /** Requests in any minute. */
  readonly rpm: number | null
  /** Tokens in any minute, input and output together. */
  readonly tpm: number | null
  /** Calls under way at the same time. */
  readonly concurrency: number | null
}

export const expectedRate = 'expected a rate such as "500rpm", "500rpm,200000tpm" or "60rpm,4 at once"'

/** `500rpm,200k tpm,8 at once`: requests and tokens a minute, and calls at the same time. null: it says something else. */
export function parseRate(text: string): RateLimit | null {
  const rate: { -readonly [Key in keyof RateLimit]: RateLimit[Key] } = { rpm: null, tpm: null, concurrency: null }
  for (const part of text.split(',')) {
    const [, number = '', size = '', unit = ''] =
      /^\s*(\d+(?:\.\d+)?)\s*([km]?)\s*(rpm|tpm|at once)\s*$/i.exec(part) ?? []
    const key = keys[unit.toLowerCase()]
    const amount = Math.round(Number(number) * (sizes[size.toLowerCase()] ?? 1) * 1e6) / 1e6
    if (key === undefined || rate[key] !== null || !Number.isInteger(amount) || amount < 1) return null
    rate[key] = amount
  }
  return rate
}

const keys: { readonly [unit: string]: keyof RateLimit } = { rpm: 'rpm', tpm: 'tpm', 'at once': 'concurrency' }
const sizes: { readonly [letter: string]: number } = { k: 1e3, m: 1e6 }

/** As it is written: `500rpm,200000tpm`. */
export function formatRate({ rpm, tpm, concurrency }: RateLimit): string {
  const parts = [
    rpm === null ? '' : `${rpm}rpm`,
    tpm === null ? '' : `${tpm}tpm`,
    concurrency === null ? '' : `${concurrency} at once`,
  ]
  return parts.filter(part => part !== '').join(',')
}
