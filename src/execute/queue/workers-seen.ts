import type { Needs } from '../../define/experiment.ts'
import type { WorkerSeen } from '../../record/places.ts'
import { version } from '../../util/version.ts'
import { mostAtOnce } from '../machine.ts'
import type { WorkerHello } from './messages.ts'

/** The workers that a coordinator has heard of, and what people should know about them. */
export class WorkersSeen {
  readonly #queue: string
  readonly #needs: Needs | undefined
  readonly #notice: (key: string, message: string) => void
  readonly #seen = new Map<string, { readonly hello: WorkerHello; readonly at: number }>()

  /** `notice` is told the same thing about the same worker as often as it is seen. */
  constructor(queue: string, needs: Needs | undefined, notice: (key: string, message: string) => void) {
    this.#queue = queue
    this.#needs = needs
    this.#notice = notice
  }

  /** Whether it is new. */
  hear(hello: WorkerHello): boolean {
    const isNew = !this.#seen.has(hello.id)
    this.#seen.set(hello.id, { hello, at: performance.now() })
    const refusal = hello.refused.find(({ queue }) => queue === this.#queue)
    const who = `the worker ${hello.id} on ${hello.machine.host}`
    if (hello.version !== version)
      this.#notice(`version ${hello.id}`, `${who} is of assay ${hello.version}, this is ${version}: it gets no runs`)
    else if (refusal !== undefined)
      this.#notice(`refused ${hello.id} ${refusal.reason}`, `${who} takes no runs: ${refusal.reason}`)
    return isNew
  }

  leave(id: string): void {
    this.#seen.delete(id)
  }

  /** Those that take jobs of this experiment. */
  present(): readonly WorkerHello[] {
    return [...this.#seen.values()]
      .map(({ hello }) => hello)
      .filter(
        ({ is_draining, refused, version: theirs }) =>
          theirs === version && !is_draining && !refused.some(({ queue }) => queue === this.#queue),
      )
  }

  /** Whether there are workers, and none of them takes jobs of this experiment. */
  get areAllUnable(): boolean {
    return this.#seen.size > 0 && this.present().length === 0
  }

  /** For people who look at the experiment. */
  summaries(): readonly WorkerSeen[] {
    return this.present().map(({ id, machine: { host, cpus, gpus }, slots, jobs, load }) => ({
      ...{ id, host, runs: jobs.reduce((sum, { tokens }) => sum + tokens.length, 0) },
      ...{ slots, cpus, gpus, load },
    }))
  }

  get slots(): number {
    return this.present().reduce(
      (sum, { slots, machine }) => sum + Math.min(slots, mostAtOnce(machine, this.#needs)),
      0,
    )
  }

  /** Nobody is given up for a time in which nothing could be heard. */
  hold(now: number): void {
    for (const [id, { hello }] of this.#seen) this.#seen.set(id, { hello, at: now })
  }

  forgetSilent(now: number, goneMs: number): void {
    for (const [id, { at }] of this.#seen) if (now - at > goneMs) this.#seen.delete(id)
  }
}
