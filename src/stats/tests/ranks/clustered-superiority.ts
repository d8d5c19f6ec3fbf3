import { midranks } from '../../describe/ranks.ts'
import { unusableRanks } from '../../describe/usable.ts'
import { studentTTwoSided } from '../../distributions/student-t.ts'
import { type Estimate, requireThat, unavailable } from '../../estimate.ts'
import type { Interval } from '../../interval.ts'
import { tInterval } from '../means/t-inference.ts'

export interface ClusteredSuperiority {
  /** P(a > b) + ½ P(a = b). */
  readonly estimate: number
  readonly interval: Interval
  readonly p: number
  readonly clusters: number
}

/**
 * Whether a tends to exceed b if values come in clusters that may contain both (Obuchowski 1997, Biometrics 53:567):
 * the placements of each value in the other group, summed by cluster. With a cluster for each value it is the estimate
 * of DeLong, DeLong & Clarke-Pearson 1988. Student's t with the number of clusters minus 1.
 */
export function clusteredSuperiority(
  a: { readonly values: readonly number[]; readonly clusters: readonly string[] },
  b: { readonly values: readonly number[]; readonly clusters: readonly string[] },
  level = 0.95,
): Estimate<ClusteredSuperiority> {
  for (const { values, clusters } of [a, b])
    requireThat(values.length === clusters.length, `a cluster for each of ${values.length} values`)
  const reason = unusableRanks(a.values) ?? unusableRanks(b.values)
  if (reason !== undefined) return reason
  const pooled = midranks([...a.values, ...b.values])
  const placedA = placements(pooled.slice(0, a.values.length), midranks(a.values), b.values.length)
  const placedB = placements(pooled.slice(a.values.length), midranks(b.values), a.values.length)
  const estimate = placedA.reduce((sum, value) => sum + value, 0) / placedA.length
  const sums = new Map<string, number>()
  const add = (cluster: string, value: number) => sums.set(cluster, (sums.get(cluster) ?? 0) + value)
  placedA.forEach((value, at) => {
    add(a.clusters[at] ?? '', (value - estimate) / placedA.length)
  })
  placedB.forEach((value, at) => {
    add(b.clusters[at] ?? '', (1 - value - estimate) / placedB.length)
  })
  const clusters = sums.size
  if (clusters < 2) return unavailable('one_cluster')
  let squares = 0
  for (const sum of sums.values()) squares += sum * sum
  const error = Math.sqrt((squares * clusters) / (clusters - 1))
  // A rounding error if each value of one group is above all of the other, or if all are equal.
  if (error < 1e-12) return unavailable(Math.abs(estimate - 0.5) < 1e-12 ? 'all_tied' : 'no_overlap')
  return {
    estimate,
    interval: tInterval(estimate, error, clusters - 1, level),
    p: studentTTwoSided((estimate - 0.5) / error, clusters - 1),
    clusters,
  }
}

/** The share of the other group that lies below each value, ties counting half. */
function placements(pooled: readonly number[], within: readonly number[], others: number): number[] {
  return pooled.map((rank, at) => (rank - (within[at] ?? 0)) / others)
}
