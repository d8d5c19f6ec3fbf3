import { existsSync } from 'node:fs'
import { dialectNamed } from '../define/dialects/registry.ts'
import type { Experiment } from '../define/experiment.ts'
import { limitsInForce, limitsMerged } from '../define/limits.ts'
import type { Summary } from '../define/outcome.ts'
import type { AttemptMode } from '../define/run.ts'
import type { BoundTarget } from '../define/target.ts'
import { planHash } from '../plan/identity.ts'
import { plannerFor } from '../plan/plan.ts'
import {
  addTag,
  definitionOf,
  isDefinedAs,
  limitsSet,
  logEvent,
  readExperiment,
  writeLimitsSet,
} from '../record/journal/experiment-row.ts'
import { Journal } from '../record/journal/journal.ts'
import { journalFile, keepConfiguration, makeExperimentDirectory } from '../record/places.ts'
import { fingerprintNow } from '../record/provenance/provenance.ts'
import { outsideDefinition, standing, standingReader } from '../record/read/standing.ts'
import { AssayError, messageOf } from '../util/errors.ts'
import type { JsonObject } from '../util/json.ts'
import type { RunRequest, Surroundings, WorkEnd } from './call.ts'
import { rateNotes } from './foresight.ts'
import { runHook } from './prepare/hooks.ts'
import { importOriginals, refuseMixedOriginals } from './prepare/import-originals.ts'
import { refuseMissingInputs, reopenLostOutputs } from './prepare/inputs-and-outputs.ts'
import { keepBudget, type Preparation, prepareJournal } from './prepare/prepare.ts'
import { noteProgramChange } from './prepare/program-change.ts'
import { refuseUnready } from './prepare/refuse-unready.ts'
import { refuseUnrecorded } from './repair/repair.ts'
import { refuseBesideRun } from './session/join.ts'
import { type Session, withSession } from './session/session.ts'
import { withCleanup } from './session/with-cleanup.ts'
import { workUntilDone } from './work.ts'

/** `assay run`: executes every missing run of the experiment, and reports the state. */
export async function runExperiment(request: RunRequest, around: Surroundings): Promise<WorkEnd> {
  const { experiment, dir, executor } = request
  const planner = plannerFor(experiment, request.plan)
  // Counting detects a filter that matches nothing: then nothing is made.
  planner.count()
  refuseMissingInputs(request, around.cwd)
  if (request.takesIn) refuseMixedOriginals(dir, experiment, planner)
  // If nothing was run yet, everything is needed: a refusal leaves no directory behind.
  const isNew = !request.takesIn && !existsSync(journalFile(dir))
  if (isNew) await refuseUnready(request, experiment.limits)
  makeExperimentDirectory(dir)
  return withSession({ dir, kind: 'run', executor, limits: experiment.limits, around }, async session => {
    if (!request.fresh) refuseUnrecorded(session.journal, dir)
    await importOriginals(session, request, planner, around)
    const { fingerprint, limits } = prepareJournal(session.journal, request, planner, around)
    if (request.isGiven) keepConfiguration(dir, experiment)
    if (request.mode !== 'score') announceLostOutputs(session, request, around.clock.now())
    executor.resize(limits.jobs)
    const { completed: reused, pending } = standing(session.journal, dir, { scope: 'call' })
    const notes = new Set([
      ...(experiment.notes ?? []),
      ...(dialectNamed(experiment.dialect).notes?.(experiment, { isEndless: planner.count() === null }) ?? []),
      ...(request.target.notes?.(request.spec, experiment) ?? []),
      ...rateNotes(limits, experiment, request.bound()),
    ])
    for (const message of notes) session.emit({ kind: 'notice', level: 'warning', message })
    const changed = noteProgramChange(session.journal, request, reused)
    if (changed !== null) session.emit({ kind: 'notice', level: 'warning', message: changed })
    const { foreign } = outsideDefinition(session.journal)
    if (foreign > 0) session.emit({ kind: 'notice', level: 'warning', message: alsoHolds(foreign) })
    const { planned = null, isPlanDone = false } = readExperiment(session.journal) ?? {}
    const most = planner.most?.() ?? null
    // If the number depends on results, none may be waiting yet.
    const isNothingLeft = pending === 0 && (planned !== null || isPlanDone)
    if (!isNothingLeft && !isNew)
      await refuseUnready(request, limits, completedBefore(session, request.mode, fingerprint))
    session.emit({
      kind: 'started',
      name: experiment.name,
      dir,
      planned,
      ...(planned === null && most !== null && { at_most: most }),
      reused,
      to_run: pending,
      jobs: executor.slots,
    })
    const { failFast, bound, requirePass, mode } = request
    const common = { experiment, fingerprint, bound, failFast, reused, requirePass, mode }
    const work = { ...common, kind: 'run', slots: null, count: null } as const
    if (isNothingLeft) return workUntilDone(session, work, around)
    return withCleanup(
      async () => {
        await runHook('setup', experiment, dir, around.interrupts)
        return workUntilDone(session, work, around)
      },
      () => runHook('cleanup', experiment, dir, around.interrupts),
      error => session.emit({ kind: 'notice', level: 'warning', message: messageOf(error) }),
    )
  })
}

/** For scoring, the completed runs are the ones that are needed. */
function completedBefore(
  { journal }: Session,
  mode: AttemptMode | undefined,
  fingerprint: string,
): (key: string) => boolean {
  if (mode === 'score') return () => false
  const standingOf = standingReader(journal, fingerprint)
  return key => standingOf(key)?.state === 'completed'
}

const alsoHolds = (runs: number): string =>
  `this directory also contains ${runs} ${runs === 1 ? 'run' : 'runs'} of another definition, which do not count; if this is another experiment of the same name, give it another name with --exp-name`

function announceLostOutputs(session: Session, request: RunRequest, now: number): void {
  const lost = reopenLostOutputs(session.journal, session.dir, request.experiment.outputs)
  const [first] = lost
  if (first === undefined) return
  logEvent(session.journal, 'outputs_lost', { runs: lost.map(({ run, path }) => ({ run, path })) }, now)
  const what = lost.length === 1 ? 'a completed run lost' : `${lost.length} completed runs lost`
  const message = `${what} a declared output and will run again: ${first.run} has no ${first.path}`
  session.emit({ kind: 'notice', level: 'warning', message })
}

/** One call of `assay sweep create`. */
export interface CreateRequest
  extends BoundTarget,
    Pick<RunRequest, 'definition' | 'isGiven' | 'dir' | 'plan' | 'stale' | 'explicitLimits' | 'tags' | 'errorAt'> {}

export interface Created {
  readonly id: string
  /** Whether the directory had no experiment before, another definition, or the same one. */
  readonly was: 'new' | 'changed' | 'same'
  /** How many runs there will be; null: it depends on the results. */
  readonly planned: number | null
  readonly summary: Summary
}

/** Makes an experiment's directory and journal. Workers execute its runs. Finished runs are kept. */
export function createExperiment(request: CreateRequest, around: Surroundings): Created {
  const { experiment, dir, plan, tags } = request
  const planner = plannerFor(experiment, plan)
  // Counting detects a plan without runs: then nothing is made.
  planner.count()
  refuseMissingInputs(request, around.cwd)
  makeExperimentDirectory(dir)
  const journal = Journal.open(journalFile(dir))
  try {
    const before = readExperiment(journal)
    const isSame = before !== undefined && isAsBefore(journal, request, around)
    if (isSame) for (const tag of tags) addTag(journal, null, tag, around.clock.now())
    else {
      refuseBesideRun(journal)
      prepareJournal(journal, { ...request, ...nothingAgain }, planner, around, 'create')
      if (request.isGiven) keepConfiguration(dir, experiment)
    }
    const was = before === undefined ? 'new' : isSame ? 'same' : 'changed'
    const { shortId: id = '', planned = null } = readExperiment(journal) ?? {}
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
    row.generationHash === planHash(experiment, plan)
  )
}

/** One call of `assay set`. */
export interface LimitsRequest {
  /** By the names that limits have in an experiment file. */
  readonly changes: JsonObject
  /** The most that runs of an experiment can cost. */
  bound(experiment: Experiment): BoundTarget['bound']
  readonly now: number
}

/**
 * Puts limits over the current ones, also while the experiment is running; a budget must be enforceable. Returns all
 * limits that were ever set.
 */
export function setLimits(journal: Journal, { changes, bound, now }: LimitsRequest): JsonObject {
  return journal.transaction(() => {
    const row = readExperiment(journal)
    if (row === undefined)
      throw new AssayError('usage', 'the journal has no experiment yet: the process that was to begin it has ended', {
        hint: 'Run the experiment once; then its limits can be set.',
      })
    const all = limitsMerged(limitsSet(journal, row), changes)
    writeLimitsSet(journal, all)
    const experiment = definitionOf(journal, row)
    const limits = limitsInForce(experiment.limits, all)
    const hint = `Set both: budget_usd=${limits.budget_usd} run_budget_usd=0.50; 0 declares that runs are free.`
    keepBudget(journal, limits, { kind: experiment.target.kind, bound: bound(experiment), hint }, now)
    logEvent(journal, 'set', changes, now)
    return all
  })
}
