import type { Experiment } from '../../define/experiment.ts'
import type { AttemptResult, Reading } from '../../define/run.ts'
import { didYouMean } from '../../util/suggest.ts'
import { listed } from '../../util/words.ts'
import type { EngineEvent } from '../call.ts'
import type { EndedJob } from './running-jobs.ts'

/**
 * Checks the first run that completes: if it lacks the metric that the search uses, all others will too, and the user
 * should know now.
 */
export function metricWatch(
  { search }: Experiment,
  emit: (event: EngineEvent) => void,
): (ended: readonly EndedJob[]) => void {
  let metric = search?.metric ?? null
  return ended => {
    const first = metric === null ? undefined : ended.find(({ result }) => result.outcome.kind === 'completed')
    if (metric === null || first === undefined) return
    const message = missing(metric, first.job.run.name, first.result)
    if (message !== null) emit({ kind: 'notice', level: 'warning', message })
    metric = null
  }
}

function missing(metric: string, run: string, { metrics, series }: AttemptResult): string | null {
  const known = metrics.flatMap(reading => ('value' in reading ? [reading.metric] : []))
  if (known.includes(metric)) return null
  const reading = metrics.find(one => one.metric === metric)
  // A run that diverges has the metric, but not as a number: the next one may.
  if (series.some(one => one.metric === metric) || isNoNumber(reading)) return null
  const reason = reading === undefined || !('problem' in reading) ? 'it was not reported' : reading.problem
  const hint = didYouMean(metric, known)
  const others =
    known.length === 0 ? 'It has no metric at all.' : `It has ${listed(known, shown)}${hint ? `; ${hint}` : '.'}`
  return `the search uses "${metric}", and ${run} has no such metric: ${reason}. ${others} Without it no run counts: stop, name the metric or report it, and start again`
}

const isNoNumber = (reading: Reading | undefined): boolean =>
  reading !== undefined && 'problem' in reading && /\b(NaN|[-+]?Inf(inity)?)\b/i.test(reading.problem)

/** Runs may report hundreds. */
const shown = 12
