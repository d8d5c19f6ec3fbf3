import type { Outcome } from '../../../define/outcome.ts'
import { type AttemptResult, type Job, resultWith } from '../../../define/run.ts'
import { messageOf } from '../../../util/errors.ts'
import { unpackFiles } from '../run-files.ts'
import type { ReturnedJob, WireEnd, WireResult } from '../wire-result.ts'
import type { JobsUnderway } from './jobs-underway.ts'
import type { Outbox } from './outbox.ts'

/** A token is remembered this long after its result was handed on: its worker may still mention it. */
const rememberMs = 60_000

interface Around {
  readonly jobs: JobsUnderway
  readonly outbox: Outbox
  /** The experiment's directory, where files are written. */
  readonly dir: string
  /** A run took this long. */
  took(wallS: number): void
  /** The result of an attempt that was given up. */
  late(result: AttemptResult): void
}

/** Results from workers: each is handed on once, and jobs that were not started are sent again. */
export class Results {
  readonly #around: Around
  /** The time by token: oldest first. */
  readonly #handedOn = new Map<string, number>()

  constructor(around: Around) {
    this.#around = around
  }

  deliver(end: WireEnd): void {
    if ('returned' in end) this.#sendAgain(end)
    else this.#handOn(end)
  }

  /** The end of a job that an earlier coordinator sent. */
  taken(job: Job, end: WireEnd | undefined): AttemptResult {
    this.#handedOn.set(job.token, performance.now())
    return this.#received(job, end)
  }

  /** A result that was stored in a form this version can't read. */
  unreadable(job: Job): void {
    this.#handOn({ result: this.#received(job, undefined), worker: '', files: null })
  }

  has(token: string): boolean {
    return this.#handedOn.has(token)
  }

  forgetOld(now: number): void {
    for (const [token, at] of this.#handedOn) {
      if (now - at < rememberMs) break
      this.#handedOn.delete(token)
    }
  }

  #handOn(end: WireResult): void {
    const { token, outcome, wall_s } = end.result
    if (this.#handedOn.has(token)) return
    this.#handedOn.set(token, performance.now())
    const { jobs, outbox } = this.#around
    if (outcome.kind === 'completed' || outcome.kind === 'failed') this.#around.took(wall_s)
    const underway = jobs.get(token)
    outbox.isOver(token)
    if (underway === undefined) this.#around.late(end.result)
    else underway.end(this.#received(underway.job, end))
  }

  /** A worker took it but did not start it. */
  #sendAgain({ returned: token, parcel }: ReturnedJob): void {
    const { jobs, outbox } = this.#around
    const underway = jobs.get(token)
    if (underway === undefined || outbox.parcelOf(token)?.id !== parcel) return
    outbox.isBack(token)
    underway.heardAt = performance.now()
    outbox.addAgain(underway.job)
  }

  /** Files from elsewhere are written as if the run had been performed here. */
  #received(job: Job, wire: WireEnd | undefined): AttemptResult {
    if (wire === undefined || 'returned' in wire)
      return {
        ...resultWith(
          job,
          infra('unreadable_result', 'a worker sent a result that this version of assay can not read'),
        ),
        // The cost is unknown as well.
        cost_usd: null,
      }
    if (wire.files === null) return wire.result
    try {
      unpackFiles(this.#around.dir, job, wire.files)
      return wire.result
    } catch (error) {
      const message = `the files of ${job.run.name} could not be written: ${messageOf(error)}`
      return { ...wire.result, outcome: infra('cannot_write', message) }
    }
  }
}

const infra = (error_class: string, message: string): Outcome => ({ kind: 'infra_error', error_class, message })
