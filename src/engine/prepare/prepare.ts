import { budgetProblem } from '../../define/check/check-experiment.ts'
import type { Experiment } from '../../define/experiment.ts'
import { type Limits, limitsInForce } from '../../define/limits.ts'
import { costLimits } from '../../define/permits.ts'
import type { Run } from '../../define/run.ts'
import type { Bound, Target } from '../../define/target.ts'
import { explainChange, type Fingerprint, fingerprintOf } from '../../plan/fingerprint.ts'
import { planHash } from '../../plan/plan-hash.ts'
import { plannedRuns } from '../../plan/planned-runs.ts'
import type { Planner } from '../../plan/planner.ts'
import { logEvent } from '../../record/journal/events.ts'
import {
  fingerprintParts,
  limitsSet,
  readExperiment,
  setControl,
  writeDefinition,
  writeLimitsSet,
} from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { addNote, addTag } from '../../record/journal/labels.ts'
import { digestInputs } from '../../record/provenance/digest-inputs.ts'
import { recordedArguments } from '../../record/provenance/environment.ts'
import { type Generation, keptRuns, startGeneration, stillWanted } from '../../record/runs/generation.ts'
import { reserveRunning } from '../../record/runs/ledger.ts'
import {
  keepStale,
  reopenAll,
  reopenCut,
  reopenInterrupted,
  reopenOutcomes,
  reopenQuarantined,
  reopenRun,
  reopenStale,
  reopenTimedOut,
  staleRuns,
} from '../../record/runs/reopen.ts'
import { refuseTakenNames } from '../../record/runs/taken-names.ts'
import { AssayError } from '../../util/errors.ts'
import type { RunRequest, Surroundings } from '../request.ts'
import { limitNow, reservationOf } from '../rules/limits.ts'
import { runToRerun } from './run-to-rerun.ts'

/** What decides about the journal: not how, or by whom, runs are performed. */
export type Preparation = Omit<RunRequest, 'isGiven' | 'dir' | 'executor' | 'failFast'>

/**
 * Brings the journal in line with what is asked for now: definition, wanted runs, and which of them are to run again.
 * Gives the fingerprint that they are run with, and the limits in force.
 */
export function prepareJournal(
  journal: Journal,
  request: Preparation,
  planner: Planner,
  around: Surroundings,
  call: 'run' | 'create' = 'run',
): { readonly fingerprint: string; readonly limits: Limits } {
  const { experiment } = request
  const now = around.clock.now()
  const fingerprint = fingerprintNow(experiment, request.target, around.cwd)
  // Going through the plan may take seconds, in which nobody else should have to wait for the journal.
  const generation = newGeneration(journal, request, planner)
  return journal.transaction(() => {
    writeDefinition(journal, experiment, fingerprint, now)
    // Whoever only plans leaves a pause, or a stop, as it is.
    if (call === 'run') setControl(journal, 'go')
    const limits = settleLimits(journal, request, now)
    if (generation !== null) startGeneration(journal, generation)
    reopenAsked(journal, request)
    settleStale(journal, request, fingerprint)
    reopenCutOff(journal, limits, boundOf(request))
    for (const tag of request.tags) addTag(journal, null, tag, now)
    if (request.note !== null) addNote(journal, null, request.note, now)
    logEvent(journal, call, { argv: recordedArguments(around.argv) }, now)
    return { fingerprint: fingerprint.hash, limits }
  })
}

/** The fingerprint that runs made now would have. */
export function fingerprintNow(experiment: Experiment, target: Target, cwd: string): Fingerprint {
  const identity = target.identity(target.schema.parse(experiment.target), experiment)
  // What a target of the experiment's own does with the same settings is in its module, as in a declared input.
  const inputs = [...experiment.inputs, ...(experiment.targets ?? []).map(({ path }) => path)]
  return fingerprintOf(experiment, identity, digestInputs(inputs, experiment.folder, cwd))
}

/** null: the runs that are wanted are those of the last call. */
function newGeneration(journal: Journal, { experiment, plan }: Preparation, planner: Planner): Generation | null {
  const hash = planHash(experiment, plan)
  if (readExperiment(journal)?.generation_hash === hash) return null
  if (experiment.naming.kind === 'template') refuseTakenNames(journal, plannedRuns(planner))
  const common = { hash, options: plan, planned: planner.count() }
  if (planner.keeps === undefined)
    return { ...common, plannerState: planner.start(), wanted: stillWanted(journal, plannedKeys(planner)) }
  const kept = keptRuns(journal, planner.keeps)
  return { ...common, plannerState: planner.start(kept.map(({ run }) => run)), wanted: kept.map(({ id }) => id) }
}

function* plannedKeys(planner: Planner): Generator<string> {
  for (const run of plannedRuns(planner)) yield run.key
}

/** Limits given now replace those that `assay set` said; a budget among them must be one that can be kept. */
function settleLimits(journal: Journal, request: Preparation, now: number): Limits {
  const { experiment, target, explicitLimits } = request
  const bound = boundOf(request)
  const row = readExperiment(journal)
  const before = Object.entries(row === undefined ? {} : limitsSet(row))
  const kept = Object.fromEntries(before.filter(([name]) => !explicitLimits.some(given => given === name)))
  if (explicitLimits.length > 0) writeLimitsSet(journal, kept)
  const limits = limitsInForce(experiment.limits, kept)
  const problem = budgetProblem(limits, target.kind, bound())
  if (problem !== null)
    throw new AssayError('usage', problem, { hint: 'add --run-budget 0.50; 0 declares that runs are free' })
  if (limits.budget_usd !== null) reserveRunning(journal, run => reservationOf(limits, bound(run)), now)
  return limits
}

function boundOf({ target, experiment }: Preparation): (run?: Run) => Bound {
  const spec = target.schema.parse(experiment.target)
  return run => target.bound(spec, run)
}

/** Runs of an earlier definition are neither used nor thrown away without being told to. */
function settleStale(journal: Journal, request: Preparation, fingerprint: Fingerprint): void {
  if (request.stale === 'rerun' || request.fresh) reopenStale(journal)
  if (request.stale === 'keep') keepStale(journal)
  const stale = staleRuns(journal)
  if (stale.count === 0 || stale.fingerprint === null) return
  const before = fingerprintParts(journal, stale.fingerprint)
  const change = before === undefined ? 'the definition changed' : explainChange(before, fingerprint.parts)
  const runs = stale.count === 1 ? '1 finished run belongs' : `${stale.count} finished runs belong`
  throw new AssayError('stale', `${runs} to an earlier definition: ${change}`, {
    hint: 'Run them again with `--stale rerun`, or accept them as they are with `--stale keep`. Nothing was changed.',
    facts: { stale: stale.count, change },
  })
}

/** The same line again: what was cut off for reasons outside the run, or by a limit that is higher now. */
function reopenCutOff(journal: Journal, limits: Limits, bound: (run?: Run) => Bound): void {
  reopenInterrupted(journal)
  reopenTimedOut(journal, limits.timeout_ms)
  for (const name of costLimits) reopenCut(journal, name, run => limitNow(name, limits, bound(run)))
}

/** What this call names; before anything is found stale, as what runs again anyway is not. */
function reopenAsked(journal: Journal, request: Preparation): void {
  if (request.retryFailed) reopenOutcomes(journal, ['failed', 'timed_out'])
  for (const name of request.rerun) {
    if (name === 'quarantined') reopenQuarantined(journal)
    else reopenNamed(journal, name)
  }
  if (request.fresh) reopenAll(journal)
}

function reopenNamed(journal: Journal, name: string): void {
  const run = runToRerun(journal, name)
  if (!reopenRun(journal, run.id))
    throw new AssayError('usage', `${run.name} can't run again now: it is running, or not part of this plan`)
}
