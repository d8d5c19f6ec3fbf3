import type { WorkerSeen } from '../../../record/places.ts'
import { version } from '../../../util/version.ts'
import { mostAtOnce } from '../../machine.ts'
import type { WorkerHello } from '../messages.ts'
import type { NeedsQueue } from './experiment-queues.ts'

/** The workers that a coordinator has heard from, and messages about them. */
export class WorkersSeen {
  readonly #queues: readonly NeedsQueue[]
  readonly #notice: (key: string, message: string) => void
  readonly #seen = new Map<string, { readonly hello: WorkerHello; readonly at: number }>()

  /** `notice` gets the same message about the same worker each time it is seen. */
  constructor(queues: readonly NeedsQueue[], notice: (key: string, message: string) => void) {
    this.#queues = queues
    this.#notice = notice
  }

  /** Whether it is new. */
  hear(hello: WorkerHello): boolean {
    const isNew = !this.#seen.has(hello.id)
    this.#seen.set(hello.id, { hello, at: performance.now() })
    const refusals = hello.refused.filter(({ queue }) => this.#queues.some(({ name }) => name === queue))
    const who = `the worker ${hello.id} on ${hello.machine.host}`
    if (hello.version !== version)
      this.#notice(`version ${hello.id}`, `${who} is of assay ${hello.version}, this is ${version}: it gets no runs`)
    // It is enough that a worker can execute some of the runs.
    else if (refusals.length === this.#queues.length)
      for (const { reason } of refusals)
        this.#notice(`refused ${hello.id} ${reason}`, `${who} takes no runs: ${reason}`)
    return isNew
  }

  leave(id: string): void {
    this.#seen.delete(id)
  }

  /** All workers present: those told to leave are still performing their jobs. */
  ids(): Iterable<string> {
    return this.#seen.keys()
  }

  /** Workers that take jobs of this experiment. */
  present(): readonly WorkerHello[] {
    return [...this.#seen.values()]
      .map(({ hello }) => hello)
      .filter(
        ({ is_draining, version: theirs, refused }) =>
          theirs === version && !is_draining && this.#queues.some(({ name }) => takesFrom(name, refused)),
      )
  }

  get isNobody(): boolean {
    return this.#seen.size === 0
  }

  /** For `status` and the dashboard. */
  summaries(): readonly WorkerSeen[] {
    return this.present().map(({ id, machine: { host, cpus, gpus }, slots, jobs, load }) => ({
      ...{ id, host, runs: jobs.reduce((sum, { tokens }) => sum + tokens.length, 0) },
      ...{ slots, cpus, gpus, load },
    }))
  }

  get slots(): number {
    return this.#slotsOf(this.#queues)
  }

  /** The slots that runs of this queue may use. */
  slotsFor(queue: NeedsQueue): number {
    return this.#slotsOf([queue])
  }

  #slotsOf(queues: readonly NeedsQueue[]): number {
    const most = ({ slots, machine, refused }: WorkerHello) => {
      const counts = queues.map(({ name, needs }) => (takesFrom(name, refused) ? mostAtOnce(machine, needs) : 0))
      return Math.min(slots, Math.max(0, ...counts))
    }
    return this.present().reduce((sum, hello) => sum + most(hello), 0)
  }

  /** No worker is given up for a time during which no message could arrive. */
  hold(now: number): void {
    for (const [id, { hello }] of this.#seen) this.#seen.set(id, { hello, at: now })
  }

  forgetSilent(now: number, goneMs: number): void {
    for (const [id, { at }] of this.#seen) if (now - at > goneMs) this.#seen.delete(id)
  }
}

const takesFrom = (name: string, refused: WorkerHello['refused']): boolean =>
  !refused.some(({ queue }) => queue === name)
