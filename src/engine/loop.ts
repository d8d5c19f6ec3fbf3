import type { Experiment, Limits } from '../define/experiment.ts'
import type { Job } from '../define/job.ts'
import type { Bound, ModelIds } from '../define/target.ts'
import type { Executor } from '../execute/executor.ts'
import { writeSummaryFile } from '../record/directory/summary-file.ts'
import { type Control, limitsSet, readExperiment } from '../record/journal/experiment-row.ts'
import type { Journal } from '../record/journal/journal.ts'
import { recordedModelIds } from '../record/journal/model-ids.ts'
import { heartbeat, type WorkerKind } from '../record/journal/workers.ts'
import { forecastCost } from '../record/read/cost-forecast.ts'
import { standing } from '../record/read/standing.ts'
import { type ClaimAnswer, recordProcess } from '../record/runs/claim.ts'
import { waiting } from '../record/runs/waiting.ts'
import type { Summary } from '../record/summary.ts'
import type { Clock } from '../util/clock.ts'
import { mixSeed, seededRandom } from '../util/random.ts'
import { Claiming } from './claiming.ts'
import { EarlyStopping } from './early-stopping.ts'
import type { EngineEvent } from './events.ts'
import type { Interrupt } from './interrupts.ts'
import { metricWatch } from './metric-watch.ts'
import { PermitOffice } from './permits/permit-office.ts'
import { recordRateDecision } from './permits/rate-notice.ts'
import { isPerformedAlike, Planning } from './planning.ts'
import { limitsInForce } from './rules/limits.ts'
import { type EndedJob, RunningJobs } from './running-jobs.ts'
import { adoptFromDead } from './session/adopt.ts'
import { type Settling, settleJob } from './settle-job.ts'
import { SharedSeries } from './shared-series.ts'
import { Stopping } from './stopping.ts'

/** How often other processes' changes are looked for; our own are known at once. */
const lookMs = 200
const heartbeatMs = 5_000
const progressMs = 1_000

export interface LoopSetup {
  readonly journal: Journal
  readonly dir: string
  readonly experiment: Experiment
  /** Of the definition that is run here. */
  readonly fingerprint: string
  readonly executor: Executor
  readonly workerId: number
  readonly kind: WorkerKind
  /** The most that one attempt can cost by what the target knows. */
  readonly bound: Bound
  /** A worker's own number of slots; null: the experiment's `jobs`. */
  readonly slots: number | null
  readonly failFast: boolean
  /** Attempts to make before leaving; null: no such limit. */
  readonly count: number | null
  readonly reused: number
  readonly startedAt: number
  readonly clock: Clock
  readonly emit: (event: EngineEvent) => void
}

export interface LoopEnd {
  /** Why no more runs were started, if it was not that everything is done. */
  readonly stoppedBy: string | null
  readonly interrupted: boolean
}

/**
 * The one loop. `run` and `worker` are both this: claim, start, settle; plan when nothing is ready; take in what dead
 * workers left; until everything is done or somebody says stop.
 */
export class Loop {
  readonly #setup: LoopSetup
  readonly #jobs: RunningJobs
  readonly #settling: Settling
  readonly #planning: Planning
  readonly #claiming: Claiming
  readonly #stopping: Stopping
  readonly #earlyStopping: EarlyStopping
  readonly #modelIds: ModelIds
  readonly #sharing: SharedSeries
  readonly #watchMetric: ReturnType<typeof metricWatch>
  readonly #permits: PermitOffice
  #limits: Limits
  #paused = false
  #dataVersion = -1
  #nextHeartbeat = 0
  #nextProgress = 0
  #adoption: Promise<void> | null = null
  #trouble: unknown = null
  #wake: () => void = () => undefined

  constructor(setup: LoopSetup) {
    this.#setup = setup
    this.#limits = setup.experiment.limits
    this.#planning = new Planning(setup.journal, setup.workerId)
    this.#claiming = new Claiming(setup)
    this.#stopping = new Stopping({ ...setup, abortAll: reason => this.#jobs.abortAll(reason) })
    this.#modelIds = recordedModelIds(setup.journal, setup.clock)
    this.#earlyStopping = new EarlyStopping({ ...setup, stop: (token, reason) => this.#jobs.abort(token, reason) })
    this.#sharing = new SharedSeries(setup)
    this.#watchMetric = metricWatch(setup.experiment, setup.emit)
    this.#permits = new PermitOffice({
      ...setup,
      elapsed: () => performance.now(),
      random: seededRandom(mixSeed(setup.workerId, setup.startedAt)).next,
      limits: () => this.#limits,
      onRateDecision: decided => setup.emit(recordRateDecision(setup.journal, decided, setup.clock.now())),
      stop: reason => this.#stopping.drain(reason),
    })
    this.#settling = { ...setup, limits: () => this.#limits, giveBack: setup.kind === 'worker' }
    this.#jobs = new RunningJobs(setup.executor, {
      onChange: () => this.#wake(),
      onPoint: (job, point) => {
        this.#earlyStopping.hear(job, point)
        this.#sharing.hear(job, point)
      },
      onTrouble: error => this.#onTrouble(error),
    })
  }

  async run(): Promise<LoopEnd> {
    try {
      for (;;) {
        const awake = new Promise<void>(resolve => {
          this.#wake = resolve
        })
        if (this.#step() === 'end') break
        const forget = this.#setup.clock.after(lookMs, this.#wake)
        await awake
        forget()
        if (this.#trouble !== null) throw this.#trouble
      }
    } finally {
      this.#jobs.abortAll({ kind: 'cancelled', message: 'cancelled because assay can not go on' })
      await this.#jobs.allOver()
      await this.#adoption
      this.#permits.close()
    }
    return { stoppedBy: this.#stopping.reason, interrupted: this.#stopping.interrupted }
  }

  /** Somebody pressed Ctrl-C, or asked the process to end. */
  interrupt(interrupt: Interrupt): void {
    this.#stopping.interrupt(interrupt)
    this.#wake()
  }

  /** How the experiment stands now; also written to `summary.json`. */
  summary(): Summary {
    const { journal, dir, reused, startedAt, clock } = this.#setup
    const summary = standing(journal, dir, { reused, wall_s: (clock.now() - startedAt) / 1000 })
    writeSummaryFile(dir, summary)
    return summary
  }

  #step(): 'wait' | 'end' {
    this.#look()
    this.#tick()
    this.#earlyStopping.judge()
    this.#sharing.share()
    this.#permits.look()
    const more = this.#turnOver()
    if (this.#jobs.size > 0 || this.#adoption !== null) return 'wait'
    return this.#stopping.reason !== null || more === 'none' ? 'end' : 'wait'
  }

  /** Reads what others changed: limits, pause, stop. */
  #look(): void {
    const version = this.#setup.journal.dataVersion()
    if (version === this.#dataVersion) return
    this.#dataVersion = version
    const row = readExperiment(this.#setup.journal)
    if (row === undefined) return
    const experiment = this.#planning.experimentOf(row)
    const isAnother =
      row.fingerprint !== this.#setup.fingerprint || !isPerformedAlike(experiment, this.#setup.experiment)
    if (isAnother) this.#stopping.drain('the experiment has got another definition')
    this.#limits = limitsInForce(experiment.limits, limitsSet(row))
    this.#setup.executor.follow(experiment)
    this.#setup.executor.resize(this.#setup.slots ?? this.#limits.jobs)
    this.#earlyStopping.follow(experiment.search)
    this.#sharing.leaveOut(experiment.search?.early_stop == null ? null : experiment.search.metric)
    this.#obey(row.control)
  }

  #obey(control: Control): void {
    if (control === 'pause' && !this.#paused) this.#notice('paused: running runs finish, no new ones start')
    if (control === 'go' && this.#paused) this.#notice('resumed')
    this.#paused = control === 'pause'
    if (control === 'stop') this.#stopping.drain('stopped with `assay stop`')
    if (control === 'stop_now') this.#stopping.cancel('stopped with `assay stop`', 'cancelled with `assay stop --now`')
  }

  /** Takes ended jobs in and starts others in their place. `none`: nothing is left to do, here or elsewhere. */
  #turnOver(): 'perhaps' | 'none' {
    for (;;) {
      const answer = this.#settleAndClaim()
      if (answer === 'again') continue
      if (answer === 'budget') this.#budgetIsUsed()
      // A pause keeps what is left waiting; where nothing is left there is nothing to wait for.
      const isFree = answer === 'none' || (answer === 'held' && this.#paused && !this.#isAnythingLeft())
      if (!isFree || this.#stopping.reason !== null) return 'perhaps'
      const planning = this.#planning.offerWindow(this.#setup.executor.free())
      if (planning === 'elsewhere') return 'perhaps'
      if (planning === 'offered') continue
      if (this.#isAnythingLeft()) return 'perhaps'
      const ending = this.#planning.ending()
      if (ending !== null) this.#stopping.drain(ending)
      return 'none'
    }
  }

  /** One transaction for what ended and what comes next; listeners and processes follow once it is through. */
  #settleAndClaim(): ClaimAnswer['kind'] | 'again' {
    const { journal, executor, emit, clock } = this.#setup
    const ended = this.#jobs.takeEnded()
    for (const { job } of ended) {
      this.#earlyStopping.forget(job)
      this.#sharing.forget(job)
    }
    if (ended.length === 0 && executor.free() === 0) return 'claimed'
    const claimed: Job[] = []
    const { settled, answer } = journal.transaction(
      () => ({
        settled: ended.map(({ job, result }) => settleJob(this.#settling, job, result)),
        answer: this.#claimInto(claimed, ended),
      }),
      { durable: this.#limits.budget_usd !== null || ended.some(({ result }) => (result.cost_usd ?? 0) > 0) },
    )
    for (const { job } of ended) this.#permits.forget(job.token)
    settled.forEach(({ event, isRunOver }, index) => {
      emit(event)
      const end = ended[index]
      if (end !== undefined && isRunOver) this.#stopping.afterRun(end, this.#limits.halt)
    })
    this.#watchMetric(ended)
    if (answer === 'again' && this.#stopping.reason !== null) return 'held'
    if (claimed.length > 0) this.#followValues()
    for (const job of claimed) {
      emit({ kind: 'attempt_started', run: job.run.name, attempt: job.attempt, at: clock.now() })
      this.#jobs.start(job, {
        permits: this.#permits.permitsOf(job),
        modelIds: this.#modelIds,
        onNote: message => emit({ kind: 'notice', level: 'warning', message }),
        onStarted: ({ pid, startTime }) => recordProcess(journal, job.token, pid, startTime),
      })
    }
    return answer
  }

  /** What was claimed just now may have come with a definition that nobody has looked at yet. */
  #followValues(): void {
    const { journal, executor } = this.#setup
    const row = journal.dataVersion() === this.#dataVersion ? undefined : readExperiment(journal)
    if (row !== undefined) executor.follow(this.#planning.experimentOf(row))
  }

  /** Claims as many runs as there are free slots, and says why it stopped. */
  #claimInto(claimed: Job[], ended: readonly EndedJob[]): ClaimAnswer['kind'] | 'again' {
    const { executor, count } = this.#setup
    if (this.#stopping.reason !== null || this.#paused) return 'held'
    if (this.#stopping.mayFollow(ended, this.#limits.halt)) return 'again'
    if (this.#permits.isShort) return 'budget'
    while (executor.free() > claimed.length) {
      if (count !== null && this.#claiming.count >= count) {
        this.#stopping.drain(`made ${count === 1 ? '1 attempt' : `${count} attempts`} (--count)`)
        return 'held'
      }
      const job = this.#claiming.claim(this.#limits)
      if (typeof job === 'string') return job
      claimed.push(job)
    }
    return 'claimed'
  }

  #onTrouble(error: unknown): void {
    this.#trouble ??= error
    this.#wake()
  }

  /** The next run does not fit the budget; it may once running ones have settled for less than was set aside. */
  #budgetIsUsed(): void {
    const { journal } = this.#setup
    const row = readExperiment(journal)
    if (row === undefined || this.#jobs.size > 0 || waiting(journal).running > 0) return
    const usd = (amount: number) => `$${amount.toFixed(amount < 1 ? 4 : 2)}`
    const budget = usd(this.#limits.budget_usd ?? 0)
    const cap = this.#claiming.capUsd(this.#limits)
    const facts = `${usd(row.spent_usd)} is spent${cap === null ? '' : ` and a run may cost ${usd(cap)}`}`
    this.#stopping.drain(`the budget of ${budget} has no room for another run: ${facts}`)
  }

  #isAnythingLeft(): boolean {
    const left = waiting(this.#setup.journal)
    return left.ready > 0 || left.running > 0
  }

  #notice(message: string): void {
    this.#setup.emit({ kind: 'notice', level: 'info', message })
  }

  #tick(): void {
    const { journal, clock, workerId, executor, emit } = this.#setup
    const now = clock.now()
    if (now >= this.#nextHeartbeat) {
      this.#nextHeartbeat = now + heartbeatMs
      if (heartbeat(journal, workerId, executor.slots, now)) this.#adoption ??= this.#adopt()
      else this.#beGone()
    }
    if (now >= this.#nextProgress) {
      const summary = this.summary()
      const forecast = forecastCost(journal, summary)
      emit({ kind: 'progress', summary, ...(forecast !== null && { forecast }) })
      // Counting a million runs takes a while: never more than a twentieth of the time.
      this.#nextProgress = clock.now() + Math.max(progressMs, 20 * (clock.now() - now))
    }
  }

  /** Somebody took this process for dead, and its runs over: it was silent for too long, on another host or asleep. */
  #beGone(): void {
    const message = 'another process took this one for dead and went on with its runs'
    this.#stopping.cancel(message, message)
  }

  async #adopt(): Promise<void> {
    const { executor } = this.#setup
    try {
      await adoptFromDead(executor, this.#settling)
    } catch (error) {
      this.#onTrouble(error)
    } finally {
      this.#adoption = null
      this.#wake()
    }
  }
}
