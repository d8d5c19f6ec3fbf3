import type { Dataset } from '../dataset/dataset.ts'
import { agentFindingsOf } from '../findings/agents.ts'
import { armSamplesOf, comparisonsOf, curvesOf, factorEffectsOf, seriesNames } from '../findings/comparisons.ts'
import { failuresOf, filtered } from '../findings/runs.ts'
import { searchFindingsOf } from '../findings/search.ts'
import { distributionsOf, profileOf, variantRowsOf, variationOf } from '../findings/variants.ts'
import type { View } from '../findings/view.ts'
import { type OrReason, orReason } from '../findings/wording/texts.ts'
import { agentCurvesFigures } from './agent-figures.ts'
import { armsFigure, bootstrapFigure, differencesFigure, shapeFigures } from './comparison-figures.ts'
import { interactionsFigure, mainEffectsFigure, ratiosFigure, sharesFigure } from './effect-figures.ts'
import type { Figure } from './figure.ts'
import { curvesFigure, failuresFigure, profileFigure, varianceFigure } from './run-figures.ts'
import { historyFigure, importancesFigure, parallelFigure, slicesFigure } from './search-figures.ts'
import { sweepFigures } from './sweep-figures.ts'
import { distributionsFigure, paretoFigure, variantsFigure } from './variant-figures.ts'

/** Every figure that a report has something to show in, in the order of the page; where the reader chooses one of several, all. */
export function allFigures(dataset: Dataset, view: View): readonly Figure[] {
  return [
    ...answers(dataset, view),
    ...of(agentFindingsOf(dataset, view), agentCurvesFigures),
    ...of(distributionsOf(dataset, view), found => [distributionsFigure(found)]),
    ...curves(dataset, view),
    ...of(variationOf(dataset, view), found => found.map(varianceFigure)),
    ...of(profileOf(dataset, view), found => [profileFigure(found)]),
    ...chance(dataset, view),
    ...searchAndFailures(dataset, view),
  ]
}

/** Those whose table is meant to be read: without every run, every point of a curve and every quantile. */
export function readableFigures(dataset: Dataset, view: View): readonly Figure[] {
  return [
    ...answers(dataset, view),
    ...of(profileOf(dataset, view), found => [profileFigure(found)]),
    ...searchAndFailures(dataset, view),
  ]
}

const answers = (dataset: Dataset, view: View): readonly Figure[] => [
  ...of(comparisonsOf(dataset, view), found => [armsFigure(found), differencesFigure(found)]),
  ...of(variantRowsOf(dataset, view), found => [
    variantsFigure(found),
    ...(found.cost === found.metric || found.rows.length < 2 ? [] : [paretoFigure(found)]),
  ]),
  ...of(
    orReason(() => filtered(dataset.evidence, view.filter)),
    sweepFigures,
  ),
  ...of(factorEffectsOf(dataset, view), found => [
    mainEffectsFigure(found),
    ratiosFigure(found),
    sharesFigure(found),
    interactionsFigure(found),
  ]),
]

/** One of each series, the first under the name that it always had. */
const curves = (dataset: Dataset, view: View): readonly Figure[] =>
  seriesNames(dataset, view).flatMap((metric, at) =>
    of(curvesOf(dataset, view, metric), found => [
      { ...curvesFigure(found), id: at === 0 ? 'curves' : `curves-${metric}` },
    ]),
  )

/** What chance does to each comparison. Arms that are not paired share a control, which is shown once. */
function chance(dataset: Dataset, view: View): readonly Figure[] {
  const figures = of(comparisonsOf(dataset, view), ({ comparisons }) =>
    comparisons.flatMap(comparison =>
      of(armSamplesOf(dataset, view, comparison.candidate), samples => [
        bootstrapFigure(comparison, samples),
        ...shapeFigures(comparison, samples),
      ]),
    ),
  )
  return figures.filter(({ id }, at) => figures.findIndex(other => other.id === id) === at)
}

const searchAndFailures = (dataset: Dataset, view: View): readonly Figure[] => [
  ...of(searchFindingsOf(dataset, view), found => [
    historyFigure(found),
    slicesFigure(found),
    parallelFigure(found),
    importancesFigure(found),
  ]),
  ...of(failuresOf(dataset, view), found => (found.classes.length === 0 ? [] : [failuresFigure(found)])),
]

const of = <T>(finding: OrReason<T>, figures: (found: T) => readonly (Figure | null)[]): readonly Figure[] =>
  'found' in finding ? figures(finding.found).filter(figure => figure !== null) : []
