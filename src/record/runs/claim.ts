import { budgetLeft, type EarlierAttempt, type Job, type Run, type Spent } from '../../define/run.ts'
import {
  attemptMode,
  number,
  numberOrNull,
  outcomeKindOrNull,
  type RowOf,
  text,
  textOrNull,
} from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'
import { outcomeIn, runColumns, runIn } from '../journal/stored.ts'
import { knownCostOf } from '../read/run-parts.ts'
import { fitsBudget, reserve } from './ledger.ts'
import { lostFailure } from './settle.ts'
import { takenTrials, takeTrial } from './trials.ts'

// Taking runs of a trial goes with giving trials up.
export { isTrialLeft, openTrials, stoppedTrials, stopTrial } from './trials.ts'

export interface ClaimRequest {
  readonly workerId: number
  /** Of the definition that the worker would run; if the experiment's definition has changed, it must not. */
  readonly fingerprint: string
  readonly token: string
  readonly now: number
  /** On the machine's monotonic clock: decides which waits are over. */
  readonly elapsed: number
  /** Skip runs that were lost this many times in a row: runs next to them might be lost too. */
  readonly lostFewerThan: number
  /** What this run may cost, all its attempts together; null: no cap. With a budget, the rest of the cap is set aside. */
  readonly capOf: (run: Run) => number | null
  /** Whether everything that this run spends goes through calls; default: it does not. */
  readonly paysByCall?: ((run: Run) => boolean) | undefined
  readonly timeoutMs: number | null
  readonly budgetUsd: number | null
  /** Only runs whose next attempt is of this kind; default: any. */
  readonly mode?: 'score' | undefined
  /** Only runs of trials that this worker has taken, or may still take; default: any. */
  readonly trials?: 'taken' | 'taken_or_free' | undefined
}

export interface Claimed extends Pick<Job, 'run' | 'attempt' | 'spent' | 'mode' | 'continues'> {
  readonly kind: 'claimed'
  /** What the run may cost, all its attempts together. */
  readonly capUsd: number | null
  /** Whether it is this worker's first run of the trial. */
  readonly beginsTrial: boolean
  /** How many of the attempts directly before this one were lost with the process that made them. */
  readonly lostBefore: number
}

/**
 * Why nothing was claimed: nothing is ready, the budget is used up, a pause, a stop or another definition prevents it
 * (held), or another process considered this worker dead.
 */
export type ClaimAnswer = Claimed | { readonly kind: 'none' | 'budget' | 'held' }

/** Takes the next ready run: budget check, reservation and attempt in one short transaction. */
export function claimNext(journal: Journal, request: ClaimRequest): ClaimAnswer {
  const work = () => {
    const totals = journal.get(
      totalColumns,
      `SELECT control, generation, fingerprint, spent_usd, reserved_usd FROM experiment
       WHERE NOT EXISTS (SELECT 1 FROM workers WHERE id = ? AND left_at IS NOT NULL)`,
      request.workerId,
    )
    if (totals === undefined || totals.control !== 'go' || totals.fingerprint !== request.fingerprint)
      return { kind: 'held' } as const
    for (const trials of trialConditions(request)) {
      const wanted = { generation: totals.generation, mode: request.mode, trials }
      const row =
        dueRetry(journal, wanted, request.elapsed) ?? nextFresh(journal, wanted) ?? dueLost(journal, wanted, request)
      if (row === undefined) continue
      const chosen =
        affordable(journal, [row], totals, request) ?? affordable(journal, others(journal, wanted), totals, request)
      return chosen === undefined ? ({ kind: 'budget' } as const) : startAttempt(journal, request, chosen)
    }
    return { kind: 'none' } as const
  }
  return journal.transaction(work, { durable: request.budgetUsd !== null })
}

interface Affordable {
  readonly row: ReadyRow
  readonly run: Run
  readonly boundUsd: number
  readonly capUsd: number | null
  /** Of the cap, after earlier attempts. */
  readonly leftUsd: number | null
}

/** The first of these runs that fits the budget. */
function affordable(
  journal: Journal,
  rows: readonly ReadyRow[],
  totals: ClaimTotals,
  request: ClaimRequest,
): Affordable | undefined {
  for (const row of rows) {
    const run = runIn(row, journal)
    const capUsd = request.capOf(run)
    const leftUsd = budgetLeft({ run_budget_usd: capUsd, spent: spentBy(row) })
    const boundUsd = request.budgetUsd === null ? 0 : (leftUsd ?? 0)
    if (fitsBudget(totals, boundUsd, request.budgetUsd)) return { row, run, boundUsd, capUsd, leftUsd }
  }
  return undefined
}

interface Wanted extends Pick<ClaimRequest, 'mode'> {
  readonly generation: number
  /** SQL, or nothing. */
  readonly trials?: string
}

const ofMode = ({ mode, trials = '' }: Pick<Wanted, 'mode' | 'trials'>): string =>
  mode === undefined ? trials : `AND mode = '${mode}' ${trials}`

/** Conditions under which runs are searched, in this order. */
function trialConditions({ trials, workerId }: ClaimRequest): readonly string[] {
  if (trials === undefined) return ['']
  const own = `AND trial IN (SELECT id FROM trials WHERE taken_by = ${workerId})`
  return trials === 'taken' ? [own] : [own, `AND (trial IS NULL OR trial NOT IN (${takenTrials}))`]
}

/** If the next run is too expensive, a cheaper or free one need not wait for it. */
function others(journal: Journal, wanted: Wanted): readonly ReadyRow[] {
  return journal.all(
    readyColumns,
    `SELECT ${readySql} FROM runs
     WHERE generation = ? AND state = 'ready' AND ready_at = 0 ${ofMode(wanted)} ORDER BY position LIMIT 100`,
    wanted.generation,
  )
}

/** Due retries come first, the longest due before the others. */
function dueRetry(journal: Journal, wanted: Wanted, elapsed: number): ReadyRow | undefined {
  return journal.get(
    readyColumns,
    `SELECT ${readySql} FROM runs
     WHERE generation = ? AND state = 'ready' AND ready_at > 0 AND ready_at <= ? AND failure IS NOT '${lostFailure}'
       ${ofMode(wanted)} ORDER BY ready_at LIMIT 1`,
    wanted.generation,
    elapsed,
  )
}

/**
 * A run that may have ended the process that executed it comes last, so that everything else is done before that
 * happens again.
 */
function dueLost(
  journal: Journal,
  wanted: Wanted,
  { elapsed, lostFewerThan }: Pick<ClaimRequest, 'elapsed' | 'lostFewerThan'>,
): ReadyRow | undefined {
  return journal.get(
    readyColumns,
    `SELECT ${readySql} FROM runs
     WHERE generation = ? AND state = 'ready' AND ready_at > 0 AND ready_at <= ? AND failure IS '${lostFailure}'
       AND failures < ? ${ofMode(wanted)} ORDER BY failures, ready_at LIMIT 1`,
    wanted.generation,
    elapsed,
    lostFewerThan,
  )
}

function nextFresh(journal: Journal, wanted: Wanted): ReadyRow | undefined {
  return journal.get(
    readyColumns,
    `SELECT ${readySql} FROM runs
     WHERE generation = ? AND state = 'ready' AND ready_at = 0 ${ofMode(wanted)} ORDER BY position LIMIT 1`,
    wanted.generation,
  )
}

const totalColumns = {
  control: text,
  generation: number,
  fingerprint: text,
  spent_usd: number,
  reserved_usd: number,
}

type ClaimTotals = RowOf<typeof totalColumns>

export const spentColumns = {
  capped_usd: number,
  calls: number,
  tokens: number,
}

export type SpentRow = RowOf<typeof spentColumns>

const readyColumns = {
  ...spentColumns,
  id: number,
  ...runColumns,
  trial: textOrNull,
  attempts: number,
  mode: attemptMode,
  /** The id of the attempt that the next one continues. */
  continues: numberOrNull,
  failure: textOrNull,
  failures: number,
}

type ReadyRow = RowOf<typeof readyColumns>

const readySql = Object.keys(readyColumns).join(', ')

export const lostIn = ({ failure, failures }: Pick<ReadyRow, 'failure' | 'failures'>): number =>
  failure === lostFailure ? failures : 0

/** How much of its limits a run's ended attempts have used. */
export const spentBy = ({ capped_usd: usd, calls, tokens }: SpentRow): Spent => ({ usd, calls, tokens })

function startAttempt(
  journal: Journal,
  request: ClaimRequest,
  { row, run, boundUsd, capUsd, leftUsd }: Affordable,
): Claimed {
  const number = row.attempts + 1
  const earlier = earlierAttempt(journal, row.continues)
  // An attempt with another definition can't be continued.
  const goesOn = earlier?.fingerprint === request.fingerprint
  const mode = goesOn ? row.mode : 'run'
  const attemptId = journal.insert(
    `INSERT INTO attempts (run_id, number, token, worker_id, fingerprint, started_at, reserved_usd, cap_usd, timeout_ms,
       mode, continues, pays_by_call)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    number,
    request.token,
    request.workerId,
    request.fingerprint,
    request.now,
    boundUsd,
    leftUsd,
    request.timeoutMs,
    mode,
    goesOn ? row.continues : null,
    request.paysByCall?.(run) === true ? 1 : 0,
  )
  reserve(journal, attemptId, boundUsd, request.now)
  journal.run(
    `UPDATE runs SET state = 'running', attempts = ?, token = ?, attempt_id = ? WHERE id = ?`,
    number,
    request.token,
    attemptId,
    row.id,
  )
  const continues = goesOn ? earlier.attempt : null
  const beginsTrial = row.trial !== null && takeTrial(journal, row.trial, request.workerId)
  const about = { run, attempt: number, capUsd, spent: spentBy(row), mode, continues }
  return { kind: 'claimed', ...about, beginsTrial, lostBefore: lostIn(row) }
}

/** An earlier attempt by its id: the parts that an attempt needs to continue it. */
export function earlierAttempt(
  journal: Journal,
  id: number | null,
): { readonly attempt: EarlierAttempt; readonly fingerprint: string } | null {
  if (id === null) return null
  const row = journal.get(
    earlierColumns,
    `SELECT number, outcome, facts, ${knownCostOf('attempts')} AS cost_usd, fingerprint FROM attempts WHERE id = ?`,
    id,
  )
  if (row === undefined || row.outcome === null) return null
  const outcome = outcomeIn(row.outcome, row.facts, journal)
  return { attempt: { attempt: row.number, outcome, cost_usd: row.cost_usd }, fingerprint: row.fingerprint }
}

const earlierColumns = {
  number,
  outcome: outcomeKindOrNull,
  facts: textOrNull,
  cost_usd: numberOrNull,
  fingerprint: text,
}

/** Remembers the process that executes an attempt, so that it can be ended if this process dies. */
export function recordProcess(journal: Journal, token: string, pid: number, startTime: string | null): void {
  const sql = 'UPDATE attempts SET pid = ?, start_time = ? WHERE token = ? AND ended_at IS NULL'
  journal.run(sql, pid, startTime, token)
}

/** The unfinished runs in the journal: ready (perhaps backing off), or running somewhere. */
export function waiting(
  journal: Journal,
  wanted: Pick<ClaimRequest, 'mode'> = {},
): { readonly ready: number; readonly running: number } {
  const row = journal.get(
    { ready: number, running: number },
    `SELECT (SELECT count(*) FROM runs WHERE generation = e.generation AND state = 'ready' ${ofMode(wanted)}) AS ready,
            (SELECT count(*) FROM runs WHERE generation = e.generation AND state = 'running') AS running
     FROM experiment e`,
  )
  return row ?? { ready: 0, running: 0 }
}
