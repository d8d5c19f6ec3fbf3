import { amountText } from '../../src/util/words.ts'

/** The price of calls, paid for now or before. */
export const priceText = (usd: number | null): string =>
  usd === null ? 'price unknown' : `${amountText('cost_usd')(usd)} at list price`
