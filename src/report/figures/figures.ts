import type { Comparison } from '../../analyze/compare/compare.ts'
import type { PicturedNumbers } from '../../analyze/compare/pictured.ts'
import type { Effects } from '../../analyze/effects/effects.ts'
import type { Variance } from '../../analyze/variance/variance.ts'
import type { Evidence } from '../../define/observation.ts'
import { type OrReason, orReason } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { type AgentFindings, agentFindingsOf } from '../findings/agents.ts'
import {
  armSamplesOf,
  type Comparisons,
  type Curves,
  comparisonsOf,
  curvesOf,
  factorEffectsOf,
} from '../findings/comparisons.ts'
import { type Failures, failuresOf } from '../findings/failures.ts'
import { type SearchFindings, searchFindingsOf } from '../findings/search.ts'
import type { TaskFindings } from '../findings/task-scores.ts'
import {
  type Distributions,
  distributionsOf,
  type Profile,
  profileOf,
  type VariantRows,
  variantRowsOf,
  variationOf,
} from '../findings/variants.ts'
import { filtered, seriesNames, type View } from '../findings/view.ts'
import { agentCurvesFigures, agentsFigure, exitsFigure } from './agent-figures.ts'
import { armsFigure, bootstrapFigure, differencesFigure, shapeFigures } from './comparison-figures.ts'
import { interactionsFigure, mainEffectsFigure, ratiosFigure, sharesFigure } from './effect-figures.ts'
import type { Figure } from './figure.ts'
import {
  curvesFigure,
  failuresFigure,
  type OneSeries,
  pairSeriesFigure,
  profileFigure,
  runSeriesFigure,
  type SteppedSeries,
  varianceFigure,
} from './run-figures.ts'
import { historyFigure, importancesFigure, parallelFigure, slicesFigure } from './search-figures.ts'
import { sweepFigures } from './sweep-figures.ts'
import { scoresFigure, taskScoresFigure } from './task-figures.ts'
import { distributionsFigure, paretoFigure, variantsFigure } from './variant-figures.ts'

// The types of a figure and its table are exported with the functions that make them.
export { type Cell, cellText, type Figure, type FigureTable, type RunPoint, tableCsv } from './figure.ts'

type Figures = readonly Figure[]

/** The figures of each finding, in the order in which they are shown. A new figure is a line here. */
export const figuresOf = {
  comparisons: (found: Comparisons): Figures => [armsFigure(found), differencesFigure(found)],
  variants: (found: VariantRows): Figures => [variantsFigure(found)],
  cost: (found: VariantRows): Figures =>
    found.cost === found.metric || found.rows.length < 2 ? [] : [paretoFigure(found)],
  sweep: (evidence: Evidence): Figures => sweepFigures(evidence),
  effects: (found: Effects): Figures =>
    there([mainEffectsFigure(found), ratiosFigure(found), sharesFigure(found), interactionsFigure(found)]),
  scores: (found: TaskFindings): Figures => [scoresFigure(found), taskScoresFigure(found)],
  agents: (found: AgentFindings): Figures => [agentsFigure(found), exitsFigure(found), ...agentCurvesFigures(found)],
  distributions: (found: Distributions): Figures => [distributionsFigure(found)],
  curves: (found: Curves): Figures => [curvesFigure(found)],
  variation: (found: Variance): Figures => [varianceFigure(found)],
  profile: (found: Profile): Figures => [profileFigure(found)],
  chance: (comparison: Comparison, samples: PicturedNumbers): Figures =>
    there([bootstrapFigure(comparison, samples), ...shapeFigures(comparison, samples)]),
  search: (found: SearchFindings): Figures =>
    there([historyFigure(found), slicesFigure(found), importancesFigure(found), parallelFigure(found)]),
  failures: (found: Failures): Figures => (found.classes.length === 0 ? [] : [failuresFigure(found)]),
  run: (series: OneSeries): Figures => [runSeriesFigure(series)],
  pair: (series: SteppedSeries): Figures => [pairSeriesFigure(series)],
} as const

const there = (figures: readonly (Figure | null)[]): Figures => figures.filter(figure => figure !== null)

/**
 * Every figure of a report that has content, in the order of the page; all of them where the reader selects one of
 * several.
 */
export function allFigures(dataset: Dataset, view: View): Figures {
  return [
    ...answers(dataset, view),
    ...of(agentFindingsOf(dataset, view), figuresOf.agents),
    ...of(distributionsOf(dataset, view), figuresOf.distributions),
    ...curves(dataset, view),
    ...of(variationOf(dataset, view), found => found.flatMap(figuresOf.variation)),
    ...of(profileOf(dataset, view), figuresOf.profile),
    ...chance(dataset, view),
    ...searchAndFailures(dataset, view),
  ]
}

/** Figures whose table is meant to be read: without every run, every point of a curve and every quantile. */
export function readableFigures(dataset: Dataset, view: View): Figures {
  return [
    ...answers(dataset, view),
    ...of(profileOf(dataset, view), figuresOf.profile),
    ...searchAndFailures(dataset, view),
  ]
}

const answers = (dataset: Dataset, view: View): Figures => [
  ...of(comparisonsOf(dataset, view), figuresOf.comparisons),
  ...of(variantRowsOf(dataset, view), found => [...figuresOf.variants(found), ...figuresOf.cost(found)]),
  ...of(
    orReason(() => filtered(dataset.evidence, view.filter)),
    figuresOf.sweep,
  ),
  ...of(factorEffectsOf(dataset, view), figuresOf.effects),
]

/** One for each series, the first under its traditional name. */
const curves = (dataset: Dataset, view: View): Figures =>
  seriesNames(dataset, view).flatMap((metric, at) =>
    of(curvesOf(dataset, view, metric), found =>
      figuresOf.curves(found).map(figure => ({ ...figure, id: at === 0 ? 'curves' : `curves-${metric}` })),
    ),
  )

/** The influence of chance on each comparison. Arms that are not paired share a control, which is shown once. */
function chance(dataset: Dataset, view: View): Figures {
  const figures = of(comparisonsOf(dataset, view), ({ comparisons }) =>
    comparisons.flatMap(comparison =>
      of(armSamplesOf(dataset, view, comparison.candidate), samples => figuresOf.chance(comparison, samples)),
    ),
  )
  return figures.filter(({ id }, at) => figures.findIndex(other => other.id === id) === at)
}

const searchAndFailures = (dataset: Dataset, view: View): Figures => [
  ...of(searchFindingsOf(dataset, view), figuresOf.search),
  ...of(failuresOf(dataset, view), figuresOf.failures),
]

const of = <T>(finding: OrReason<T>, figures: (found: T) => Figures): Figures =>
  'found' in finding ? figures(finding.found) : []
