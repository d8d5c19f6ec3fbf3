import { existsSync } from 'node:fs'
import { dialectNamed, type OriginalResult } from '../../define/dialects/registry.ts'
import type { Experiment } from '../../define/experiment.ts'
import { type Limits, runCapsOf } from '../../define/limits.ts'
import { type AttemptResult, type Job, nothingSpent, type Run } from '../../define/run.ts'
import { importResult } from '../../perform/perform.ts'
import { type Planner, plannedRuns } from '../../plan/planner.ts'
import { logEvent } from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { journalFile, runFolder, runsFolder } from '../../record/places.ts'
import { fingerprintNow } from '../../record/provenance/provenance.ts'
import { forgetPlan } from '../../record/runs/offer.ts'
import { settleAttempt } from '../../record/runs/settle.ts'
import { addWorker, attemptsOf, removeWorker, takeIn } from '../../record/runs/workers.ts'
import { AssayError } from '../../util/errors.ts'
import { type Moment, momentOf } from '../../util/time.ts'
import { counted } from '../../util/words.ts'
import type { RunRequest, Surroundings } from '../call.ts'
import { afterAttempt } from '../rules/after-attempt.ts'
import type { Session } from '../session/session.ts'

/** The result of a run that another program left; null: none. Undefined: there can't be any. */
export function originalResults(
  dir: string,
  experiment: Experiment,
): ((run: Run) => OriginalResult | null) | undefined {
  const { originalResult } = dialectNamed(experiment.dialect)
  if (originalResult === undefined || !existsSync(runsFolder(dir))) return undefined
  return run => originalResult(runFolder(dir, run.name), run, experiment)
}

/**
 * Results made by the program that the dialect comes from and unknown to the journal: imported if requested, otherwise
 * only reported, since those runs are about to be executed again. Called before the plan is made, which then finds
 * them.
 */
export async function importOriginals(
  { journal, dir, emit }: Session,
  request: RunRequest,
  planner: Planner,
  around: Surroundings,
): Promise<void> {
  const { experiment, takesIn = false, mode } = request
  const resultOf = mode === 'score' ? undefined : originalResults(dir, experiment)
  if (resultOf === undefined) return
  const found = findOriginals(resultOf, planner, run => attemptsOf(journal, run.name) > 0)
  const count = found.made.length
  if (count === 0) return
  if (!takesIn) {
    const message = `${counted(count, 'run')} of this plan ${count === 1 ? 'has' : 'have'} a result of another program, and will be executed again: --resume imports such results instead`
    emit({ kind: 'notice', level: 'warning', message })
    return
  }
  refuseMix(found)
  const moment = momentOf(around.clock)
  const made: MadeElsewhere[] = []
  for (const { run, result } of found.made)
    made.push({ run, found: result, result: await importResult(dir, run.name, result, experiment) })
  const fingerprint = fingerprintNow(request, around.cwd).hash
  journal.transaction(() => {
    const workerId = addWorker(journal, unknownWorker, moment)
    removeWorker(journal, workerId, moment)
    for (const one of made) settleOriginal(journal, one, { fingerprint, workerId, limits: experiment.limits, moment })
    forgetPlan(journal)
    logEvent(journal, 'taken_in', { runs: count }, moment.now)
  })
  const message = `${counted(count, 'run')} of another program ${count === 1 ? 'was' : 'were'} imported`
  emit({ kind: 'notice', level: 'info', message })
}

/** They were not made by this machine with this code. */
const unknownWorker = {
  kind: 'run',
  host: 'another program',
  bootId: '',
  pidNamespace: '',
  pid: 0,
  startTime: null,
  slots: 0,
} as const

interface MadeElsewhere {
  readonly run: Run
  readonly found: OriginalResult
  readonly result: AttemptResult
}

function settleOriginal(
  journal: Journal,
  { run, found: { started_at }, result }: MadeElsewhere,
  {
    fingerprint,
    workerId,
    limits,
    moment,
  }: { readonly fingerprint: string; readonly workerId: number; readonly limits: Limits; readonly moment: Moment },
): void {
  const { token } = result
  if (!takeIn(journal, { run, number: 1, token, fingerprint, started_at, reservedUsd: 0 }, workerId)) return
  const { timeout_ms, grace_ms } = limits
  const job: Job = {
    ...{ run, attempt: 1, token, timeout_ms, grace_ms, started_at, run_budget_usd: null, ...runCapsOf(limits) },
    ...{ spent: nothingSpent, mode: 'run', continues: null },
  }
  const end = { job, outcome: result.outcome, hasSpent: false, limits, elapsed: moment.elapsed, giveBack: false }
  const endedAt = started_at + result.wall_s * 1000
  settleAttempt(journal, result, workerId, history => afterAttempt(end, history), moment.now, endedAt)
}

/** Checked before anything is made: numbers of two programs in one table would be compared as if they came from one. */
export function refuseMixedOriginals(dir: string, experiment: Experiment, planner: Planner): void {
  const resultOf = existsSync(journalFile(dir)) ? undefined : originalResults(dir, experiment)
  if (resultOf !== undefined) refuseMix(findOriginals(resultOf, planner, () => false))
}

interface Found {
  readonly made: readonly { readonly run: Run; readonly result: OriginalResult }[]
  /** Runs that were not executed. */
  readonly missing: number
}

function findOriginals(
  resultOf: (run: Run) => OriginalResult | null,
  planner: Planner,
  isKnown: (run: Run) => boolean,
): Found {
  const made: { run: Run; result: OriginalResult }[] = []
  let missing = 0
  for (const run of plannedRuns(planner)) {
    if (isKnown(run)) continue
    const result = resultOf(run)
    if (result === null) missing++
    else made.push({ run, result })
  }
  return { made, missing }
}

function refuseMix({ made, missing }: Found): void {
  const madeBy = made.find(({ result }) => result.madeBy !== undefined)?.result.madeBy
  if (madeBy === undefined || missing === 0) return
  throw new AssayError(
    'usage',
    `${counted(made.length, 'run')} ${made.length === 1 ? 'was' : 'were'} made by ${madeBy}, which was not found; ${missing} more would be made by another program`,
    {
      hint: 'Make that program available, or give this experiment another name (--exp-name).',
      facts: { made: made.length, missing },
    },
  )
}
