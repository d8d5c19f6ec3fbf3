import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import { onStop, type StopReason, stopReasonOf } from '../../define/outcome.ts'
import { type AttemptResult, type Job, resultWith, type UnfinishedAttempt } from '../../define/run.ts'
import type { Setting } from '../../perform/perform.ts'
import { lastLine } from '../../record/places.ts'
import { takenAwayClass } from '../../record/runs/settle.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import type { Adopted, Executor, ExecutorListener, JobIo } from '../executor.ts'
import { LocalExecutor } from '../local.ts'
import { PermitDesk } from '../queue/remote-permits.ts'
import { slurm } from './commands.ts'
import { logFile, type SlurmOptions } from './script.ts'
import { type ClusterFacts, isOver, unknownState } from './states.ts'
import { earlierTasks, submissionsIn } from './submission.ts'
import { Submitter } from './submitter.ts'
import { type EarlierTask, keyOf, newsOf, resultIn, slurmName, type Task, tellTask } from './task.ts'
import { outcomeOfUnfinished } from './task-end.ts'
import type { FromTask } from './task-messages.ts'

/** How often to check for messages of tasks, and how often to ask Slurm. */
const pollMs = 250
const askMs = 2_000
/** Runs under way, unless the user or a search sets a number: enough for a cluster, and for an array. */
const defaultRuns = 1_000
/** A result may reach this machine a moment after Slurm reports its task as over. */
const settleMs = 2_000
/** A task that does not stop when told to is cancelled. */
const patienceMs = 15_000
/** When to report that Slurm does not answer, and how long a starting process waits for it. */
const silentMs = 20_000

interface Underway {
  readonly job: Job
  readonly io: JobIo
  readonly desk: PermitDesk
  /** null: it waits to be submitted. */
  task: Task | null
  stoppedAt: number | null
  end(result: AttemptResult): void
  fail(error: Error): void
}

/**
 * Submits jobs to Slurm as arrays whose tasks each perform a chunk of them, on a file system that all nodes see. Tasks
 * and this process communicate through files; Slurm tells whether a task is alive; the engine decides what happens to a
 * lost attempt.
 */
export class SlurmExecutor implements Executor {
  readonly #local: LocalExecutor
  readonly #facts: ClusterFacts
  readonly #submitter: Submitter
  readonly #jobs = new Map<string, Underway>()
  readonly #tasks = new Map<string, Task>()
  /** Tasks that were given up: if Slurm was wrong, the cost of their runs is still recorded. */
  readonly #givenUp: Task[] = []
  readonly #shown = new Set<string>()
  #setting: Setting
  #most: number | null
  #isAsking = false
  #askedAt = Number.NEGATIVE_INFINITY
  #answeredAt = performance.now()
  #failure: AssayError | null = null
  #listener: ExecutorListener | null = null
  #timer: NodeJS.Timeout | undefined

  private constructor(setting: Setting, options: SlurmOptions, facts: ClusterFacts, place: SlurmPlace) {
    this.#setting = setting
    this.#facts = facts
    this.#submitter = new Submitter(
      {
        ...{ options, facts, cwd: place.cwd, setting: () => this.#setting, hasTasks: () => this.#tasks.size > 0 },
        submitted: (task, jobs) => this.#watch(task, jobs),
        busy: message => this.#tell('busy', `Slurm accepts no more runs now (${message}); they are submitted later`),
        refused: (error, jobs) => this.#refused(error, jobs),
      },
      setting.experiment,
    )
    this.#most = place.mostJobs
    this.#local = new LocalExecutor(setting, 0)
  }

  static async open(setting: Setting, options: SlurmOptions, place: SlurmPlace): Promise<SlurmExecutor> {
    return new SlurmExecutor(setting, options, await persist(() => slurm.facts()), place)
  }

  get slots(): number {
    return this.#most ?? defaultRuns
  }

  resize(slots: number): void {
    if (this.#most !== null) this.#most = slots
  }

  follow(experiment: Experiment): void {
    this.#local.follow(experiment)
    this.#setting = { ...this.#setting, experiment: { ...this.#setting.experiment, python: experiment.python } }
  }

  free(): number {
    return this.#failure === null ? Math.max(0, this.slots - this.#jobs.size) : 0
  }

  listen(listener: ExecutorListener): void {
    this.#listener = listener
  }

  start(job: Job, io: JobIo): Promise<AttemptResult> {
    this.#submitter.add(job)
    return this.#await(job, io, null)
  }

  async adopt(unfinished: readonly UnfinishedAttempt[]): Promise<readonly Adopted[]> {
    const tokens = new Set(unfinished.map(({ token }) => token))
    const tasks = await persist(() => earlierTasks(this.#setting.dir, tokens))
    if (tasks.length > 0) await persist(() => this.#askAbout(tasks.map(({ task }) => task)))
    const taskOf = new Map(tasks.flatMap(task => [...task.jobs.keys()].map(token => [token, task] as const)))
    // Attempts in no array were not submitted, or were performed here by another executor.
    const here = unfinished.filter(({ token }) => !taskOf.has(token))
    const elsewhere = unfinished.flatMap(({ token }) => {
      const task = taskOf.get(token)
      const job = task?.jobs.get(token)
      return task === undefined || job === undefined ? [] : [this.#adopted(job, task)]
    })
    return [...(await this.#local.adopt(here)), ...(await Promise.all(elsewhere))]
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    // If attempts are still open, the next process finds their results there.
    if (this.#jobs.size === 0) rmSync(submissionsIn(this.#setting.dir), { recursive: true, force: true })
    await this.#local.close()
  }

  async #adopted(job: Job, { task, results, points }: EarlierTask): Promise<Adopted> {
    const { token } = job
    const done = results.get(token)
    if (done !== undefined) return { kind: 'finished', token, result: done }
    if (task.overAt !== null) return { kind: 'finished', token, result: await this.#unfinished(task, job, null) }
    const attach = (io: JobIo) => {
      this.#tasks.set(keyOf(task), task)
      const ended = this.#await(job, io, task)
      for (const point of points.get(token) ?? []) io.onPoint(point)
      return ended
    }
    return { kind: 'running', token, attach }
  }

  #await(job: Job, io: JobIo, task: Task | null): Promise<AttemptResult> {
    const { token } = job
    this.#timer ??= setInterval(() => this.#tick(), pollMs)
    setImmediate(() => this.#submitter.submitWhenDue())
    return new Promise((resolve, reject) => {
      const answer = (_: string, message: Parameters<typeof tellTask>[1]) => {
        const at = this.#jobs.get(token)?.task
        if (at != null) tellTask(at, message)
      }
      const over = () => {
        forget()
        this.#jobs.delete(token)
        one.task?.tokens.delete(token)
        if (one.task?.tokens.size === 0) this.#tasks.delete(keyOf(one.task))
      }
      const one: Underway = {
        ...{ job, io, task, stoppedAt: null, desk: new PermitDesk(io.permits, answer) },
        end(result) {
          over()
          resolve(result)
        },
        fail(error) {
          over()
          reject(error)
        },
      }
      this.#jobs.set(token, one)
      task?.tokens.add(token)
      const forget = onStop(io.signal, () => setImmediate(() => this.#stop(token)))
    })
  }

  #tick(): void {
    const isTimeToAsk = performance.now() - this.#askedAt > askMs
    for (const task of [...this.#tasks.values(), ...(isTimeToAsk ? this.#givenUp : [])])
      for (const message of newsOf(task)) this.#hear(task, message)
    this.#endOver()
    this.#cancelStopped()
    this.#submitter.submitWhenDue()
    if (isTimeToAsk && !this.#isAsking && this.#tasks.size > 0) void this.#ask()
  }

  #watch(task: Task, jobs: readonly Job[]): void {
    this.#tasks.set(keyOf(task), task)
    for (const { token } of jobs) {
      const underway = this.#jobs.get(token)
      if (underway === undefined) continue
      task.tokens.add(token)
      underway.task = task
      if (underway.io.signal.aborted) this.#stop(token)
    }
  }

  /** Work can't continue. */
  #refused(error: unknown, jobs: readonly Job[]): void {
    this.#failure = refusedBySlurm(error)
    const [first, ...others] = jobs
    const outcome = { kind: 'cancelled', error_class: takenAwayClass, message: 'Slurm refused it' } as const
    for (const job of others) this.#jobs.get(job.token)?.end(resultWith(job, outcome))
    if (first !== undefined) this.#jobs.get(first.token)?.fail(this.#failure)
  }

  #hear(task: Task, message: FromTask): void {
    const { token } = message
    const underway = this.#jobs.get(token)
    if (message.t === 'began') task.begun.add(token)
    else if (message.t === 'done' || message.t === 'cut') this.#onResult(task, message)
    else if (underway === undefined) return
    else if (message.t === 'points') for (const point of message.points) underway.io.onPoint(point)
    else if (message.t === 'note') underway.io.onNote(message.message)
    else if (message.t === 'model') underway.io.modelIds.set(message.model, message.id)
    else if (message.t === 'beyond') underway.io.beyondBound?.set(message.model, message.id)
    else underway.desk.hear(message)
  }

  #onResult(task: Task, message: Extract<FromTask, { t: 'done' | 'cut' }>): void {
    const result = resultIn(message)
    const underway = this.#jobs.get(message.token)
    if (result === null) return
    if (underway === undefined) this.#listener?.late(result)
    else if (message.t === 'cut') task.cut.set(message.token, result)
    else {
      this.#submitter.took(result.wall_s)
      underway.end(result)
    }
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    this.#askedAt = performance.now()
    try {
      await this.#askAbout([...this.#tasks.values()])
      this.#answeredAt = performance.now()
      this.#shown.delete('silent')
    } catch (error) {
      if (performance.now() - this.#answeredAt > silentMs)
        this.#tell(
          'silent',
          `Slurm does not answer (${messageOf(error)}); running tasks continue, and Slurm is asked again`,
        )
    } finally {
      this.#isAsking = false
    }
  }

  async #askAbout(tasks: readonly Task[]): Promise<void> {
    const states = await slurm.states([...new Set(tasks.map(({ submission }) => submission))])
    const known = new Map(states.map(one => [`${one.name}_${one.task}`, one]))
    const forgotten = new Set(tasks.filter(task => !known.has(keyOf(task))).map(({ job }) => job))
    const past = forgotten.size === 0 ? [] : await slurm.past([...forgotten], this.#facts)
    const before = new Map(past.map(one => [`${one.job}_${one.task}`, one]))
    for (const task of tasks) {
      const { state = unknownState, where = task.where } = known.get(keyOf(task)) ?? before.get(slurmName(task)) ?? {}
      task.state = state
      task.where = where
      task.overAt = isOver(state) ? (task.overAt ?? performance.now()) : null
    }
  }

  /** Attempts of tasks that are over without a result will never get one. */
  #endOver(): void {
    const now = performance.now()
    for (const task of [...this.#tasks.values()]) {
      if (task.overAt === null || now - task.overAt < settleMs) continue
      this.#tasks.delete(keyOf(task))
      if (task.tokens.size > 0) this.#givenUp.push(task)
      for (const token of task.tokens) {
        const underway = this.#jobs.get(token)
        if (underway === undefined) continue
        const { job, io, end } = underway
        void this.#unfinished(task, job, stopReasonOf(io.signal)).then(end)
      }
    }
  }

  async #unfinished(task: Task, job: Job, stopped: StopReason | null): Promise<AttemptResult> {
    const { token } = job
    // A node that Slurm considers dead may be alive, and an administrator may start the task again.
    tellTask(task, { t: 'stop', token, reason: { kind: 'cancelled', message: 'another attempt has taken its place' } })
    const hasBegun = task.begun.has(token)
    const lastOutput = lastLine(join(task.folder, logFile(task.number)))
    const { state, where } = task
    const end = { task: slurmName(task), state, where, hasBegun, hasTaskBegun: task.begun.size > 0, lastOutput }
    const outcome = stopped ?? outcomeOfUnfinished(end)
    const cut = task.cut.get(token)
    const isWorkDone = cut?.outcome.only_scoring_left ?? false
    if (cut !== undefined) return { ...cut, outcome: { ...outcome, ...(isWorkDone && { only_scoring_left: true }) } }
    if (!hasBegun) return resultWith(job, outcome)
    const [left] = await this.#local.adopt([{ ...job, pid: null, startTime: null, lostBefore: 0 }])
    if (left?.kind === 'finished') return left.result
    const { spent_usd = 0, place = null, only_scoring_left = false } = left?.kind === 'ended' ? left : {}
    return {
      ...resultWith(job, { ...outcome, ...(only_scoring_left && { only_scoring_left }) }),
      ...{ cost_usd: null, cost_at_least_usd: spent_usd, place },
    }
  }

  #stop(token: string): void {
    const underway = this.#jobs.get(token)
    const reason = underway === undefined ? null : stopReasonOf(underway.io.signal)
    if (underway === undefined || reason === null) return
    underway.stoppedAt ??= performance.now()
    if (underway.task !== null) {
      tellTask(underway.task, { t: 'stop', token, reason })
      return
    }
    if (this.#submitter.withdraw(token)) underway.end(resultWith(underway.job, reason))
  }

  /**
   * A task whose results are no longer wanted is cancelled: at once if it is waiting, otherwise when it does not stop
   * by itself.
   */
  #cancelStopped(): void {
    const now = performance.now()
    const unwanted = [...this.#tasks.values()].filter(task => {
      if (task.isCancelled || task.overAt !== null || task.tokens.size === 0) return false
      return [...task.tokens].every(token => {
        const { stoppedAt = null, job } = this.#jobs.get(token) ?? {}
        const patience = task.begun.size === 0 ? 0 : patienceMs + (job?.grace_ms ?? 0)
        return stoppedAt !== null && now - stoppedAt >= patience
      })
    })
    if (unwanted.length === 0) return
    for (const task of unwanted) task.isCancelled = true
    slurm.cancel(unwanted.map(slurmName)).catch(() => {
      for (const task of unwanted) task.isCancelled = false
    })
  }

  #tell(key: string, message: string): void {
    if (this.#shown.has(key)) return
    this.#shown.add(key)
    this.#listener?.notice(message)
  }
}

export interface SlurmPlace {
  readonly cwd: string
  /** The most runs under way; null: the default. */
  readonly mostJobs: number | null
}

const refusedBySlurm = (error: unknown): AssayError =>
  error instanceof AssayError
    ? error
    : new AssayError('usage', `Slurm refuses the runs: ${messageOf(error)}`, {
        hint: '`assay plan` with the same options shows the script that is submitted.',
        cause: error,
      })

/** Slurm may be restarting: it is asked again for a while. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + silentMs
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (error instanceof AssayError) throw error
      if (performance.now() > until)
        throw new AssayError('usage', `Slurm does not answer: ${messageOf(error)}`, {
          hint: 'Does `sinfo` work here? assay uses sbatch, squeue, scontrol and scancel of this machine.',
          cause: error,
        })
      await new Promise(resolve => setTimeout(resolve, 1_000))
    }
}
