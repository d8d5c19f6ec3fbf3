import { type Limits, runCapsOf } from '../../define/limits.ts'
import type { Outcome } from '../../define/outcome.ts'
import { type AttemptResult, type Job, resultWith, type UnfinishedAttempt } from '../../define/run.ts'
import type { Adopted, Executor, JobIo } from '../../execute/executor.ts'
import { endProcess } from '../../process/end.ts'
import { lostClass, type SettledResult, settleAttempt } from '../../record/runs/settle.ts'
import { type RecordedWorker, takeOver, workersWithAttempts } from '../../record/runs/workers.ts'
import { momentOf } from '../../util/time.ts'
import { afterLost } from '../rules/after-attempt.ts'
import { countsAlike, isGoneByRestart, isHung, isPresent } from '../status/experiment-status.ts'
import { type Settling, settleJob } from './settle-job.ts'

/** An attempt of a dead worker that is still running elsewhere: from now on it is a job of this worker. */
export interface RunningElsewhere {
  readonly job: Job
  attach(io: JobIo): Promise<AttemptResult>
}

/**
 * Handles what dead workers left: attempts with a result count; those still running elsewhere are returned, to be
 * waited for; the others are ended with all their processes, and their runs become ready again.
 */
export async function adoptFromDead(executor: Executor, settling: Settling): Promise<readonly RunningElsewhere[]> {
  const { journal, workerId, clock } = settling
  const isDead = (worker: RecordedWorker) => worker.leftAt !== null || !isPresent(worker, momentOf(clock))
  const silent = workersWithAttempts(journal).filter(worker => worker.id !== workerId && isDead(worker))
  const hung = await reallyHung(silent, settling)
  for (const worker of hung) await endHung(worker, settling)
  const dead = silent.filter(worker => hung.includes(worker) || !isHung(worker, momentOf(clock)))
  const taken = dead.flatMap(worker => {
    const isByRestart = isGoneByRestart(worker)
    const countsProcessesAlike = countsAlike(worker)
    return takeOver(journal, { id: worker.id, countsProcessesAlike }, workerId, clock.now()).map(attempt => ({
      attempt,
      isByRestart,
    }))
  })
  const attempts = taken.map(({ attempt }) => attempt)
  if (attempts.length === 0) return []
  const adopted = new Map((await executor.adopt(attempts)).map(one => [one.token, one]))
  const running: RunningElsewhere[] = []
  let lost = 0
  for (const { attempt, isByRestart } of taken) {
    const found = adopted.get(attempt.token)
    const job = jobOf(attempt, settling.limits())
    if (found?.kind === 'finished')
      settling.emit(settleJob(settling, job, found.result, endOf(found.result, job)).event)
    else if (found?.kind === 'running') running.push({ job, attach: io => found.attach(io) })
    else {
      lost++
      settleLost(settling, job, { attempt, found, isByRestart })
    }
  }
  const finished = attempts.length - lost - running.length
  settling.emit({ kind: 'notice', level: 'info', message: account(finished, running.length, lost) })
  return running
}

/** If another program locked the journal, all workers were silent: only one that stays silent is hung. */
async function reallyHung(
  silent: readonly RecordedWorker[],
  { journal, clock }: Settling,
): Promise<readonly RecordedWorker[]> {
  const suspects = silent.filter(worker => worker.leftAt === null && isHung(worker, momentOf(clock)))
  if (suspects.length === 0) return []
  await new Promise<void>(resolve => void clock.after(secondChanceMs, resolve))
  const now = workersWithAttempts(journal)
  return suspects.filter(({ id, heartbeatElapsed }) =>
    now.some(other => other.id === id && other.leftAt === null && other.heartbeatElapsed === heartbeatElapsed),
  )
}

/** Longer than a heartbeat takes. */
const secondChanceMs = 12_000

/** A hung process would continue its in-process work as long as it lives, so it is ended before its runs start again. */
async function endHung({ pid, startTime, host }: RecordedWorker, { emit }: Settling): Promise<void> {
  const message = `process ${pid} on ${host} has not responded for a long time: it is ended, and its runs are taken over`
  emit({ kind: 'notice', level: 'warning', message })
  await endProcess({ pid, startTime })
}

function jobOf({ pid, startTime, lostBefore, ...attempt }: UnfinishedAttempt, limits: Limits): Job {
  return { ...attempt, grace_ms: limits.grace_ms, ...runCapsOf(limits) }
}

/** The end was not observed: it is computed from the duration. */
const endOf = ({ wall_s }: AttemptResult, { started_at }: Job): number => started_at + wall_s * 1000

function account(finished: number, running: number, lost: number): string {
  const parts = [
    finished > 0 ? `${finished} had finished and ${finished === 1 ? 'counts' : 'count'}` : '',
    running > 0
      ? `${running} still ${running === 1 ? 'runs' : 'run'} elsewhere and ${running === 1 ? 'is' : 'are'} waited for`
      : '',
    lost > 0 ? `${lost} ${lost === 1 ? 'was' : 'were'} cut off and will run again` : '',
  ]
  return `attempts of a process that ended unexpectedly: ${parts.filter(part => part !== '').join(', ')}`
}

function settleLost(
  { journal, workerId, clock, limits, emit }: Settling,
  job: Job,
  {
    attempt,
    found,
    isByRestart,
  }: { readonly attempt: UnfinishedAttempt; readonly found: Adopted | undefined; readonly isByRestart: boolean },
): void {
  const result = lostResult(attempt, found, isByRestart)
  const { only_scoring_left = false } = result.outcome
  const { lostBefore } = attempt
  const { now, elapsed } = momentOf(clock)
  const lost = { job, limits: limits(), elapsed, only_scoring_left, lostBefore, isByRestart }
  const settled = settleAttempt(journal, result, workerId, history => afterLost(lost, history), now)
  if (typeof settled === 'string' || settled.next.state !== 'quarantined') return
  const message = `${job.run.name} is quarantined: ${result.outcome.message}. \`assay run --rerun quarantined\` runs it again`
  emit({ kind: 'notice', level: 'warning', message })
}

/** A lost attempt says little about the run: the run is only to blame if it happens again and again. */
function lostResult(attempt: UnfinishedAttempt, found: Adopted | undefined, isByRestart: boolean): SettledResult {
  const {
    spent_usd,
    place,
    only_scoring_left = false,
  } = found?.kind === 'ended' ? found : { spent_usd: 0, place: null }
  const outcome: Outcome = {
    kind: 'cancelled',
    error_class: lostClass,
    message: isByRestart ? 'the machine was restarted while it ran' : lostMessage(attempt.lostBefore + 1),
    ...(only_scoring_left && { only_scoring_left }),
  }
  // The end was not observed.
  return {
    ...resultWith(attempt, outcome),
    ...{ wall_s: null, cost_usd: null, cost_at_least_usd: spent_usd, place },
  }
}

const lostMessage = (times: number): string =>
  times === 1
    ? 'the process that ran it ended first'
    : `the process that ran it ended first, ${times} times in a row; the run may be the reason`
