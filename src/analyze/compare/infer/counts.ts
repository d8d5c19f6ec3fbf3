import type { Count, PairedCounts } from '../../../stats/index.ts'

/** How many of the values are 1. */
export const countOf = (values: readonly number[]): Count => ({
  successes: values.filter(value => value === 1).length,
  n: values.length,
})

export function pairedCountsOf(a: readonly number[], b: readonly number[]): PairedCounts {
  const counts = { both: 0, onlyA: 0, onlyB: 0, neither: 0 }
  a.forEach((value, at) => {
    const other = b[at] === 1
    if (value === 1) counts[other ? 'both' : 'onlyA']++
    else counts[other ? 'onlyB' : 'neither']++
  })
  return counts
}
