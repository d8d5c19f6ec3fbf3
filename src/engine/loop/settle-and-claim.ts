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
  /** Whether the journal has been looked at since it got this version. */
  readonly isLookedAt: (version: number) => boolean
  readonly trialStopping: TrialStopping
  /** Nothing more will be heard of this job. */
  readonly forget: (job: Job) => void
}

type StartedProcess = Parameters<JobIo['onStarted']>[0]

/** Why no more was claimed. `again`: what ended is settled, and only now can it be told; `count`: `--count` is reached. */
type Answer = ClaimAnswer['kind'] | 'again' | 'count'

interface Claims {
  readonly claimed: readonly Job[]
  /** How many trials are begun with these. */
  readonly begun: number
  /** The attempt, of these, beside which nothing else is started. */
  readonly alone: string | null
  readonly answer: Answer
  /** The journal's version at that moment. */
  readonly version: number
}

/** Ended jobs out, new ones in: settle, claim and start, and plan when nothing is ready. */
export class SettleAndClaim {
  readonly #parts: Parts
  readonly #claiming: Claiming
  readonly #modelIds: ModelIds
  readonly #beyondBound: ModelIds
  readonly #watchMetric: ReturnType<typeof metricWatch>
  readonly #unrecorded = new SmallMap<string, StartedProcess>()
  readonly #onNote = (message: string): void => this.#parts.emit({ kind: 'notice', level: 'warning', message })
  /** How many jobs were claimed, or trials begun where a search counts those. */
  #made = 0
  readonly #isByTrial: boolean
  /** The attempt beside which nothing else is started. */
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

  /** Takes ended jobs in and starts others in their place. `none`: nothing is left to do, here or elsewhere. */
  untilNothingIsReady(): 'perhaps' | 'none' {
    const { executor, planning, stopping } = this.#parts
    for (;;) {
      const answer = this.#settleAndClaim()
      if (answer === 'again') continue
      if (answer === 'budget') this.#budgetIsUsed()
      // A pause keeps what is left waiting; where nothing is left there is nothing to wait for.
      const isFree = answer === 'none' || (answer === 'held' && this.#parts.isPaused() && !this.#isAnythingLeft())
      if (!isFree || stopping.reason !== null) return 'perhaps'
      // To score is to look back: nothing new is planned for it.
      const offered = this.#parts.mode === 'score' ? 'done' : planning.offerWindow(executor.free())
      if (offered === 'elsewhere') return 'perhaps'
      if (offered === 'offered') continue
      if (this.#isAnythingLeft()) return 'perhaps'
      const ending = planning.ending()
      if (ending !== null) stopping.drain(ending)
      return 'none'
    }
  }

  /** One transaction for what ended and what comes next; listeners and processes follow once it is through. */
  #settleAndClaim(): Exclude<Answer, 'count'> {
    const { executor, emit, jobs, permits, stopping } = this.#parts
    this.#recordStarts()
    this.#startClaimed()
    const ended = jobs.takeEnded()
    // Without a slot, as where no worker is there, it is seen all the same whether there is anything to wait for.
    if (ended.length === 0 && executor.free() === 0)
      return jobs.size === 0 && !this.#isAnythingLeft() ? 'none' : 'claimed'
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

  /** What is claimed is ours to start: if something fails between the two, such as a busy journal, the next turn does it. */
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

  /** What goes on elsewhere is from now on a job of this process. */
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

  /** Which process carries the attempt, to find it after a crash; written later if the journal is busy. */
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
      // Nothing of it was written: they are still to be taken in.
      for (const step of undo) step()
      this.#parts.trialStopping.forget()
      jobs.putBack(ended)
      throw error
    }
  }

  /** What an attempt's calls have cost is booked call by call, and then the rest of it. */
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

  /** The last of what has ended, when nothing more will be started. */
  settleRest(): void {
    const { journal, jobs, emit } = this.#parts
    const ended = jobs.takeEnded()
    if (ended.length === 0) return
    for (const { event } of journal.transaction(() => this.#settled(ended), { durable: true })) emit(event)
  }

  /** What was claimed just now may have come with a definition that is not checked yet. */
  #followValues(version: number): void {
    const { journal, executor, planning } = this.#parts
    const row = this.#parts.isLookedAt(version) ? undefined : readExperiment(journal)
    if (row !== undefined) executor.follow(planning.experimentOf(row))
  }

  /** Claims as many runs as there are free slots, and says why it stopped. */
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
        // Trials that were begun are finished: a part of one says little.
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

  /** The next run does not fit the budget; it may once running ones have settled for less than was set aside. */
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
