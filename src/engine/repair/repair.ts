import { existsSync, lstatSync, opendirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defaultLimits, type Limits, limitsInForce, noRunCaps } from '../../define/limits.ts'
import { type Job, nothingSpent } from '../../define/run.ts'
import { type FoundResult, foundResult, isDamagedResult } from '../../perform/read-result.ts'
import { plannerFor } from '../../plan/plan.ts'
import { everything } from '../../plan/planner.ts'
import {
  definitionOf,
  limitsSet,
  logEvent,
  ownDefinitionOf,
  planOptionsOf,
  readExperiment,
} from '../../record/journal/experiment-row.ts'
import { Journal } from '../../record/journal/journal.ts'
import { journalFile, keptAttemptFolder, runFolder, runPlace, runsFolder } from '../../record/places.ts'
import { damageOfJournal, mergeSaved, type Rebuilt, rebuildJournal, repairHint } from '../../record/repair/rebuild.ts'
import { forgetPlan, recordOf, setDefinitionRuns } from '../../record/runs/offer.ts'
import { hasSpent, settleAttempt } from '../../record/runs/settle.ts'
import { addWorker, attemptsOf, attemptTokens, removeWorker, takeIn } from '../../record/runs/workers.ts'
import { AssayError } from '../../util/errors.ts'
import { type Clock, momentOf } from '../../util/time.ts'
import { existingRuns } from '../prepare/definition-runs.ts'
import { afterAttempt } from '../rules/after-attempt.ts'
import { ownIdentity, presentWorkers } from '../status/experiment-status.ts'

/** What a repair found and did. */
export interface Repaired {
  /** What was wrong with the journal; null: nothing. */
  readonly damage: string | null
  /** Where the damaged file is kept. */
  readonly kept: string | null
  /** Runs and attempts that were read from the damaged journal, or from one that was kept. */
  readonly saved: { readonly runs: number; readonly attempts: number }
  /** Attempts recovered from their results on disk. */
  readonly taken_in: number
  /** The cost of these, as far as their results state it; and for how many it is unknown. */
  readonly cost_usd: number
  readonly unknown_costs: number
  /** Folders of runs without a result and unknown to the journal: interrupted, they run again. */
  readonly without_result: number
  /** Money that was spent but that no attempt accounts for. */
  readonly unassigned_usd: number
  /** Runs whose result is damaged and which the journal does not know: they run again. */
  readonly damaged_results: readonly string[]
  /** Results that match no run of this directory. */
  readonly not_taken: readonly string[]
  /** Whether the journal has the experiment's definition. */
  readonly has_definition: boolean
}

/** Repairs the journal of a directory, from its readable parts and from the results on disk. */
export function repairExperiment(dir: string, clock: Clock): Repaired {
  const file = journalFile(dir)
  const damage = damageOfJournal(file)
  if (damage !== null && existsSync(file)) refuseBesideOthers(file)
  // Every attempt needs a worker; this one leaves at once, so that no process takes it for an active one.
  const enroll = (journal: Journal): number => {
    const workerId = addWorker(journal, { ...ownIdentity(), kind: 'worker', slots: 0 }, momentOf(clock))
    removeWorker(journal, workerId, momentOf(clock))
    return workerId
  }
  const rebuilt = damage === null ? null : rebuildJournal(dir, enroll)
  const journal = Journal.open(file)
  try {
    const work = () => {
      refusePresent(journal)
      return new Repairing(journal, dir, enroll, clock.now()).all(damage, rebuilt)
    }
    return journal.transaction(work, { durable: true })
  } finally {
    journal.close()
  }
}

/**
 * A process that still writes to the journal would not see the new file. If it can't be read at all, no process can
 * work with it.
 */
function refuseBesideOthers(file: string): void {
  let journal: Journal | undefined
  try {
    journal = Journal.openToRead(file)
    refusePresent(journal)
  } catch (error) {
    if (error instanceof AssayError && error.code === 'busy') throw error
  } finally {
    journal?.close()
  }
}

function refusePresent(journal: Journal): void {
  const [other] = presentWorkers(journal)
  if (other === undefined) return
  throw new AssayError('busy', `process ${other.pid} on ${other.host} is working on this experiment`, {
    hint: 'Repair it when that process has ended: `assay stop <dir>` ends it.',
    facts: { pid: other.pid, host: other.host },
  })
}

/** One repair, in a transaction: if it is killed, it has changed nothing. */
class Repairing {
  readonly #journal: Journal
  readonly #dir: string
  readonly #enroll: (journal: Journal) => number
  readonly #now: number
  #workerId: number | null = null
  #limitsNow: Limits | null = null
  #takenIn = 0
  #costUsd = 0
  #unknownCosts = 0
  #withoutResult = 0
  readonly #damaged: string[] = []
  readonly #notTaken: string[] = []

  constructor(journal: Journal, dir: string, enroll: (journal: Journal) => number, now: number) {
    this.#journal = journal
    this.#dir = dir
    this.#enroll = enroll
    this.#now = now
  }

  all(damage: string | null, rebuilt: Rebuilt | null): Repaired {
    const journal = this.#journal
    const saved = rebuilt ?? mergeSaved(journal, this.#dir, () => this.#worker())
    const known = attemptTokens(journal)
    for (const name of runFolders(this.#dir)) this.#importRun(name, known)
    const hasChanged = rebuilt !== null || saved.attempts + this.#takenIn > 0
    if (hasChanged) this.#countRuns()
    const repaired: Repaired = {
      damage,
      kept: rebuilt?.kept ?? null,
      saved: { runs: saved.runs, attempts: saved.attempts },
      taken_in: this.#takenIn,
      cost_usd: this.#costUsd,
      unknown_costs: this.#unknownCosts,
      without_result: this.#withoutResult,
      unassigned_usd: rebuilt?.unassignedUsd ?? 0,
      damaged_results: this.#damaged,
      not_taken: this.#notTaken,
      has_definition: readExperiment(journal) !== undefined,
    }
    if (hasChanged) logEvent(journal, 'repaired', { ...repaired }, this.#now)
    return repaired
  }

  #worker(): number {
    this.#workerId ??= this.#enroll(this.#journal)
    return this.#workerId
  }

  /** All attempts in a run's folder, the earliest first: the last one determines the run's state. */
  #importRun(name: string, known: ReadonlySet<string>): void {
    const last = resultIn(this.#dir, name)
    const found = [...keptResults(this.#dir, name), ...(last === null ? [] : [last])]
    for (const one of found.toSorted((a, b) => a.attempt - b.attempt || a.started_at - b.started_at))
      if (!known.has(one.result.token)) this.#importResult(one)
    if (last !== null || attemptsOf(this.#journal, name) > 0) return
    if (isDamagedResult(runFolder(this.#dir, name))) this.#damaged.push(name)
    else this.#withoutResult++
  }

  #importResult(found: FoundResult): void {
    const { run, result, attempt, started_at } = found
    const reservedUsd = result.cost_usd === null ? this.#mostOf() : 0
    const taken = { run, number: attempt, token: result.token, started_at, reservedUsd }
    // Without knowing the definition that it was made with, it may be stale.
    if (!takeIn(this.#journal, { ...taken, fingerprint: found.fingerprint ?? 'unknown' }, this.#worker())) {
      this.#notTaken.push(run.name)
      return
    }
    this.#takenIn++
    const mayHaveSpent = reservedUsd > 0 || result.cost_at_least_usd > 0 || result.calls > 0
    if (result.cost_usd === null && mayHaveSpent) this.#unknownCosts++
    this.#costUsd += result.cost_usd ?? result.cost_at_least_usd
    const end = { job: jobOf(found), outcome: result.outcome, hasSpent: hasSpent(result), elapsed: 0 }
    const endedAt = started_at + result.wall_s * 1000
    settleAttempt(
      this.#journal,
      result,
      this.#worker(),
      history => ({
        ...afterAttempt({ ...end, limits: this.#limits(), giveBack: false }, history),
        // The next call decides whether it is retried.
        readyAt: 0,
      }),
      this.#now,
      Math.min(this.#now, endedAt),
    )
  }

  /** What a budget had reserved for it: no more than that can have been charged unnoticed. */
  #mostOf(): number {
    const { budget_usd, run_budget_usd } = this.#limits()
    return budget_usd === null ? 0 : (run_budget_usd ?? 0)
  }

  #limits(): Limits {
    const row = readExperiment(this.#journal)
    this.#limitsNow ??=
      row === undefined
        ? defaultLimits()
        : limitsInForce(definitionOf(this.#journal, row).limits, limitsSet(this.#journal, row))
    return this.#limitsNow
  }

  /**
   * Which runs belong to the definition, including those that were not in the journal; the next call decides which of
   * them are wanted.
   */
  #countRuns(): void {
    const row = readExperiment(this.#journal)
    if (row === undefined) return
    try {
      const options = { ...planOptionsOf(this.#journal, row), selection: everything }
      const ids = existingRuns(this.#journal, plannerFor(ownDefinitionOf(this.#journal, row), options))
      setDefinitionRuns(this.#journal, { hash: '', planned: row.definitionPlanned, ids })
    } catch {
      // The definition can't be planned any more: the next call reports what is wrong with it.
    }
    forgetPlan(this.#journal)
  }
}

/** Results of earlier attempts, in the folders where they are kept. */
function keptResults(dir: string, runName: string): readonly FoundResult[] {
  const folder = dirname(keptAttemptFolder(runFolder(dir, runName), 1))
  // A program may have put something else there.
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(folder).flatMap(attempt => {
    const found = foundResult(join(folder, attempt), `${runPlace(runName)}/attempts/${attempt}`)
    return found?.run.name === runName ? [found] : []
  })
}

const jobOf = ({ run, attempt, result, started_at }: FoundResult): Job => ({
  ...{ run, attempt, token: result.token, mode: result.mode, started_at, spent: nothingSpent, continues: null },
  ...{ timeout_ms: null, grace_ms: 0, run_budget_usd: null, ...noRunCaps },
})

/** Names of the folders in runs/, one at a time: there may be a million. */
export function* runFolders(dir: string): Generator<string> {
  if (!existsSync(runsFolder(dir))) return
  const folder = opendirSync(runsFolder(dir))
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
      if (entry.isDirectory()) yield entry.name
  } finally {
    folder.closeSync()
  }
}

/** The result in a run's folder: of the last attempt that left one. A renamed folder tells nothing. */
export function resultIn(dir: string, runName: string): FoundResult | null {
  const found = foundResult(runFolder(dir, runName), runPlace(runName))
  return found?.run.name === runName ? found : null
}

/**
 * Runs whose results are on disk but not in the journal: it was deleted, or has lost its newest part. Completed runs
 * are not checked, since they are not executed again.
 */
export function unrecordedResults(journal: Journal, dir: string): readonly string[] {
  const found: { readonly name: string; readonly token: string }[] = []
  for (const name of runFolders(dir)) {
    const result = recordOf(journal, name) === 'completed' ? null : resultIn(dir, name)?.result
    if (result != null) found.push({ name, token: result.token })
  }
  if (found.length === 0) return []
  // Read last: an attempt is in the journal before it has a folder, so attempts of other processes are known by now.
  const tokens = attemptTokens(journal)
  return found.flatMap(({ name, token }) => (tokens.has(token) ? [] : [name]))
}

/** Refuses to continue if runs would be executed again although their results exist. */
export function refuseUnrecorded(journal: Journal, dir: string): void {
  const unrecorded = unrecordedResults(journal, dir)
  if (unrecorded.length === 0) return
  const [first = ''] = unrecorded
  const what = unrecorded.length === 1 ? '1 result' : `${unrecorded.length} results`
  throw new AssayError(
    'unrecorded_results',
    `${what} in ${runsFolder(dir)} ${unrecorded.length === 1 ? 'is' : 'are'} not in the journal, such as that of ${first}: the journal, or a part of it, was lost`,
    {
      hint: `${repairHint(dir)} To run everything again instead: --fresh, or --again in a new directory.`,
      facts: { unrecorded: unrecorded.length, first },
    },
  )
}

/** A directory with results of runs but without a journal is an experiment that has lost its journal. */
export function refuseLostJournal(dir: string): void {
  if (existsSync(journalFile(dir)) || !hasResults(dir)) return
  throw new AssayError(
    'unrecorded_results',
    `${dir} has results of runs, and its journal, ${journalFile(dir)}, is gone`,
    {
      hint: repairHint(dir),
    },
  )
}

function hasResults(dir: string): boolean {
  for (const name of runFolders(dir)) if (resultIn(dir, name) !== null) return true
  return false
}
