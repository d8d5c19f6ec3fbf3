import { isMoney, writingOf } from '../../analyze/numbers.ts'

/** In what a metric is drawn, and by how much its numbers are multiplied for that. */
export interface Drawn {
  readonly unit?: string
  readonly factor: number
}

/** Shares are drawn in percent; other units are what the metric's name says. */
export function drawnIn(metric: string, isYesNo = false): Drawn {
  if (isYesNo) return { unit: '%', factor: 100 }
  if (isMoney(metric)) return { unit: 'USD', factor: 1 }
  if (/_ms$/.test(metric)) return { unit: 'ms', factor: 1 }
  if (/(^|_)(seconds|wall_s)$|_s$/.test(metric)) return { unit: 's', factor: 1 }
  return { factor: 1 }
}

/** How a table writes a metric's values. */
export const valueWriting = (metric: string, isYesNo = false): ((value: number) => string) =>
  writingOf({ metric, yes_no: isYesNo }).value

export const unitOf = ({ unit }: Drawn): { readonly unit?: string } => (unit === undefined ? {} : { unit })

export const times = (value: number | null, factor: number): number | null => (value === null ? null : factor * value)
