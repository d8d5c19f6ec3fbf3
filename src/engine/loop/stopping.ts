import type { Experiment } from '../../define/experiment.ts'
import type { HaltRule } from '../../define/limits.ts'
import { isFailure, type StopReason } from '../../define/outcome.ts'
import { stderrTail } from '../../record/places.ts'
import type { EngineEvent, Interrupt } from '../call.ts'
import { afterFirstRun, type Beginning, flappingReason, noRunsYet } from '../rules/flapping.ts'
import { haltReason } from '../rules/limits.ts'
import type { EndedJob } from './running-jobs.ts'

/** Whether starting new runs has stopped, and why: the first reason counts. */
export class Stopping {
  readonly #experiment: Experiment
  readonly #dir: string
  readonly #failFast: boolean
  readonly #emit: (event: EngineEvent) => void
  readonly #abortAll: (reason: StopReason) => void
  readonly #ended = { finished: 0, failed: 0 }
  #beginning: Beginning = noRunsYet
  #reason: string | null = null
  #isCancelling = false
  #interrupted = false

  constructor(options: {
    readonly experiment: Experiment
    readonly dir: string
    readonly failFast: boolean
    readonly emit: (event: EngineEvent) => void
    /** Ends all running runs. */
    readonly abortAll: (reason: StopReason) => void
  }) {
    this.#experiment = options.experiment
    this.#dir = options.dir
    this.#failFast = options.failFast
    this.#emit = options.emit
    this.#abortAll = options.abortAll
  }

  /** null: runs are being started. */
  get reason(): string | null {
    return this.#reason
  }

  get interrupted(): boolean {
    return this.#interrupted
  }

  /** Lets running runs finish. */
  drain(reason: string): void {
    if (this.#reason !== null) return
    this.#reason = reason
    this.#emit({ kind: 'draining', reason })
  }

  /** Ends running runs too. */
  cancel(reason: string, message: string): void {
    this.#reason ??= reason
    if (!this.#isCancelling) this.#emit({ kind: 'draining', reason: this.#reason, cancels: true })
    this.#isCancelling = true
    this.#abortAll({ kind: 'cancelled', message })
  }

  interrupt(interrupt: Interrupt): void {
    this.#interrupted = true
    if (interrupt === 'drain') this.drain('interrupted')
    else this.cancel('interrupted', 'cancelled by the user')
  }

  /** Whether settling these may end everything: only then is it known whether to continue. */
  mayFollow(ended: readonly EndedJob[], halt: HaltRule | null): boolean {
    const isWatched = this.#failFast || halt !== null || this.#beginning !== 'over'
    return isWatched && ended.some(({ result }) => isFailure(result.outcome))
  }

  /** A run has ended: one failure too many? */
  afterRun({ job, result }: EndedJob, halt: HaltRule | null): void {
    this.#ended.finished++
    this.#beginning = afterFirstRun(this.#beginning, job.run, result)
    if (!isFailure(result.outcome)) return
    this.#ended.failed++
    if (this.#failFast)
      this.cancel(`${job.run.name} failed (--fail-fast)`, `cancelled because ${job.run.name} failed (--fail-fast)`)
    const reason = haltReason(halt, this.#ended) ?? this.#flapping({ job, result })
    if (reason !== null) this.drain(reason)
  }

  #flapping({ job, result }: EndedJob): string | null {
    const lastWords = () => stderrTail(this.#dir, job.run.name) || (result.outcome.message ?? '')
    const { initial_failures } = this.#experiment.limits
    return flappingReason(this.#beginning, this.#experiment, initial_failures, lastWords)
  }
}
