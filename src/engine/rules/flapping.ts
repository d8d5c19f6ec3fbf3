import type { Experiment } from '../../define/experiment.ts'
import { isFailure } from '../../define/outcome.ts'
import type { AttemptResult, Run } from '../../define/run.ts'
import { canonicalJson } from '../../util/json.ts'
import { failureKey } from './after-attempt.ts'

/** How many first failures are enough, unless the limit says otherwise. */
/** A run that took longer did some work before it failed. */
const quickSeconds = 60

/** How a call began, as long as its runs all fail quickly and in the same way; `over` as soon as one does not. */
export type Beginning =
  | {
      readonly failures: number
      readonly way: string | null
      /** One or two of those that failed: enough to show that more than one is affected. */
      readonly variants: readonly string[]
    }
  | 'over'

export const noRunsYet: Beginning = { failures: 0, way: null, variants: [] }

/** One more run has ended. A cancelled run says nothing either way. */
export function afterFirstRun(
  beginning: Beginning,
  run: Run,
  { outcome, wall_s }: Pick<AttemptResult, 'outcome' | 'wall_s'>,
): Beginning {
  if (beginning === 'over' || outcome.kind === 'cancelled') return beginning
  const way = failureKey(outcome)
  const isAlike = beginning.way === null || beginning.way === way
  if (!isFailure(outcome) || wall_s > quickSeconds || !isAlike) return 'over'
  const variant = canonicalJson([run.params, run.ablation])
  const isOther = beginning.variants.length < 2 && !beginning.variants.includes(variant)
  const variants = isOther ? [...beginning.variants, variant] : beginning.variants
  return { failures: beginning.failures + 1, way, variants }
}

/**
 * Why continuing makes no sense: a wrong path or a missing package fails every run, and a worker on a machine that
 * lacks something would fail runs that others could execute. One bad variant alone is no reason.
 */
export function flappingReason(
  beginning: Beginning,
  experiment: Experiment,
  enough: number,
  lastWords: () => string,
): string | null {
  if (beginning === 'over' || enough === 0 || beginning.failures < enough) return null
  if (beginning.variants.length < 2 && hasSeveralVariants(experiment)) return null
  const [, cause = ''] = (beginning.way ?? '').split(':')
  const lastOutput = lastWords()
  const how = `${cause === '' ? '' : ` (${cause})`}${lastOutput === '' ? '' : `: ${lastOutput}`}`
  const first =
    beginning.failures === 1
      ? 'the first run failed at once'
      : `the first ${beginning.failures} runs all failed at once and in the same way`
  return `${first}${how} (--keep-going continues anyway)`
}

function hasSeveralVariants({ factors, zip, include, ablations }: Experiment): boolean {
  const varying = [...factors, ...zip.flat()].some(
    ({ levels, domain }) => levels.length > 1 || (domain !== undefined && levels.length === 0),
  )
  return varying || include.length > 0 || ablations.length > 1
}
