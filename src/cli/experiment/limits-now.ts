import type { Experiment } from '../../define/experiment.ts'
import { type Limits, limitsInForce } from '../../define/limits.ts'
import type { Intent } from '../../engine/foresight.ts'
import { limitsSet, readExperiment } from '../../record/journal/experiment-row.ts'
import { asExperimentDirectory } from '../../record/places.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Options } from '../options.ts'
import { type Chosen, explicitLimits } from './choose-experiment.ts'
import { withJournal } from './with-journal.ts'

/**
 * The limits that `run` would have now: those of the experiment, overridden by `assay set`, overridden by this command
 * line.
 */
export function limitsNow({ limits }: Pick<Experiment, 'limits'>, set: JsonObject, options: Options): Limits {
  const given = explicitLimits(options)
  const kept = Object.entries(set).filter(([name]) => !given.some(limit => limit === name))
  return limitsInForce(limits, Object.fromEntries(kept))
}

/** The experiment with these limits. */
export function withLimitsNow(chosen: Chosen, options: Options): Chosen {
  if (asExperimentDirectory(chosen.dir) === undefined) return chosen
  const set = withJournal(chosen.dir, journal => {
    const row = readExperiment(journal)
    return row && limitsSet(journal, row)
  })
  if (set === undefined) return chosen
  const limits = limitsNow(chosen.experiment, set, options)
  return { ...chosen, experiment: { ...chosen.experiment, limits } }
}

/** What these options of `run` would mean for a run: see {@link foresee}. */
export const intentOf = (chosen: Chosen, options: Options): Intent => ({
  ...chosen,
  rerun: options.rerun ?? [],
  retryFailed: options.retryFailed ?? false,
  fresh: options.fresh ?? false,
  stale: options.stale ?? null,
  takesIn: options.resume ?? false,
  limitsOver: set => limitsNow(chosen.experiment, set, options),
})
