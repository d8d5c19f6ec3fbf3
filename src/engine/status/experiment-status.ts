import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { type Limits, limitsInForce } from '../../define/limits.ts'
import type { CostForecast, Outcome, Summary } from '../../define/outcome.ts'
import { plannerFor } from '../../plan/plan.ts'
import { bootId, isAlive, readProcess, thisProcess } from '../../process/processes.ts'
import {
  type Control,
  definitionOf,
  type Labels,
  type LoggedEvent,
  labelsOf,
  limitsSet,
  loggedEvents,
  planOptionsOf,
  type RecordedExperiment,
  readExperiment,
} from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { stderrTail } from '../../record/places.ts'
import { journalRates, type RateKey, type RateState } from '../../record/rates/rate-store.ts'
import { newestFailures, runningAttempts } from '../../record/read/activity.ts'
import {
  forecastCost,
  lastCall,
  outsideDefinition,
  standing,
  type TrialCounts,
  trialCounts,
} from '../../record/read/standing.ts'
import { type RecordedWorker, type WorkerIdentity, workersHere } from '../../record/runs/workers.ts'
import type { JsonObject } from '../../util/json.ts'
import { systemClock } from '../../util/system-clock.ts'
import { type Moment, momentOf } from '../../util/time.ts'
import { ceilingOf, rateAt, sinceBoot } from '../permits/rate-rules.ts'

/** What `status` and the dashboard show of an experiment. */
export interface ExperimentStatus {
  readonly name: string
  readonly summary: Summary
  /** For a search that counts variants; null: it counts runs. */
  readonly trials: TrialCounts | null
  /** The predicted final cost; null if there is no prediction. */
  readonly forecast: CostForecast | null
  readonly budgetUsd: number | null
  /** Of providers that have a limit, or complained. */
  readonly rates: readonly RateNow[]
  readonly control: Control
  /** The limits that `assay set` put over the definition. */
  readonly limitsSet: JsonObject
  readonly workers: readonly RecordedWorker[]
  readonly running: readonly {
    readonly run: string
    readonly attempt: number
    readonly started_at: number
    /** Its process is gone; the next call takes it over. */
    readonly is_cut_off: boolean
  }[]
  readonly failures: readonly { readonly run: string; readonly outcome: Outcome; readonly stderrTail: string }[]
  /** The part that the last call selected; null: everything. */
  readonly selected: Pick<Summary, 'planned' | 'pending' | 'running'> | null
  /** Runs in the journal that are no longer in the definition. */
  readonly outside: ReturnType<typeof outsideDefinition>
  readonly labels: Labels
  /** The newest entries of the experiment's log. */
  readonly log: readonly LoggedEvent[]
}

/** How many failures are shown: the newest. */
const maxFailures = 10
const maxEvents = 10

/** `fingerprint`: of the given definition, which decides what is stale; default: that of the last call. */
export function experimentStatus(journal: Journal, dir: string, fingerprint?: string): ExperimentStatus {
  const row = readExperiment(journal)
  const summary = standing(journal, dir, { ...lastCall(journal), fingerprint })
  const present = presentWorkers(journal)
  const limits = row && limitsInForce(definitionOf(journal, row).limits, limitsSet(journal, row))
  return {
    name: row?.name ?? '',
    summary,
    trials: trialCounts(journal),
    forecast: forecastCost(journal, summary),
    budgetUsd: limits?.budget_usd ?? null,
    rates:
      limits === undefined
        ? []
        : journalRates(journal)
            .all()
            .map(rate => rateNow(rate, limits)),
    control: row?.control ?? 'go',
    limitsSet: row === undefined ? {} : limitsSet(journal, row),
    // A `run` takes as many as the limit allows, from the moment it is changed; its row shows that a little later.
    workers: present.map(worker =>
      worker.kind === 'run' && limits !== undefined ? { ...worker, slots: limits.jobs } : worker,
    ),
    running: runningNow(journal, new Set(present.map(({ id }) => id))),
    failures: failuresIn(journal, dir),
    selected: row === undefined ? null : selectedBy(journal, dir, row),
    outside: outsideDefinition(journal),
    labels: labelsOf(journal, null),
    log: loggedEvents(journal, maxEvents),
  }
}

/** A selection as large as the experiment is no selection. */
function selectedBy(journal: Journal, dir: string, row: RecordedExperiment): ExperimentStatus['selected'] {
  if (row.planned === row.definitionPlanned) return null
  const { planned, pending, running } = standing(journal, dir, { scope: 'call' })
  return { planned, pending, running }
}

const runningNow = (journal: Journal, present: ReadonlySet<number>): ExperimentStatus['running'] =>
  runningAttempts(journal).map(({ workerId, ...attempt }) => ({ ...attempt, is_cut_off: !present.has(workerId) }))

const failuresIn = (journal: Journal, dir: string): ExperimentStatus['failures'] =>
  newestFailures(journal, maxFailures).map(({ run, outcome }) => ({
    run,
    outcome,
    stderrTail: stderrTail(dir, run),
  }))

/** If the number of runs depends on results: its maximum; null if the number is known, or unlimited. */
export function mostPlanned(journal: Journal, row: RecordedExperiment): number | null {
  if (row.planned !== null) return null
  return plannerFor(definitionOf(journal, row), planOptionsOf(journal, row)).most?.() ?? null
}

/** How much of each provider's rate is used now, and how the provider responded. */
export interface RateNow extends RateKey {
  readonly requests: number
  readonly rpm: number | null
  readonly tokens: number
  readonly tpm: number | null
  /** The most calls at once; null: no limit. */
  readonly at_once: number | null
  /** How many there were when the provider complained; null: it has not. */
  readonly complained_at_once: number | null
  readonly wait_ms: number
}

export function rateNow(
  { provider, key, state }: RateKey & { readonly state: RateState },
  limits: Limits,
  elapsed = systemClock.elapsed(),
): RateNow {
  const current = rateAt(sinceBoot(state, bootId(), elapsed), elapsed)
  const limit = limits.rate[provider] ?? { rpm: null, tpm: null, concurrency: null }
  const atOnce = ceilingOf(current, limit)
  return {
    provider,
    key,
    requests: current.seconds.reduce((sum, { requests }) => sum + requests, 0),
    rpm: limit.rpm,
    tokens: current.seconds.reduce((sum, { tokens }) => sum + tokens, 0),
    tpm: limit.tpm,
    at_once: Number.isFinite(atOnce) ? atOnce : null,
    complained_at_once: current.complained_at_once,
    wait_ms: Math.max(0, current.blocked_until - elapsed),
  }
}

interface WorkLeft {
  /** How long a run takes, as far as is known. */
  readonly typicalMs: number
  /** Runs that have not started. */
  readonly waiting: number
  /** Start times of the running ones. */
  readonly running: readonly number[]
  /** How many run at a time. */
  readonly lanes: number
}

/**
 * From the typical duration and how many run at a time; running ones count with their remaining time. null: all are
 * done.
 */
export function timeLeft({ typicalMs, waiting, running, lanes }: WorkLeft, now: number): number | null {
  const underWay = running.map(started => Math.max(0, typicalMs - (now - started)))
  const toCome = Math.max(0, waiting)
  if (toCome === 0 && underWay.length === 0) return null
  const work = toCome * typicalMs + underWay.reduce((sum, ms) => sum + ms, 0)
  // Lanes never end at the same moment: nothing is over before the longest of the running ones.
  return Math.max(work / Math.max(1, Math.min(lanes, toCome + underWay.length)), ...underWay)
}

/**
 * How long a process on another host or in another container may be silent; processes on this machine are checked
 * directly.
 */
const silenceMs = 90_000

export function ownIdentity(): WorkerIdentity {
  const { bootId, pid, startTime } = thisProcess()
  return { host: hostname(), bootId, pidNamespace: pidNamespace(), pid, startTime }
}

/**
 * Whether a worker is alive: boot id, pid and start time tell without comparing clocks, so a sleeping laptop loses
 * nothing. A restarted machine has another boot id; another host or pid namespace can only be judged by its heartbeat.
 */
export function isPresent(worker: RecordedWorker, { now, elapsed }: Moment): boolean {
  if (isGoneByRestart(worker)) return false
  if (countsAlike(worker)) return isAlive(identityOf(worker)) && !isHung(worker, { elapsed })
  // Containers on one machine share its monotonic clock; with another machine only wall clocks can be compared.
  const isSameBoot = worker.bootId === ownIdentity().bootId && worker.heartbeatElapsed !== null
  const silentMs = isSameBoot ? elapsed - (worker.heartbeatElapsed ?? 0) : now - worker.heartbeatAt
  return silentMs < silenceMs
}

const identityOf = ({ bootId, pid, startTime }: WorkerIdentity) => ({ bootId, pid, startTime })

/** Whether its process exists but has sent no heartbeat for too long. A stopped process is meant to wait. */
export function isHung(worker: RecordedWorker, { elapsed }: Pick<Moment, 'elapsed'>): boolean {
  if (!countsAlike(worker) || worker.heartbeatElapsed === null) return false
  if (elapsed - worker.heartbeatElapsed < silenceMs || !isAlive(identityOf(worker))) return false
  return readProcess(worker.pid)?.stopped === false
}

/** Whether it was on this machine before a restart. */
export function isGoneByRestart(worker: WorkerIdentity): boolean {
  const here = ownIdentity()
  return worker.host === here.host && worker.bootId !== here.bootId
}

/** Whether its process and those it started have the same ids here. */
export function countsAlike(worker: WorkerIdentity): boolean {
  const here = ownIdentity()
  return worker.bootId === here.bootId && worker.pidNamespace === here.pidNamespace
}

/** Workers that have joined, have not left, and are alive. */
export const presentWorkers = (journal: Journal, moment = momentOf(systemClock)): readonly RecordedWorker[] =>
  workersHere(journal).filter(worker => isPresent(worker, moment))

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
