import type { Evidence } from '../../plan/evidence.ts'
import { type Provenance, provenanceOf } from '../provenance/provenance.ts'
import type { Variance, VarianceQuestion } from './variance.ts'
import { variantsIn } from './variants.ts'

/** The arms are the variants, each with the runs that were used. */
export function varianceProvenance(
  evidence: Evidence,
  { threshold, level, drawing }: VarianceQuestion,
  found: readonly Variance[],
  filter: readonly string[] | undefined,
): Provenance {
  const labelOf = (at: number): string => found[at]?.variant ?? 'all runs'
  const statistics = found.flatMap(one => one.statistics)
  return provenanceOf(evidence, {
    filter,
    arms: variantsIn(evidence).map(({ runs }, at) => {
      const used = new Set(found[at]?.runs)
      return { label: labelOf(at), runs: runs.filter(run => used.has(run.name)) }
    }),
    excluded: found.flatMap(({ left_out }, at) =>
      left_out.map(({ run, reason }) => ({ arm: labelOf(at), what: run, reason })),
    ),
    settings: {
      metric: found[0]?.metric ?? null,
      summary: [...new Set(statistics.map(({ name, summary }) => summary ?? name))],
      intervals: [...new Set(statistics.flatMap(({ ci }) => ci?.method ?? []))],
      threshold,
      alpha: Number((1 - level).toPrecision(12)),
      seed: drawing.seed,
      rng: drawing.rng,
    },
  })
}
