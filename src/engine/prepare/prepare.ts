import type { Experiment } from '../../define/experiment.ts'
import { type Limits, limitsInForce } from '../../define/limits.ts'
import { type BoundTarget, budgetProblem } from '../../define/target.ts'
import { explainChange, type Fingerprint, isNumbered, planHash } from '../../plan/identity.ts'
import { plannerFor } from '../../plan/plan.ts'
import { everything, isEverything, type Planner, plannedRuns } from '../../plan/planner.ts'
import {
  addNote,
  addTag,
  fingerprintParts,
  limitsSet,
  logEvent,
  readExperiment,
  setControl,
  writeDefinition,
  writeLimitsSet,
} from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { fingerprintNow, recordedArguments } from '../../record/provenance/provenance.ts'
import { findRun } from '../../record/read/observations.ts'
import type { RunStanding } from '../../record/read/standing.ts'
import { reserveRunning } from '../../record/runs/ledger.ts'
import {
  type DefinitionRuns,
  type Generation,
  keptRuns,
  refuseTakenNames,
  setDefinitionRuns,
  startGeneration,
} from '../../record/runs/offer.ts'
import { endWaits, keepStale, reopenAll, reopenRuns, reopenToScore, staleToScore } from '../../record/runs/settle.ts'
import { AssayError } from '../../util/errors.ts'
import type { RunRequest, Surroundings } from '../call.ts'
import { reservationOf } from '../rules/limits.ts'
import { existingRuns, runsWithMoreSeeds, withOwnSeeds } from './definition-runs.ts'
import { reopenByRule } from './reopen-by-rule.ts'

/** What decides the state of the journal: not how, or by whom, runs are performed. */
export type Preparation = Omit<RunRequest, 'isGiven' | 'dir' | 'executor' | 'failFast'>

/**
 * Updates the journal to the current request: definition, wanted runs, and which of them run again. Returns the
 * fingerprint that they are run with, and the limits that apply.
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
  const fingerprint = fingerprintNow(request, around.cwd)
  // Walking the plan may take seconds, during which other processes should not have to wait for the journal.
  const generation = newGeneration(journal, request, planner)
  const members = newDefinitionRuns(journal, request, planner, generation)
  return journal.transaction(() => {
    writeDefinition(journal, experiment, fingerprint, now, request.definition)
    // Only planning leaves a pause or a stop in place.
    if (call === 'run') setControl(journal, 'go')
    const limits = settleLimits(journal, request, now)
    if (generation !== null) startGeneration(journal, generation)
    if (members !== null) setDefinitionRuns(journal, members)
    reopen(journal, { ...request, limits }, fingerprint)
    for (const tag of request.tags) addTag(journal, null, tag, now)
    if (request.note !== null) addNote(journal, null, request.note, now)
    logEvent(journal, call, { argv: recordedArguments(around.argv) }, now)
    return { fingerprint: fingerprint.hash, limits }
  })
}

/** null: the wanted runs are those of the last call. */
function newGeneration(journal: Journal, { experiment, plan }: Preparation, planner: Planner): Generation | null {
  const hash = planHash(experiment, plan)
  if (readExperiment(journal)?.generationHash === hash) return null
  if (hasFixedNames(experiment)) refuseTakenNames(journal, plannedRuns(planner))
  const common = { hash, options: plan, planned: planner.count() }
  if (planner.keeps === undefined)
    return { ...common, plannerState: planner.start(), wanted: existingRuns(journal, planner) }
  const kept = keptRuns(journal, planner.keeps)
  return { ...common, plannerState: planner.start(kept.map(({ run }) => run)), wanted: kept.map(({ id }) => id) }
}

/** Whether names follow from the definition alone, without a hash; numbers in names are assigned by the journal. */
const hasFixedNames = ({ naming }: Experiment): boolean => 'template' in naming && !isNumbered(naming.template)

/**
 * null: the runs that analysis covers are those of the last call's definition. Runs that a search proposed and never
 * began do not count as its own, so each new plan of it checks again.
 */
function newDefinitionRuns(
  journal: Journal,
  { experiment, definition = experiment, plan }: Preparation,
  planner: Planner,
  generation: Generation | null,
): DefinitionRuns | null {
  const options = { ...plan, selection: everything }
  const whole = withOwnSeeds(experiment, definition)
  const hash = planHash(whole, options)
  const isProposedAnew = generation !== null && planner.keeps !== undefined
  if (readExperiment(journal)?.definitionHash === hash && !isProposedAnew) return null
  const isWhole = whole === experiment && isEverything(plan.selection)
  const all = isWhole ? planner : plannerFor(whole, options)
  // The plan has already been walked if it is new and complete.
  const own = isWhole && generation !== null ? generation.wanted : existingRuns(journal, all)
  const more = runsWithMoreSeeds(journal, whole, options)
  const planned = all.count()
  return { hash, planned: planned === null ? null : planned + more.length, ids: [...own, ...more] }
}

/** Limits given now override `assay set`; a budget among them must be enforceable. */
function settleLimits(journal: Journal, request: Preparation, now: number): Limits {
  const { experiment, target, bound, explicitLimits } = request
  const row = readExperiment(journal)
  const before = Object.entries(row === undefined ? {} : limitsSet(journal, row))
  const kept = Object.fromEntries(before.filter(([name]) => !explicitLimits.some(given => given === name)))
  if (explicitLimits.length > 0) writeLimitsSet(journal, kept)
  const limits = limitsInForce(experiment.limits, kept)
  keepBudget(
    journal,
    limits,
    { kind: target.kind, bound, hint: 'add --run-budget 0.50; 0 declares that runs are free' },
    now,
  )
  return limits
}

/** A budget must be enforceable, and applies to running attempts too. */
export function keepBudget(
  journal: Journal,
  limits: Limits,
  { kind, bound, hint }: Pick<BoundTarget, 'bound'> & { readonly kind: string; readonly hint: string },
  now: number,
): void {
  const problem = budgetProblem(limits, kind, bound())
  if (problem !== null) throw new AssayError('usage', problem, { hint })
  if (limits.budget_usd !== null) reserveRunning(journal, run => reservationOf(limits, bound(run)), now)
}

/** What runs again: everything, the runs that this call names, and what the rule says about the others. */
function reopen(journal: Journal, request: Preparation & { readonly limits: Limits }, fingerprint: Fingerprint): void {
  if (request.mode === 'score') {
    reopenScored(journal, request)
    return
  }
  for (const name of request.rerun) if (name !== 'quarantined') reopenNamed(journal, name)
  if (request.fresh) reopenAll(journal)
  endWaits(journal)
  const refused = reopenByRule(journal, { ...request, quarantined: request.rerun.includes('quarantined') })
  if (refused.length > 0) throw areStale(journal, refused, fingerprint)
  if (request.stale === 'keep') keepStale(journal)
}

/** What a run left can only be scored with the definition that it was made with. */
function reopenScored(journal: Journal, { target }: Preparation): void {
  if (target.scoresAgain !== true)
    throw new AssayError(
      'usage',
      `runs of the target ${target.kind} can't be scored again: running and scoring are one step`,
    )
  const stale = staleToScore(journal)
  if (stale > 0)
    throw new AssayError(
      'stale',
      `${stale === 1 ? '1 run was' : `${stale} runs were`} made with an earlier definition`,
      {
        hint: 'Run them again with `assay run --stale rerun`: they are scored then.',
        facts: { stale },
      },
    )
  endWaits(journal)
  reopenToScore(journal)
}

/** Runs of an earlier definition are neither used nor discarded unless the user says so. */
function areStale(journal: Journal, runs: readonly RunStanding[], fingerprint: Fingerprint): AssayError {
  const [last = ''] = runs.map(run => run.fingerprint ?? '').sort((a, b) => (a < b ? 1 : -1))
  const before = fingerprintParts(journal, last)
  const change = before === undefined ? 'the definition changed' : explainChange(before, fingerprint.parts)
  const belong = runs.length === 1 ? '1 finished run belongs' : `${runs.length} finished runs belong`
  return new AssayError('stale', `${belong} to an earlier definition: ${change}`, {
    hint: 'Run them again with `--stale rerun`, or accept them as they are with `--stale keep`. Nothing was changed.',
    facts: { stale: runs.length, change },
  })
}

function reopenNamed(journal: Journal, name: string): void {
  const run = runToRerun(journal, name)
  if (reopenRuns(journal, [run.id], 'anew') === 0)
    throw new AssayError('usage', `${run.name} can't run again now: it is running, or not part of this plan`)
}

/** The run that `--rerun` names: words for several runs belong to other options. */
export function runToRerun(journal: Journal, name: string): ReturnType<typeof findRun> {
  try {
    return findRun(journal, name)
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'not_found') throw error
    const meant = severalRuns[name.toLowerCase()]
    throw meant === undefined
      ? error
      : new AssayError('not_found', `--rerun ${name}: ${error.message}`, { hint: meant })
  }
}

const failed =
  'What failed or timed out is run again with --retry-failed; all that is quarantined with --rerun quarantined.'
const severalRuns: { readonly [word: string]: string } = {
  failed,
  timed_out: failed,
  all: 'Everything is run again with --fresh.',
  stale: 'What is stale is run again with --stale rerun.',
}
