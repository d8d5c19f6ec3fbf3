import type { BoundTarget } from '../define/target.ts'
import { planHash } from '../plan/plan-hash.ts'
import { plannerFor } from '../plan/planners/registry.ts'
import { addTag, isDefinedAs, readExperiment } from '../record/journal/experiment-row.ts'
import { Journal } from '../record/journal/journal.ts'
import { journalFile, keepConfiguration, makeExperimentDirectory } from '../record/places.ts'
import { standing } from '../record/read/standing.ts'
import type { Summary } from '../record/summary.ts'
import { refuseMissingInputs } from './prepare/inputs-and-outputs.ts'
import { fingerprintNow, type Preparation, prepareJournal } from './prepare/prepare.ts'
import type { RunRequest, Surroundings } from './request.ts'
import { refuseBesideRun } from './session/join.ts'

/** One call of `assay sweep create`. */
export interface CreateRequest
  extends BoundTarget,
    Pick<RunRequest, 'definition' | 'isGiven' | 'dir' | 'plan' | 'stale' | 'explicitLimits' | 'tags' | 'errorAt'> {}

export interface Created {
  readonly id: string
  /** Whether there was none before, or one that is defined otherwise now, or the very same. */
  readonly was: 'new' | 'changed' | 'same'
  /** How many runs there will be; null: only the future can tell. */
  readonly planned: number | null
  readonly summary: Summary
}

/** Makes an experiment's directory and journal, and runs nothing: that is for workers. What was run before stays. */
export function createExperiment(request: CreateRequest, around: Surroundings): Created {
  const { experiment, dir, plan, tags } = request
  const planner = plannerFor(experiment, plan)
  // Counting finds a plan without runs: then nothing is made.
  planner.count()
  refuseMissingInputs(request, around.cwd)
  makeExperimentDirectory(dir)
  const journal = Journal.open(journalFile(dir))
  try {
    const before = readExperiment(journal)
    const isSame = before !== undefined && isAsBefore(journal, request, around)
    if (isSame) for (const tag of tags) addTag(journal, null, tag, around.clock.now())
    else {
      refuseBesideRun(journal, around.clock.now())
      prepareJournal(journal, { ...request, ...nothingAgain }, planner, around, 'create')
      if (request.isGiven) keepConfiguration(dir, experiment)
    }
    const was = before === undefined ? 'new' : isSame ? 'same' : 'changed'
    const { short_id: id = '', planned = null } = readExperiment(journal) ?? {}
    return { id, was, planned, summary: standing(journal, dir, { scope: 'call' }) }
  } finally {
    journal.close()
  }
}

const nothingAgain: Pick<Preparation, 'retryFailed' | 'rerun' | 'fresh' | 'note'> = {
  retryFailed: false,
  rerun: [],
  fresh: false,
  note: null,
}

function isAsBefore(journal: Journal, request: CreateRequest, around: Surroundings): boolean {
  const { experiment, plan } = request
  const row = readExperiment(journal)
  return (
    row !== undefined &&
    isDefinedAs(journal, row, experiment) &&
    row.fingerprint === fingerprintNow(request, around.cwd).hash &&
    row.generation_hash === planHash(experiment, plan)
  )
}
