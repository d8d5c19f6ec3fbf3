import { existsSync } from 'node:fs'
import type { Experiment, Needs } from '../define/experiment.ts'
import { onStop, stopReasonOf } from '../define/outcome.ts'
import { type AttemptResult, type Job, resultWith, type UnfinishedAttempt } from '../define/run.ts'
import type { Target } from '../define/target.ts'
import { flushTraces } from '../models/trace/run-trace.ts'
import { perform, type Setting } from '../perform/perform.ts'
import { readResult, spentSoFar } from '../perform/read-result.ts'
import { differentNeeds, type NeedsOf, needsFor } from '../plan/plan.ts'
import { endOrphans, endUnclearStrays } from '../process/end.ts'
import { runFolder, runPlace } from '../record/places.ts'
import type { Adopted, Executor, JobIo } from './executor.ts'
import { mostAtOnce, othersMs, type Room, type Share } from './machine.ts'

const nothingShared: Share = { gpus: [], giveBack: () => undefined }

/**
 * How many executors use a target: resources it keeps alive between runs are shared, and closed with the last of them.
 */
const users = new Map<Target, number>()

/** Performs jobs on this machine, as many at a time as there are slots. */
export class LocalExecutor implements Executor {
  #setting: Setting
  #slots: number
  #running = 0
  readonly #room: Room | null
  readonly #needsOf: NeedsOf
  readonly #needs: readonly (Needs | undefined)[]
  /** Jobs that were started but don't fit yet, in order: none overtakes a larger one. */
  readonly #waiting: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined

  /** `room`: the machine that its runs share; null: they have no particular needs. */
  constructor(setting: Setting, slots: number, room: Room | null = null) {
    this.#setting = setting
    this.#room = room
    this.#needsOf = needsFor(setting.experiment)
    this.#needs = differentNeeds(setting.experiment)
    this.#slots = slots
    users.set(setting.target, (users.get(setting.target) ?? 0) + 1)
  }

  get slots(): number {
    const { machine } = this.#room ?? { machine: null }
    return Math.min(this.#slots, machine === null ? this.#slots : this.#most(needs => mostAtOnce(machine, needs)))
  }

  resize(slots: number): void {
    this.#slots = slots
  }

  follow({ python }: Experiment): void {
    const { experiment } = this.#setting
    // A target is cached by the definition it got: only a different spelling makes another one.
    if (JSON.stringify(python) === JSON.stringify(experiment.python)) return
    this.#setting = { ...this.#setting, experiment: { ...experiment, python } }
  }

  free(): number {
    const room = this.#room
    if (this.#waiting.length > 0) return 0
    return Math.min(
      Math.max(0, this.#slots - this.#running),
      room === null ? this.#slots : this.#most(needs => room.more(needs)),
    )
  }

  #most(count: (needs: Needs | undefined) => number): number {
    return Math.max(0, ...this.#needs.map(count))
  }

  async start(job: Job, io: JobIo): Promise<AttemptResult> {
    this.#running++
    const share = this.#room === null ? nothingShared : await this.#shareFor(job, io, this.#room)
    try {
      if (share === null) return resultWith(job, stopReasonOf(io.signal) ?? { kind: 'cancelled', message: 'cancelled' })
      return await perform(job, this.#setting, this.#room === null ? io : { ...io, gpus: share.gpus })
    } finally {
      this.#running--
      share?.giveBack()
      this.#waiting[0]?.()
    }
  }

  /** Immediately, or when running jobs leave room for it; null: it was stopped before. */
  async #shareFor({ run }: Job, { signal }: JobIo, room: Room): Promise<Share | null> {
    const needs = this.#needsOf(run)
    const share = this.#waiting.length === 0 ? room.take(needs) : null
    if (share !== null || signal.aborted) return share
    return new Promise(resolve => {
      const over = (taken: Share | null): void => {
        forget()
        this.#waiting.splice(this.#waiting.indexOf(again), 1)
        clearInterval(this.#timer)
        resolve(taken)
        this.#waiting[0]?.()
      }
      const again = (): void => {
        const taken = room.take(needs)
        clearInterval(this.#timer)
        // Other processes don't announce when they are done.
        if (taken === null) this.#timer = setInterval(() => this.#waiting[0]?.(), othersMs)
        else over(taken)
      }
      const forget = onStop(signal, () => over(null))
      this.#waiting.push(again)
      if (this.#waiting.length === 1) again()
    })
  }

  async adopt(unfinished: readonly UnfinishedAttempt[]): Promise<readonly Adopted[]> {
    const adopted = unfinished.map(attempt => ({ attempt, result: this.#resultOf(attempt) }))
    const lost = adopted.filter(({ result }) => result === null).map(({ attempt }) => attempt)
    await endOrphans(
      lost.map(({ token, pid, startTime }) => ({ token, pid, startTime })),
      this.#setting.experiment.limits.grace_ms,
    )
    if (lost.length > 0) await this.#setting.target.endLost?.(lost.map(({ token }) => token))
    return adopted.map(({ attempt, result }) =>
      result === null ? this.#ended(attempt) : { kind: 'finished', token: attempt.token, result },
    )
  }

  settled(): Promise<void> {
    return flushTraces()
  }

  async close(): Promise<void> {
    const { target } = this.#setting
    const others = (users.get(target) ?? 1) - 1
    users.set(target, others)
    if (others === 0) await target.close?.()
    if (others === 0) await endUnclearStrays()
  }

  /** The files of a run may still belong to its previous attempt, whose cost is already known. */
  #ended({ run, token }: UnfinishedAttempt): Adopted {
    const { dir } = this.#setting
    const left = readResult(dir, run.name)
    const hasFiles = (left === null || left.token === token) && existsSync(runFolder(dir, run.name))
    if (!hasFiles) return { kind: 'ended', token, spent_usd: 0, place: null }
    const isWorkDone = this.#setting.target.hasOnlyScoringLeft?.(runFolder(dir, run.name)) ?? false
    return {
      ...{ kind: 'ended', token, spent_usd: spentSoFar(dir, run.name), place: runPlace(run.name) },
      ...(isWorkDone && { only_scoring_left: true }),
    }
  }

  #resultOf(attempt: UnfinishedAttempt): AttemptResult | null {
    const result = readResult(this.#setting.dir, attempt.run.name)
    return result?.token === attempt.token ? result : null
  }
}
