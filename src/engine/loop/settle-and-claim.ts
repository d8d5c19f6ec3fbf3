import type { Limits } from '../../define/limits.ts'
import type { Job } from '../../define/run.ts'
import type { ModelIds } from '../../define/target.ts'
import type { JobIo } from '../../execute/executor.ts'
import { countsVariants } from '../../plan/identity.ts'
import { readExperiment, recordedBeyondBound, recordedModelIds } from '../../record/journal/experiment-row.ts'
import { isBusy } from '../../record/journal/journal.ts'
import { type ClaimAnswer, isTrialLeft, recordProcess, waiting } from '../../record/runs/claim.ts'
import { hasSpent } from '../../record/runs/settle.ts'
import { SmallMap } from '../../util/collections.ts'
import { counted, exactDollars } from '../../util/words.ts'
import type { PermitOffice } from '../permits/permit-office.ts'
import type { RunningElsewhere } from './adopt.ts'
import { Claiming } from './claiming.ts'
import type { LoopSetup } from './loop-setup.ts'
import { metricWatch } from './metric-watch.ts'
import type { Planning } from './planning.ts'
import type { EndedJob, RunningJobs } from './running-jobs.ts'
import { type SettledJob, type Settling, settleJob } from './settle-job.ts'
import type { Stopping } from './stopping.ts'
import type { TrialStopping } from './trial-stopping.ts'

interface Parts extends LoopSetup {
  readonly jobs: RunningJobs
  readonly planning: Planning
  readonly stopping: Stopping
  readonly permits: PermitOffice
  readonly settling: Settling
  readonly limits: () => Limits
  readonly isPaused: () => boolean
  /** Whether the journal was read since it reached this version. */
  readonly isLookedAt: (version: number) => boolean
  readonly trialStopping: TrialStopping
  /** Nothing more will come from this job. */
  readonly forget: (job: Job) => void
}

type StartedProcess = Parameters<JobIo['onStarted']>[0]

/**
 * Why no more was claimed. `again`: the ended jobs are settled, and only now can it be decided; `count`: `--count` is
 * reached.
 */
type Answer = ClaimAnswer['kind'] | 'again' | 'count'

interface Claims {
  readonly claimed: readonly Job[]
  /** How many trials these begin. */
  readonly begun: number
  /** The attempt, among these, that must run alone. */
  readonly alone: string | null
  readonly answer: Answer
  /** The journal's version at that moment. */
  readonly version: number
}

/** Settles ended jobs, claims and starts new ones, and plans when nothing is ready. */
export class SettleAndClaim {
  readonly #parts: Parts
  readonly #claiming: Claiming
  readonly #modelIds: ModelIds
  readonly #beyondBound: ModelIds
  readonly #watchMetric: ReturnType<typeof metricWatch>
  readonly #unrecorded = new SmallMap<string, StartedProcess>()
  readonly #onNote = (message: string): void => this.#parts.emit({ kind: 'notice', level: 'warning', message })
  /** How many jobs were claimed, or trials begun if a search counts those. */
  #made = 0
  readonly #isByTrial: boolean
  /** The attempt that must run alone. */
  #alone: string | null = null
  /** Claimed and not yet started, with the journal's version at that moment. */
  #claimed: { readonly jobs: readonly Job[]; readonly version: number } = { jobs: [], version: -1 }

  constructor(parts: Parts) {
    this.#parts = parts
    this.#claiming = new Claiming(parts)
    this.#modelIds = recordedModelIds(parts.journal, parts.clock)
    this.#beyondBound = recordedBeyondBound(parts.journal, parts.clock)
    this.#watchMetric = metricWatch(parts.experiment, parts.emit)
    this.#isByTrial = countsVariants(parts.experiment)
  }

  /** Whether `--count` was reached. */
  get hasMadeAll(): boolean {
    return this.#made === this.#parts.count
  }

  /** Settles ended jobs and starts others in their place. `none`: nothing is left to do, here or elsewhere. */
  untilNothingIsReady(): 'perhaps' | 'none' {
    const { executor, planning, stopping } = this.#parts
    for (;;) {
      const answer = this.#settleAndClaim()
      if (answer === 'again') continue
      if (answer === 'budget') this.#budgetIsUsed()
      // A pause keeps the remaining runs waiting; if none are left, there is nothing to wait for.
      const isFree = answer === 'none' || (answer === 'held' && this.#parts.isPaused() && !this.#isAnythingLeft())
      if (!isFree || stopping.reason !== null) return 'perhaps'
      // Scoring looks back: nothing new is planned for it.
      const offered = this.#parts.mode === 'score' ? 'done' : planning.offerWindow(executor.free())
      if (offered === 'elsewhere') return 'perhaps'
      if (offered === 'offered') continue
      if (this.#isAnythingLeft()) return 'perhaps'
      const ending = planning.ending()
      if (ending !== null) stopping.drain(ending)
      return 'none'
    }
  }

  /** One transaction for ended and new jobs; listeners and processes follow after the commit. */
  #settleAndClaim(): Exclude<Answer, 'count'> {
    const { executor, emit, jobs, permits, stopping } = this.#parts
    this.#recordStarts()
    this.#startClaimed()
    const ended = jobs.takeEnded()
    // Without free slots, as when no workers are connected, this still shows whether there is anything to wait for.
    if (ended.length === 0 && executor.free() === 0) {
      if (jobs.size === 0 && !this.#isAnythingLeft()) return 'none'
      if (stopping.reason === null && !this.#parts.isPaused()) executor.expectJobs?.()
      return 'claimed'
    }
    const { settled, claimed, begun, alone, answer, version } = this.#inOneTransaction(ended)
    this.#claimed = { jobs: claimed, version }
    this.#made += this.#isByTrial ? begun : claimed.length
    this.#parts.trialStopping.tell()
    if (ended.some(({ job }) => job.token === this.#alone)) this.#alone = null
    this.#alone ??= alone
    for (const { job } of ended) {
      this.#unrecorded.delete(job.token)
      permits.forget(job.token)
      this.#parts.forget(job)
    }
    settled.forEach(({ event, isRunOver }, index) => {
      emit(event)
      const end = ended[index]
      if (end !== undefined && isRunOver) stopping.afterRun(end, this.#parts.limits().halt)
    })
    this.#watchMetric(ended)
    if (answer === 'again' && stopping.reason !== null) return 'held'
    if (answer === 'count')
      stopping.drain(`made ${counted(this.#made, this.#isByTrial ? 'trial' : 'attempt')} (--count)`)
    this.#startClaimed()
    return answer === 'count' ? 'held' : answer
  }

  /** Claimed runs are ours to start: if something fails in between, such as a busy journal, the next turn starts them. */
  #startClaimed(): void {
    const { emit, clock } = this.#parts
    if (this.#claimed.jobs.length === 0) return
    this.#followValues(this.#claimed.version)
    const claimed = this.#claimed.jobs
    this.#claimed = { jobs: [], version: -1 }
    for (const job of claimed) {
      emit({ kind: 'attempt_started', run: job.run.name, attempt: job.attempt, at: clock.now() })
      this.#start(job)
    }
  }

  /** A job that is still running elsewhere belongs to this process from now on. */
  attach({ job, attach }: RunningElsewhere): void {
    this.#start(job, attach)
  }

  #start(job: Job, attach?: RunningElsewhere['attach']): void {
    const { jobs, permits } = this.#parts
    const io = {
      permits: permits.permitsOf(job),
      modelIds: this.#modelIds,
      beyondBound: this.#beyondBound,
      onNote: this.#onNote,
      onStarted: (started: StartedProcess) => this.#recordStart(job.token, started),
    }
    jobs.start(job, io, attach)
  }

  /** Records which process executes the attempt, to find it after a crash; later if the journal is busy. */
  #recordStart(token: string, started: StartedProcess): void {
    const isBehind = this.#unrecorded.size > 0
    this.#unrecorded.set(token, started)
    if (isBehind) return
    try {
      this.#recordStarts()
    } catch (error) {
      if (isBusy(error)) return
      this.#unrecorded.delete(token)
      throw error
    }
  }

  #recordStarts(): void {
    const { journal } = this.#parts
    for (const [token, { pid, startTime }] of this.#unrecorded.entries()) {
      recordProcess(journal, token, pid, startTime)
      this.#unrecorded.delete(token)
    }
  }

  #inOneTransaction(ended: readonly EndedJob[]) {
    const { journal, jobs } = this.#parts
    const hasMoney = this.#parts.limits().budget_usd !== null || ended.some(({ result }) => hasSpent(result))
    const undo: (() => void)[] = []
    try {
      const work = () => {
        const settled = this.#settled(ended, undo)
        if (ended.length > 0) this.#parts.trialStopping.judge()
        return { settled, ...this.#claim(ended) }
      }
      return journal.transaction(work, { durable: hasMoney })
    } catch (error) {
      // Nothing was written: they still have to be settled.
      for (const step of undo) step()
      this.#parts.trialStopping.forget()
      jobs.putBack(ended)
      throw error
    }
  }

  /** The cost of an attempt's calls is booked call by call, and then the rest of it. */
  #settled(ended: readonly EndedJob[], undo: (() => void)[] = []): readonly SettledJob[] {
    const { permits, settling } = this.#parts
    return ended.map(({ job, result }) => {
      const { usd, takeBack } = permits.bookCallsOf(job.token)
      undo.push(takeBack)
      const { event, isRunOver } = settleJob(settling, job, result)
      if (event.kind !== 'attempt_ended') return { event, isRunOver }
      return { event: { ...event, charged_usd: event.charged_usd + usd }, isRunOver }
    })
  }

  /** Settles the last ended jobs when nothing more will be started. */
  settleRest(): void {
    const { journal, jobs, emit } = this.#parts
    const ended = jobs.takeEnded()
    if (ended.length === 0) return
    for (const { event } of journal.transaction(() => this.#settled(ended), { durable: true })) emit(event)
  }

  /** Runs claimed just now may belong to a definition that is not checked yet. */
  #followValues(version: number): void {
    const { journal, executor, planning } = this.#parts
    const row = this.#parts.isLookedAt(version) ? undefined : readExperiment(journal)
    if (row !== undefined) executor.follow(planning.experimentOf(row))
  }

  /** Claims as many runs as there are free slots, and returns why it stopped. */
  #claim(ended: readonly EndedJob[]): Claims {
    const { journal, executor, count, stopping, permits, workerId } = this.#parts
    const claimed: Job[] = []
    let begun = 0
    let alone: string | null = null
    const answer = (): Answer => {
      if (stopping.reason !== null || this.#parts.isPaused()) return 'held'
      if (stopping.mayFollow(ended, this.#parts.limits().halt)) return 'again'
      if (permits.isShort) return 'budget'
      const isRunningAlone = this.#alone !== null && !ended.some(({ job }) => job.token === this.#alone)
      while (executor.free() > claimed.length && !isRunningAlone) {
        const isEnough = count !== null && this.#made + (this.#isByTrial ? begun : claimed.length) >= count
        if (isEnough && !this.#isByTrial) return 'count'
        // Begun trials are finished: a part of one says little.
        const trials = count === null || !this.#isByTrial ? undefined : isEnough ? 'taken' : 'taken_or_free'
        const isAlone = this.#parts.jobs.size === 0 && claimed.length === 0
        const next = this.#claiming.claim(this.#parts.limits(), isAlone, trials)
        if (next === 'none' && isEnough) return isTrialLeft(journal, workerId) ? 'held' : 'count'
        if (typeof next === 'string') return next
        claimed.push(next.job)
        if (next.beginsTrial) begun++
        if (next.runsAlone) {
          alone = next.job.token
          break
        }
      }
      return 'claimed'
    }
    return { answer: answer(), claimed, begun, alone, version: journal.dataVersion() }
  }

  /** The next run does not fit the budget; it may fit once running ones have settled for less than was reserved. */
  #budgetIsUsed(): void {
    const { journal, jobs, stopping } = this.#parts
    const row = readExperiment(journal)
    if (row === undefined || jobs.size > 0 || waiting(journal).running > 0) return
    const budget = exactDollars(this.#parts.limits().budget_usd ?? 0)
    const cap = this.#claiming.capUsd(this.#parts.limits())
    const facts = `${exactDollars(row.spentUsd)} is spent${cap === null ? '' : ` and a run may cost ${exactDollars(cap)}`}`
    stopping.drain(`the budget of ${budget} has no room for another run: ${facts}`)
  }

  #isAnythingLeft(): boolean {
    const left = waiting(this.#parts.journal, this.#parts)
    return left.ready > 0 || left.running > 0
  }
}
