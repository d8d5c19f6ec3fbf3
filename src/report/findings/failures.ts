import { variantsOf } from '../../analyze/variants.ts'
import type { Observation } from '../../define/observation.ts'
import { namedFailure, type Outcome } from '../../define/outcome.ts'
import { type OrReason, orReason } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { filtered, idOf, type View } from './view.ts'

/** One way in which runs ended without a result. */
export interface FailureClass {
  /** `failed: KeyError`, `failed: exit_7`, `timed out`. */
  readonly name: string
  readonly kind: string
  readonly runs: readonly string[]
  /** The message of the first one that has a message. */
  readonly message: string | null
  /** The affected variants, most affected first. */
  readonly variants: readonly { readonly label: string; readonly count: number; readonly of: number }[]
}

export interface Failures {
  readonly of: number
  readonly classes: readonly FailureClass[]
  /** Metrics that completed runs should have but lack, with the reason. */
  readonly missing: readonly { readonly metric: string; readonly problem: string; readonly runs: readonly string[] }[]
}

const mostVariants = 6

/** Whether a run ended without the result that it was started for. One that a search stopped early served its purpose. */
export const isLost = ({ kind }: Outcome): boolean => kind !== 'completed' && kind !== 'stopped_early'

export function failuresOf(dataset: Dataset, view: Pick<View, 'filter'>): OrReason<Failures> {
  return orReason(() => {
    const evidence = filtered(dataset.evidence, view.filter)
    const failed = evidence.runs.filter(({ outcome }) => isLost(outcome))
    // Grouping a hundred thousand runs takes a while: skipped if nothing failed.
    const variants = failed.length === 0 ? [] : variantsOf(evidence)
    const variantOf = new Map(variants.flatMap(variant => variant.runs.map(run => [run, variant] as const)))
    const classes = [...Map.groupBy(failed, ({ outcome }) => namedFailure(outcome))].map(
      ([name, runs]): FailureClass => {
        const hit = [...Map.groupBy(runs, run => variantOf.get(run))].flatMap(([variant, own]) =>
          variant === undefined ? [] : [{ variant, count: own.length, of: variant.runs.length }],
        )
        return {
          name,
          kind: runs[0]?.outcome.kind ?? 'failed',
          runs: runs.map(idOf),
          message: runs.map(({ outcome }) => outcome.said ?? outcome.message).find(text => text !== undefined) ?? null,
          variants: hit
            .sort((a, b) => b.count / b.of - a.count / a.of || b.count - a.count || a.variant.id - b.variant.id)
            .slice(0, mostVariants)
            .map(({ variant: { label }, count, of }) => ({ label, count, of })),
        }
      },
    )
    return {
      of: evidence.runs.length,
      classes: classes.sort((a, b) => b.runs.length - a.runs.length || (a.name < b.name ? -1 : 1)),
      missing: missingIn(evidence.runs),
    }
  })
}

function missingIn(runs: readonly Observation[]): Failures['missing'] {
  const all = runs
    .filter(({ outcome, columns }) => outcome.kind === 'completed' && columns === undefined)
    .flatMap(run => Object.entries(run.problems).map(([metric, problem]) => ({ metric, problem, id: idOf(run) })))
  return [...Map.groupBy(all, ({ metric, problem }) => `${metric}\n${problem}`).values()]
    .map(group => ({
      metric: group[0]?.metric ?? '',
      problem: group[0]?.problem ?? '',
      runs: group.map(({ id }) => id),
    }))
    .sort((a, b) => b.runs.length - a.runs.length)
}
