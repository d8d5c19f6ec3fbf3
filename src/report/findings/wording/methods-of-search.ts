import { defaultDrawing } from '../../../analyze/compare/method.ts'
import { percentText } from '../../../analyze/numbers.ts'
import type { SearchSpec } from '../../../define/experiment.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { type BestFound, bestFoundOf } from '../best-found.ts'
import type { View } from '../view.ts'
import { intervalName, isResampled } from './interval-names.ts'
import { orReason } from './or-reason.ts'

/** What was searched for and how, and what may not be read out of its intervals; nothing where nothing was searched. */
export function methodsOfSearch(dataset: Dataset, view: View): readonly string[] {
  const facts = dataset.experiments.find(one => one.search !== null)
  const search = facts?.search ?? null
  if (search === null) return []
  const best = orReason(() => bestFoundOf(dataset, view))
  const seed = search.seed ?? facts?.definition?.seed ?? null
  return [
    objective(search, seed),
    ...('found' in best && best.found !== null ? ranking(best.found, view) : []),
    'Importances, where there are any, are shares of the variance over the space, by functional analysis of variance on a random forest of what was tried.',
  ]
}

function objective(
  { method, metric, goal, also, max_runs, early_stop, value }: SearchSpec,
  seed: number | null,
): string {
  const aims = [{ metric, goal }, ...also].flatMap(one =>
    one.metric === null ? [] : [`${one.goal === 'minimize' ? 'minimise' : 'maximise'} ${one.metric}`],
  )
  const aim = aims.length === 0 ? 'had no objective' : `was to ${aims.join(' and to ')}`
  const counts = value === 'best' ? ', of each run the best value that it reported' : ''
  const most = max_runs === null ? '' : `, with at most ${max_runs} runs`
  const stopped = early_stop === null ? '' : ` Runs were stopped early (${early_stop.type}).`
  return `The ${method} search${seed === null ? '' : ` (seed ${seed})`} ${aim}${counts}${most}.${stopped}`
}

/** The caveat that no interval of the winner can hold. */
function ranking({ best, metric, isBestReported }: BestFound, { alpha }: View): readonly string[] {
  const ci = best[0]?.result.ci ?? null
  const counts = isBestReported ? ' (of each run the best it reported)' : ''
  const drawn =
    ci !== null && isResampled(ci.method)
      ? ` Resampling drew ${defaultDrawing.resamples.toLocaleString('en-US')} samples with seed ${defaultDrawing.seed}.`
      : ''
  return [
    `Variants are ranked by their mean ${metric}${counts} over as many completed runs each.`,
    ci === null
      ? 'The best has no interval.'
      : `Intervals are of each variant alone (${percentText(1 - alpha)}; of the best: ${intervalName(ci.method)}), and not adjusted for the number of variants or for having chosen the best: its value is flattered by chance.${drawn}`,
  ]
}
