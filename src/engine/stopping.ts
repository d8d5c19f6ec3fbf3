import type { HaltRule } from '../define/experiment.ts'
import type { StopReason } from '../define/outcome.ts'
import type { EngineEvent } from './events.ts'
import type { Interrupt } from './interrupts.ts'
import { haltReason } from './rules/halt.ts'
import type { EndedJob } from './running-jobs.ts'
import { isFailure } from './settle-job.ts'

/** Whether no new runs are started any more, and why: the first reason counts. */
export class Stopping {
  readonly #failFast: boolean
  readonly #emit: (event: EngineEvent) => void
  readonly #abortAll: (reason: StopReason) => void
  readonly #ended = { finished: 0, failed: 0 }
  #reason: string | null = null
  #interrupted = false

  constructor(options: {
    readonly failFast: boolean
    readonly emit: (event: EngineEvent) => void
    /** Ends the runs that are under way. */
    readonly abortAll: (reason: StopReason) => void
  }) {
    this.#failFast = options.failFast
    this.#emit = options.emit
    this.#abortAll = options.abortAll
  }

  /** null: runs are started. */
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
    this.drain(reason)
    this.#abortAll({ kind: 'cancelled', message })
  }

  interrupt(interrupt: Interrupt): void {
    this.#interrupted = true
    if (interrupt === 'drain') this.drain('interrupted')
    else this.cancel('interrupted', 'cancelled by the user')
  }

  /** Whether taking these in may be what ends it all: only afterwards is known whether to go on. */
  mayFollow(ended: readonly EndedJob[], halt: HaltRule | null): boolean {
    return (this.#failFast || halt !== null) && ended.some(({ result }) => isFailure(result.outcome))
  }

  /** A run is over: one failure too many? */
  afterRun({ job, result }: EndedJob, halt: HaltRule | null): void {
    this.#ended.finished++
    if (!isFailure(result.outcome)) return
    this.#ended.failed++
    if (this.#failFast)
      this.cancel(`${job.run.name} failed (--fail-fast)`, `cancelled because ${job.run.name} failed (--fail-fast)`)
    const reason = haltReason(halt, this.#ended)
    if (reason !== null) this.drain(reason)
  }
}
