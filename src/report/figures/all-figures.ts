import type { Dataset } from '../dataset/dataset.ts'
import { comparisonsOf } from '../findings/comparisons.ts'
import { curvesOf, seriesNames } from '../findings/curves.ts'
import { distributionsOf } from '../findings/distributions.ts'
import { factorEffectsOf } from '../findings/effects.ts'
import { failuresOf } from '../findings/failures.ts'
import { profileOf } from '../findings/profile.ts'
import { searchFindingsOf } from '../findings/search-findings.ts'
import { variantRowsOf } from '../findings/variant-rows.ts'
import type { View } from '../findings/view.ts'
import type { OrReason } from '../findings/wording/or-reason.ts'
import { sweepFigures } from '../sweep/sweep-figures.ts'
import { armsFigure, differencesFigure } from './comparison-figures.ts'
import { interactionsFigure, mainEffectsFigure, ratiosFigure, sharesFigure } from './effect-figures.ts'
import { failuresFigure } from './failure-figures.ts'
import type { Figure } from './figure.ts'
import { curvesFigure, profileFigure } from './run-figures.ts'
import { historyFigure, importancesFigure, parallelFigure } from './search-figures.ts'
import { distributionsFigure, paretoFigure, variantsFigure } from './variant-figures.ts'

/** Every figure that a report has something to show in, in the order of the page. */
export function allFigures(dataset: Dataset, view: View): readonly Figure[] {
  return [
    ...of(comparisonsOf(dataset, view), found => [armsFigure(found), differencesFigure(found)]),
    ...of(variantRowsOf(dataset, view), found => [
      variantsFigure(found),
      ...(found.cost === found.metric || found.rows.length < 2 ? [] : [paretoFigure(found)]),
    ]),
    ...sweepFigures(dataset.evidence),
    ...of(factorEffectsOf(dataset, view), found => [
      mainEffectsFigure(found),
      ratiosFigure(found),
      sharesFigure(found),
      interactionsFigure(found),
    ]),
    ...of(distributionsOf(dataset, view), found => [distributionsFigure(found)]),
    ...seriesNames(dataset, view)
      .slice(0, 1)
      .flatMap(metric => of(curvesOf(dataset, view, metric), found => [curvesFigure(found)])),
    ...of(profileOf(dataset, view), found => [profileFigure(found)]),
    ...of(searchFindingsOf(dataset, view), found => [
      historyFigure(found),
      parallelFigure(found),
      importancesFigure(found),
    ]),
    ...of(failuresOf(dataset, view), found => (found.classes.length === 0 ? [] : [failuresFigure(found)])),
  ]
}

const of = <T>(finding: OrReason<T>, figures: (found: T) => readonly (Figure | null)[]): readonly Figure[] =>
  'found' in finding ? figures(finding.found).filter(figure => figure !== null) : []
