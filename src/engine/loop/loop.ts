import { type Limits, limitsInForce } from '../../define/limits.ts'
import type { Summary } from '../../define/outcome.ts'
import type { AttemptResult } from '../../define/run.ts'
import { countsVariants } from '../../plan/identity.ts'
import { bootId } from '../../process/processes.ts'
import { type Control, limitsSet, readExperiment } from '../../record/journal/experiment-row.ts'
import { isBusy } from '../../record/journal/journal.ts'
import { writeSummaryFile } from '../../record/places.ts'
import { forecastCost, standing } from '../../record/read/standing.ts'
import { heartbeat } from '../../record/runs/workers.ts'
import { messageOf } from '../../util/errors.ts'
import { mixSeed, seededRandom } from '../../util/random.ts'
import { momentOf } from '../../util/time.ts'
import type { Interrupt } from '../call.ts'
import { PermitOffice } from '../permits/permit-office.ts'
import { RateNotices } from '../permits/rate-notice.ts'
import { adoptFromDead } from './adopt.ts'
import { EarlyStopping } from './early-stopping.ts'
import { JournalWatch } from './journal-watch.ts'
import type { LoopSetup } from './loop-setup.ts'
import { isPerformedAlike, Planning } from './planning.ts'
import { RunningJobs } from './running-jobs.ts'
import { SettleAndClaim } from './settle-and-claim.ts'
import { type Settling, settleLate } from './settle-job.ts'
import { SharedSeries } from './shared-series.ts'
import { Stopping } from './stopping.ts'
import { TrialStopping } from './trial-stopping.ts'
import { Watchdog } from './watchdog.ts'

/** How often to check for changes by other processes; our own are known at once. */
const pollMs = 200
const heartbeatMs = 5_000
/** With thousands of short runs a second, not every one needs a check; claiming itself never uses outdated data. */
const minPollMs = 10
const progressMs = 1_000
/**
 * While it waits for a journal that another program has locked, this process is blocked: timeouts and Ctrl-C can't wait
 * long.
 */
const patienceMs = 250
/** Now and then several workers wait for each other. */
const reportAfterMs = 3_000

export interface LoopEnd {
  /** Why no more runs were started; null: everything is done. */
  readonly stoppedBy: string | null
  readonly interrupted: boolean
  /** Whether all attempts requested with `--count` were made. */
  readonly hasMadeAll: boolean
}

/**
 * The one loop. `run` and `worker` both execute it: claim, start, settle; plan when nothing is ready; take over from
 * dead workers; until everything is done or a user stops it.
 */
export class Loop {
  readonly #setup: LoopSetup
  readonly #jobs: RunningJobs
  readonly #settling: Settling
  readonly #planning: Planning
  readonly #stopping: Stopping
  readonly #earlyStopping: EarlyStopping
  readonly #trialStopping: TrialStopping
  readonly #sharing: SharedSeries
  readonly #settleAndClaim: SettleAndClaim
  readonly #permits: PermitOffice
  readonly #watchdog = new Watchdog()
  readonly #journalWatch: JournalWatch
  #limits: Limits
  #paused = false
  #locked: { readonly since: number | null; readonly isTold: boolean } = { since: null, isTold: false }
  #dataVersion = -1
  #polledAt = Number.NEGATIVE_INFINITY
  #isWaking = false
  #nextHeartbeat = 0
  #nextProgress = 0
  #adoption: Promise<void> | null = null
  #failure: unknown = null
  /** Results of attempts that were given up. */
  readonly #late: AttemptResult[] = []
  #wake: () => void = () => undefined

  constructor(setup: LoopSetup) {
    this.#setup = setup
    this.#limits = setup.experiment.limits
    this.#planning = new Planning(setup)
    this.#stopping = new Stopping({ ...setup, abortAll: reason => this.#jobs.abortAll(reason) })
    this.#journalWatch = new JournalWatch({
      ...setup,
      warn: message => setup.emit({ kind: 'notice', level: 'warning', message }),
      drain: reason => this.#stopping.drain(reason),
    })
    this.#earlyStopping = new EarlyStopping({ ...setup, stop: (token, reason) => this.#jobs.abort(token, reason) })
    this.#trialStopping = new TrialStopping(setup)
    this.#sharing = new SharedSeries(setup)
    const rateNotices = new RateNotices(setup.journal)
    this.#permits = new PermitOffice({
      ...setup,
      boot: bootId(),
      random: seededRandom(mixSeed(setup.workerId, setup.startedAt)).next,
      limits: () => this.#limits,
      onRateDecision: decided => setup.emit(rateNotices.of(decided, setup.clock.now())),
      stop: reason => this.#stopping.drain(reason),
    })
    this.#settling = { ...setup, limits: () => this.#limits, giveBack: setup.kind === 'worker' }
    this.#jobs = new RunningJobs(setup.executor, {
      onChange: () => this.#wakeSoon(),
      onPoint: (job, point) => {
        this.#earlyStopping.hear(job, point)
        this.#sharing.hear(job, point)
      },
      onFailure: error => this.#onFailure(error),
    })
    this.#settleAndClaim = new SettleAndClaim({
      ...setup,
      jobs: this.#jobs,
      planning: this.#planning,
      stopping: this.#stopping,
      trialStopping: this.#trialStopping,
      permits: this.#permits,
      settling: this.#settling,
      limits: () => this.#limits,
      isPaused: () => this.#paused,
      isLookedAt: version => version === this.#dataVersion,
      forget: job => {
        this.#earlyStopping.forget(job)
        this.#sharing.forget(job)
      },
    })
  }

  async run(): Promise<LoopEnd> {
    const { journal } = this.#setup
    journal.setPatience(patienceMs)
    this.#setup.executor.listen?.({
      notice: message => this.#setup.emit({ kind: 'notice', level: 'warning', message }),
      late: result => {
        this.#late.push(result)
        this.#wake()
      },
      grown: () => this.#wakeSoon(),
    })
    for (const one of this.#setup.runningElsewhere) this.#settleAndClaim.attach(one)
    try {
      for (;;) {
        const awake = new Promise<void>(resolve => {
          this.#wake = resolve
        })
        if (this.#tryStep() === 'end') break
        const forget = this.#setup.clock.after(pollMs, this.#wake)
        await awake
        forget()
        if (this.#failure !== null) throw this.#failure
      }
    } finally {
      this.#jobs.abortAll({ kind: 'cancelled', message: 'cancelled because assay cannot continue' })
      await this.#jobs.allOver()
      await this.#adoption
      journal.setPatience()
      this.#watchdog.close()
      this.#permits.close()
      this.#keepResults()
    }
    this.#journalWatch.refuseIfLost()
    return {
      stoppedBy: this.#stopping.reason,
      interrupted: this.#stopping.interrupted,
      hasMadeAll: this.#settleAndClaim.hasMadeAll,
    }
  }

  /** A user pressed Ctrl-C, or the process got SIGTERM. */
  interrupt(interrupt: Interrupt): void {
    this.#stopping.interrupt(interrupt)
    this.#wake()
  }

  /** The state of what was requested; `summary.json` covers the whole experiment. */
  summary(): Summary {
    const { journal, dir, startedElapsed, clock } = this.#setup
    const wall_s = (clock.elapsed() - startedElapsed) / 1000
    const own = standing(journal, dir, { reused: this.#setup.reused, wall_s, scope: 'call' })
    const row = readExperiment(journal)
    writeSummaryFile(dir, row?.planned === row?.definitionPlanned ? own : this.#wholeSummary(own))
    return own
  }

  /** Of the whole experiment: everything that this call has not added was completed before it. */
  #wholeSummary({ completed, reused, wall_s }: Summary): Summary {
    const whole = standing(this.#setup.journal, this.#setup.dir, { wall_s })
    return { ...whole, reused: whole.completed - (completed - reused) }
  }

  /** Waits for a journal that another program has locked: running runs continue, and no part of a step is lost. */
  #tryStep(): 'wait' | 'end' {
    try {
      const next = this.#step()
      if (this.#locked.isTold) this.#notice('the journal can be written again')
      this.#locked = { since: null, isTold: false }
      return next
    } catch (error) {
      if (!isBusy(error)) throw error
      const { clock, emit } = this.#setup
      const since = this.#locked.since ?? clock.elapsed()
      const isTold = this.#locked.isTold || clock.elapsed() - since >= reportAfterMs
      const message = `${messageOf(error)}; no run starts or counts as ended until it does`
      if (isTold && !this.#locked.isTold) emit({ kind: 'notice', level: 'warning', message })
      this.#locked = { since, isTold }
      return 'wait'
    }
  }

  /** After another failure: records the results that have arrived, if they can still be written. */
  #keepResults(): void {
    try {
      this.#settleLate()
      this.#settleAndClaim.settleRest()
    } catch {
      // Results with a directory are recovered from there; the first error is the one to report.
    }
  }

  #step(): 'wait' | 'end' {
    this.#watchdog.doing(1)
    this.#poll()
    this.#watchdog.doing(2)
    this.#tick()
    this.#watchdog.doing(3)
    this.#earlyStopping.judge()
    this.#watchdog.doing(4)
    this.#sharing.share()
    this.#watchdog.doing(5)
    this.#permits.look()
    this.#settleLate()
    this.#watchdog.doing(6)
    const more = this.#settleAndClaim.untilNothingIsReady()
    this.#watchdog.doing(0)
    if (this.#jobs.size > 0 || this.#adoption !== null) return 'wait'
    return this.#stopping.reason !== null || more === 'none' ? 'end' : 'wait'
  }

  #settleLate(): void {
    // If the journal could not accept it now, the next step tries again.
    for (let [next] = this.#late; next !== undefined; [next] = this.#late) {
      if (!this.#jobs.replaceEnd(next)) settleLate(this.#settling, next)
      this.#late.shift()
    }
  }

  /** Reads changes by other processes: limits, pause, stop. */
  #poll(): void {
    const now = performance.now()
    if (now - this.#polledAt < minPollMs) return
    this.#polledAt = now
    this.#journalWatch.look()
    const version = this.#setup.journal.dataVersion()
    if (version === this.#dataVersion) return
    this.#dataVersion = version
    const row = readExperiment(this.#setup.journal)
    if (row === undefined) return
    const experiment = this.#planning.experimentOf(row)
    const isAnother =
      row.fingerprint !== this.#setup.fingerprint || !isPerformedAlike(experiment, this.#setup.experiment)
    if (isAnother) this.#stopping.drain('the definition of the experiment changed')
    this.#limits = limitsInForce(experiment.limits, limitsSet(this.#setup.journal, row))
    this.#setup.executor.follow(experiment)
    this.#setup.executor.resize(this.#setup.slots ?? this.#limits.jobs)
    this.#earlyStopping.follow(experiment)
    this.#trialStopping.follow(experiment)
    const isShared = experiment.search?.early_stop == null || countsVariants(experiment)
    this.#sharing.leaveOut(isShared ? null : (experiment.search?.metric ?? null))
    this.#obey(row.control)
  }

  #obey(control: Control): void {
    if (control === 'pause' && !this.#paused) this.#notice('paused: running runs finish, no new ones start')
    if (control === 'go' && this.#paused) this.#notice('resumed')
    this.#paused = control === 'pause'
    if (control === 'stop') this.#stopping.drain('stopped with `assay stop`')
    if (control === 'stop_now') this.#stopping.cancel('stopped with `assay stop`', 'cancelled with `assay stop --now`')
  }

  /** Jobs that end at the same moment are settled in one transaction. */
  #wakeSoon(): void {
    if (this.#isWaking) return
    this.#isWaking = true
    setImmediate(() => {
      this.#isWaking = false
      this.#wake()
    })
  }

  #onFailure(error: unknown): void {
    this.#failure ??= error
    this.#wake()
  }

  #notice(message: string): void {
    this.#setup.emit({ kind: 'notice', level: 'info', message })
  }

  #tick(): void {
    const { journal, clock, workerId, executor, emit } = this.#setup
    const now = clock.elapsed()
    if (now >= this.#nextHeartbeat) {
      this.#nextHeartbeat = now + heartbeatMs
      if (heartbeat(journal, workerId, executor.slots, momentOf(clock))) this.#adoption ??= this.#adopt()
      else this.#giveUpRuns()
      journal.fold()
    }
    if (now >= this.#nextProgress) {
      const summary = this.summary()
      const forecast = forecastCost(journal, summary, 'call')
      emit({ kind: 'progress', summary, ...(forecast !== null && { forecast }) })
      // Counting a million runs takes a while: never more than a twentieth of the time.
      this.#nextProgress = clock.elapsed() + Math.max(progressMs, 20 * (clock.elapsed() - now))
    }
  }

  /**
   * Another process considered this one dead and took over its runs: it was silent for too long, on another host or
   * asleep.
   */
  #giveUpRuns(): void {
    const message = 'another process considered this one dead and took over its runs'
    this.#stopping.cancel(message, message)
  }

  async #adopt(): Promise<void> {
    const { executor } = this.#setup
    try {
      for (const one of await adoptFromDead(executor, this.#settling)) this.#settleAndClaim.attach(one)
    } catch (error) {
      // The next heartbeat tries again.
      if (!isBusy(error)) this.#onFailure(error)
    } finally {
      this.#adoption = null
      this.#wake()
    }
  }
}
