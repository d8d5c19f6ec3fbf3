import { amountText } from '../../src/util/words.ts'

/** What calls are worth, whether they were paid for now or before. */
export const priceText = (usd: number | null): string =>
  usd === null ? 'price unknown' : `${amountText('cost_usd')(usd)} at list price`
