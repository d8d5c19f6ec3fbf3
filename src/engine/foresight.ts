import type { Experiment } from '../define/experiment.ts'
import type { Limits } from '../define/limits.ts'
import type { Run } from '../define/run.ts'
import type { Bound, BoundTarget } from '../define/target.ts'
import { providerNamed, providers } from '../models/names/known-names.ts'
import { explainChange } from '../plan/plan-hash.ts'
import { fingerprintParts, limitsSet, readExperiment } from '../record/journal/experiment-row.ts'
import { Journal } from '../record/journal/journal.ts'
import { asExperimentDirectory, journalFile, runFolder } from '../record/places.ts'
import { type RunStanding, runStandings } from '../record/read/runs.ts'
import { lastingNames } from '../record/runs/offer.ts'
import type { JsonObject } from '../util/json.ts'
import { suggest } from '../util/suggest.ts'
import { lostOutput, refuseMissingInputs } from './prepare/inputs-and-outputs.ts'
import { fingerprintNow, runToRerun } from './prepare/prepare.ts'
import { presentWorkers } from './presence.ts'
import type { RunRequest } from './request.ts'
import { type NextAction, nextAction } from './rules/next-action.ts'

export type { NextAction } from './rules/next-action.ts'

/** Tells of any run what the next `run` would do with it, and the name that it has if it was ever run. */
export type Foresight = (run: Run) => Pick<NextAction, 'action' | 'why'> & { readonly name: string }

/** What a call of `run` would be asked, as far as it decides about a run. */
export interface Intent
  extends BoundTarget,
    Pick<RunRequest, 'dir' | 'errorAt' | 'retryFailed' | 'rerun' | 'fresh' | 'stale'> {
  /** The limits that would hold, given those that `assay set` laid over the definition. */
  limitsOver(set: JsonObject): Limits
}

/** Looks into the journal, if there is one, once; nothing is made or changed. */
export function foresee(intent: Intent, cwd: string): Foresight {
  const { experiment, bound, dir, errorAt, rerun, retryFailed, fresh, stale } = intent
  refuseMissingInputs({ experiment, errorAt }, cwd)
  const now = fingerprintNow(intent, cwd)
  const known = asExperimentDirectory(dir) === undefined ? nothingKnown : whatIsKnown(dir, experiment, now.hash, rerun)
  const isNamed = ({ id, ended }: RunStanding) =>
    known.named.has(id) || (ended === 'quarantined' && rerun.includes('quarantined'))
  const limits = intent.limitsOver(known.limitsSet)
  const changes = new Map([...known.parts].map(([hash, parts]) => [hash, explainChange(parts, now.parts)]))
  const lost = ({ name, outputs }: RunStanding) => lostOutput(experiment.outputs, outputs, runFolder(dir, name))
  return run => {
    const standing = known.standings.get(run.key)
    const { action, why } = nextAction(standing, {
      limits,
      bound: bound(run),
      retryFailed,
      fresh,
      isNamed: standing !== undefined && isNamed(standing),
      stale,
      change: changes.get(standing?.fingerprint ?? '') ?? 'it was made by another definition',
      isCutOff: standing?.state === 'running' && !known.present.has(standing.worker_id ?? -1),
      lostOutput: standing === undefined || !hasResult(standing) ? null : lost(standing),
    })
    return { action, why, name: standing?.name ?? known.lasting(run).name }
  }
}

const hasResult = ({ ended }: RunStanding): boolean => ended === 'completed'

const nothingKnown = {
  lasting: (run: Run): Run => run,
  standings: new Map<string, RunStanding>(),
  parts: new Map(),
  limitsSet: {},
  named: new Set<number>(),
  present: new Set<number>(),
}

function whatIsKnown(dir: string, experiment: Experiment, fingerprint: string, rerun: readonly string[]) {
  const journal = Journal.openExisting(journalFile(dir))
  try {
    const row = readExperiment(journal)
    const standings = runStandings(journal, fingerprint)
    const hashes = new Set([...standings.values()].flatMap(standing => standing.fingerprint ?? []))
    const parts = new Map([...hashes].map(hash => [hash, fingerprintParts(journal, hash) ?? {}]))
    const names = rerun.filter(name => name !== 'quarantined')
    const named = new Set(names.map(name => runToRerun(journal, name).id))
    const lasting = lastingNames(journal, experiment)
    const present = new Set(presentWorkers(journal, Date.now()).map(({ id }) => id))
    return { standings, parts, limitsSet: row === undefined ? {} : limitsSet(journal, row), named, present, lasting }
  } finally {
    journal.close()
  }
}

/** Rates that limit nothing, whatever the target: nobody has that name, or runs ask no models through assay. */
export function rateNotes(
  { rate }: Pick<Limits, 'rate'>,
  { models = {}, target }: Pick<Experiment, 'models' | 'target'>,
  bound: Bound,
): readonly string[] {
  const known = new Set([...Object.keys(providers), ...Object.values(models).flatMap(({ provider }) => provider ?? [])])
  const named = Object.keys(rate)
  const unknown = named.filter(provider => !known.has(provider))
  const idle = bound === 'per_call' ? [] : named.filter(provider => known.has(provider))
  return [
    ...unknown.map(
      provider => `no provider is called "${provider}", so that its rate limits nothing${meant(provider, known)}`,
    ),
    ...idle.map(
      provider =>
        `the rate of ${provider} limits nothing: runs of a ${target.kind} target do not call models through assay`,
    ),
  ]
}

function meant(provider: string, known: ReadonlySet<string>): string {
  const nearest = providerNamed(provider) ?? suggest(provider, known)
  return nearest === null ? '' : `: did you mean "${nearest}"?`
}
