import type { OriginalResult } from '../define/dialects/registry.ts'
import type { Experiment } from '../define/experiment.ts'
import type { Limits } from '../define/limits.ts'
import type { Run } from '../define/run.ts'
import type { Bound, BoundTarget } from '../define/target.ts'
import { providerMeant } from '../models/model-facts.ts'
import { explainChange, type Fingerprint, planHash } from '../plan/identity.ts'
import { plannerFor } from '../plan/plan.ts'
import type { PlannerOptions } from '../plan/planner.ts'
import { fingerprintParts, limitsSet, readExperiment } from '../record/journal/experiment-row.ts'
import { Journal } from '../record/journal/journal.ts'
import { asExperimentDirectory, journalFile, runFolder } from '../record/places.ts'
import { fingerprintNow } from '../record/provenance/provenance.ts'
import { type RunStanding, standingReader } from '../record/read/standing.ts'
import { keptRuns, lastingNames } from '../record/runs/offer.ts'
import { AssayError } from '../util/errors.ts'
import type { JsonObject } from '../util/json.ts'
import type { RunRequest } from './call.ts'
import { originalResults } from './prepare/import-originals.ts'
import { lostOutput, refuseMissingInputs } from './prepare/inputs-and-outputs.ts'
import { runToRerun } from './prepare/prepare.ts'
import { type NextAction, nextAction } from './rules/next-action.ts'
import { presentWorkers } from './status/experiment-status.ts'

export type { NextAction } from './rules/next-action.ts'

/** Predicts what the next `run` would do with a run, and gives its name if it was ever run. */
export type Foresight = (run: Run) => Pick<NextAction, 'action' | 'why'> & { readonly name: string }

/** The part of a `run` call that decides what happens to a run. */
export interface Intent
  extends BoundTarget,
    Pick<RunRequest, 'dir' | 'errorAt' | 'retryFailed' | 'rerun' | 'fresh' | 'stale' | 'takesIn'> {
  /** The limits that would apply, given those that `assay set` put over the definition. */
  limitsOver(set: JsonObject): Limits
}

/**
 * Opens the journal, if there is one, while `work` runs. Reads run by run, because a million runs take too much memory.
 * Nothing is created or changed.
 */
export async function withForesight<T>(
  intent: Intent,
  cwd: string,
  work: (foresight: Foresight) => T | Promise<T>,
): Promise<T> {
  refuseMissingInputs(intent, cwd)
  const now = fingerprintNow(intent, cwd)
  if (asExperimentDirectory(intent.dir) === undefined) return work(foresee(intent, now, nothingKnown))
  const journal = Journal.openExisting(journalFile(intent.dir))
  try {
    return await work(foresee(intent, now, known(journal, intent, now)))
  } finally {
    journal.close()
  }
}

function foresee(intent: Intent, now: Fingerprint, known: Known): Foresight {
  const { experiment, bound, dir, rerun, retryFailed, fresh, stale } = intent
  const limits = intent.limitsOver(known.limitsSet)
  const changes = new Map<string | null, string>()
  const change = ({ fingerprint }: RunStanding): string => {
    const explained = changes.get(fingerprint) ?? known.changeSince(fingerprint, now)
    changes.set(fingerprint, explained)
    return explained
  }
  const isNamed = ({ id, ended }: RunStanding) =>
    known.named.has(id) || (ended === 'quarantined' && rerun.includes('quarantined'))
  const lost = ({ name, outputs }: RunStanding) => lostOutput(experiment.outputs, outputs, runFolder(dir, name))
  const original = (intent.takesIn && originalResults(dir, experiment)) || undefined
  return run => {
    const standing = known.standing(run.key)
    const found = standing === undefined || standing.attempts === 0 ? original?.(run) : null
    if (found) return { ...takingIn(found), name: standing?.name ?? known.lasting(run).name }
    const { action, why } = nextAction(standing, {
      limits,
      bound: bound(run),
      retryFailed,
      fresh,
      isNamed: standing !== undefined && isNamed(standing),
      stale,
      change: standing?.state === 'stale' ? change(standing) : '',
      isCutOff: standing?.state === 'running' && !known.present.has(standing.workerId ?? -1),
      lostOutput: standing === undefined || !hasResult(standing) ? null : lost(standing),
    })
    return { action, why, name: standing?.name ?? known.lasting(run).name }
  }
}

const takingIn = ({ outcome }: OriginalResult): Pick<NextAction, 'action' | 'why'> =>
  outcome.kind === 'completed'
    ? { action: 'reuse', why: 'its result from another program is imported (--resume)' }
    : { action: 'leave', why: 'another program made it, and it failed; --retry-failed runs it again' }

const hasResult = ({ ended }: RunStanding): boolean => ended === 'completed'

interface Known {
  readonly lasting: (run: Run) => Run
  readonly standing: (key: string) => RunStanding | undefined
  /** What changed since the definition with this fingerprint. */
  readonly changeSince: (fingerprint: string | null, now: Fingerprint) => string
  readonly limitsSet: ReturnType<typeof limitsSet>
  readonly named: ReadonlySet<number>
  readonly present: ReadonlySet<number>
}

const nothingKnown: Known = {
  lasting: run => run,
  standing: () => undefined,
  changeSince: () => '',
  limitsSet: {},
  named: new Set(),
  present: new Set(),
}

function known(journal: Journal, { experiment, rerun }: Intent, { hash }: Fingerprint): Known {
  const row = readExperiment(journal)
  const names = rerun.filter(name => name !== 'quarantined')
  return {
    lasting: lastingNames(journal, experiment),
    standing: standingReader(journal, hash),
    changeSince: (fingerprint, now) =>
      fingerprint === null
        ? 'it was made by another definition'
        : explainChange(fingerprintParts(journal, fingerprint) ?? {}, now.parts),
    limitsSet: row === undefined ? {} : limitsSet(journal, row),
    named: new Set(names.map(name => runToRerun(journal, name).id)),
    present: new Set(presentWorkers(journal).map(({ id }) => id)),
  }
}

/** Notes on rates that have no effect: no provider has that name, or runs call no models through assay. */
export function rateNotes(
  { rate }: Pick<Limits, 'rate'>,
  { models = {}, target }: Pick<Experiment, 'models' | 'target'>,
  bound: Bound,
): readonly string[] {
  const named = Object.keys(rate).map(provider => ({ provider, meant: providerMeant(provider, models) }))
  const unknown = named.filter(({ provider, meant }) => meant !== provider)
  const idle = bound === 'per_call' ? [] : named.filter(({ provider, meant }) => meant === provider)
  return [
    ...unknown.map(
      ({ provider, meant }) =>
        `no provider is called "${provider}", so its rate has no effect${meant === null ? '' : `: did you mean "${meant}"?`}`,
    ),
    ...idle.map(
      ({ provider }) =>
        `the rate of ${provider} has no effect: runs of a ${target.kind} target do not call models through assay`,
    ),
  ]
}

/** The runs that a search counts as its own, and whether it has proposed all of its runs. */
export function searchStanding(
  journal: Journal,
  experiment: Experiment,
  options: PlannerOptions,
): { readonly runs: readonly Run[]; readonly isDone: boolean } {
  const { keeps } = plannerFor(experiment, options)
  if (keeps === undefined) return { runs: [], isDone: false }
  const row = readExperiment(journal)
  return {
    runs: keptRuns(journal, keeps).map(({ run }) => run),
    isDone: row?.generationHash === planHash(experiment, options) && row.isPlanDone,
  }
}

/**
 * The fingerprint that runs made now would have; undefined if an input is missing: an experiment that can't be run can
 * still be viewed.
 */
export function fingerprintIfRunnable(bound: BoundTarget, cwd: string): string | undefined {
  try {
    return fingerprintNow(bound, cwd).hash
  } catch (error) {
    if (error instanceof AssayError) return undefined
    throw error
  }
}
