import type { OrReason } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { agentFindingsOf } from './agents.ts'
import { armSamplesOf, comparisonsOf, curvesOf, factorEffectsOf } from './comparisons.ts'
import { failuresOf } from './failures.ts'
import { pairOf, sideBySideOf } from './pair.ts'
import { promptMatrixOf } from './prompt-matrix.ts'
import { searchFindingsOf } from './search.ts'
import { taskFindingsOf } from './task-scores.ts'
import { distributionsOf, profileOf, variantRowsOf, variationOf } from './variants.ts'
import type { View } from './view.ts'

/**
 * The questions to a dataset, by name: plain data in, plain data out, so that a worker can answer. A new finding is a
 * line here.
 */
const findings = {
  comparisons: comparisonsOf,
  samples: armSamplesOf,
  variants: variantRowsOf,
  effects: factorEffectsOf,
  distributions: distributionsOf,
  curves: curvesOf,
  variation: variationOf,
  profile: profileOf,
  pair: pairOf,
  sideBySide: sideBySideOf,
  prompts: promptMatrixOf,
  scores: taskFindingsOf,
  agents: agentFindingsOf,
  search: searchFindingsOf,
  failures: failuresOf,
} as const satisfies { readonly [name: string]: (dataset: Dataset, view: View, about: string) => OrReason<unknown> }

export type FindingName = keyof typeof findings
/** The result under a name. */
export type Found<Name extends FindingName> = Extract<
  ReturnType<(typeof findings)[Name]>,
  { readonly found: unknown }
>['found']

/** One question. */
export interface Asked<Name extends FindingName = FindingName> {
  readonly name: Name
  readonly view: View
  /** A candidate, a metric, or two variants; empty: the question needs none. */
  readonly about: string
}

export function findingOf<Name extends FindingName>(
  dataset: Dataset,
  { name, view, about }: Asked<Name>,
): OrReason<Found<Name>> {
  // TypeScript can't follow that the function of a name returns the finding of that name.
  return findings[name](dataset, view, about) as OrReason<Found<Name>>
}
