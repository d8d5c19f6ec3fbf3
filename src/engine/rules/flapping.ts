import type { Experiment } from '../../define/experiment.ts'
import type { AttemptResult } from '../../define/job.ts'
import type { Run } from '../../define/run.ts'
import { canonicalJson } from '../../util/canonical-json.ts'
import { isFailure, wayOfFailing } from './after-attempt.ts'

/** How many first failures are enough, where nobody says otherwise. */
const usualFailures = 5
/** A run that took longer did something before it failed. */
const quickSeconds = 60

/** The runs with which a call began, as long as they all fail alike and at once; `over` as soon as one does not. */
export type Beginning = readonly QuickFailure[] | 'over'

interface QuickFailure {
  readonly variant: string
  readonly way: string
}

/** One more run has ended. What was cancelled says nothing, either way. */
export function afterFirstRun(
  beginning: Beginning,
  run: Run,
  { outcome, wall_s }: Pick<AttemptResult, 'outcome' | 'wall_s'>,
): Beginning {
  if (beginning === 'over' || outcome.kind === 'cancelled') return beginning
  const way = wayOfFailing(outcome)
  const isAlike = beginning.every(failure => failure.way === way)
  if (!isFailure(outcome) || wall_s > quickSeconds || !isAlike) return 'over'
  return [...beginning, { variant: canonicalJson([run.params, run.ablation]), way }]
}

/**
 * Why going on makes no sense: a wrong path or a missing package fails every run, and a worker on a machine that lacks
 * something would fail all that others could do. One bad variant alone is no reason.
 */
export function flappingReason(beginning: Beginning, experiment: Experiment, lastWords: () => string): string | null {
  const enough = experiment.limits.initial_failures ?? usualFailures
  if (beginning === 'over' || enough === 0 || beginning.length < enough) return null
  const variants = new Set(beginning.map(({ variant }) => variant)).size
  if (variants < 2 && hasSeveralVariants(experiment)) return null
  const [, cause = ''] = (beginning[0]?.way ?? '').split(':')
  const said = lastWords()
  const how = `${cause === '' ? '' : ` (${cause})`}${said === '' ? '' : `: ${said}`}`
  const first = beginning.length === 1 ? 'the first run' : `the first ${beginning.length} runs all`
  return `${first} failed at once${beginning.length === 1 ? '' : ' and in the same way'}${how} (--keep-going goes on all the same)`
}

function hasSeveralVariants({ factors, zip, include, ablations }: Experiment): boolean {
  const varying = [...factors, ...zip.flat()].some(
    ({ levels, domain }) => levels.length > 1 || (domain !== undefined && levels.length === 0),
  )
  return varying || include.length > 0 || ablations.length > 1
}
