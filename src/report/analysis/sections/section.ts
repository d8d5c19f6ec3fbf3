import { percentText } from '../../../analyze/numbers.ts'

/** Lines of Markdown; none: there is nothing to say. */
export type Section = readonly string[]

/** More is for the JSON files. */
export const mostRows = 50

export const text = (value: number | null, amount: (value: number) => string): string =>
  value === null ? '–' : amount(value)
export const bounds = (
  { low, high }: { readonly low: number | null; readonly high: number | null },
  amount: (value: number) => string,
) => `${low === null ? '−∞' : amount(low)} to ${high === null ? '∞' : amount(high)}`
export const inBrackets = (ci: Parameters<typeof bounds>[0] | null, amount: (value: number) => string): string =>
  ci === null ? '' : ` (${bounds(ci, amount)})`
export const share = (value: number): string => percentText(Number(value.toPrecision(12)))
