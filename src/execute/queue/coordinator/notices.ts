import type { ExecutorListener } from '../../executor.ts'
import { needsText } from '../../machine.ts'
import { fullness } from '../server/persist.ts'
import type { OpenQueue } from './experiment-queues.ts'
import type { WorkersSeen } from './workers-seen.ts'

interface Around {
  /** The experiment's name. */
  readonly name: string
  /** The server's address without its password. */
  readonly where: string
  readonly queues: readonly OpenQueue[]
  /** How many runs wait in a queue. */
  countIn(queue: OpenQueue): number
}

/** Messages about the queue and its workers, each shown once. */
export class Notices {
  readonly #around: Around
  readonly #shown = new Set<string>()
  #listener: ExecutorListener | null = null

  constructor(around: Around) {
    this.#around = around
  }

  listen(listener: ExecutorListener): void {
    this.#listener = listener
  }

  tell(key: string, message: string): void {
    if (this.#shown.has(key) || this.#listener === null) return
    this.#shown.add(key)
    this.#listener.notice(message)
  }

  ofFull(error: unknown): void {
    const reason = fullness(error)
    if (reason !== null)
      this.tell('full', `${this.#around.where} has no room for more runs (${reason}); they wait until it has`)
  }

  ofMissing(workers: WorkersSeen): void {
    if (workers.isNobody) this.tell('lonely', `no workers are connected; start some: ${this.#workerCommand()}`)
    else for (const queue of this.#around.queues) this.#ofUnable(queue, workers)
  }

  /** A worker came: if one is missing later, that is worth reporting again. */
  forgetMissing(): void {
    for (const key of this.#shown) if (/^(lonely|unable)/.test(key)) this.#shown.delete(key)
  }

  /** Only for queues in which a run waits. */
  #ofUnable(queue: OpenQueue, workers: WorkersSeen): void {
    const { name, queues } = this.#around
    const { needs } = queue
    const isOnly = queues.length === 1
    if (workers.slotsFor(queue) > 0 || (!isOnly && this.#around.countIn(queue) === 0)) return
    if (needs === undefined)
      this.tell('unable', `no worker takes the runs of ${name}; start another: ${this.#workerCommand()}`)
    else
      this.tell(
        `unable ${queue.name}`,
        `no worker can take ${isOnly ? '' : 'some of '}the runs of ${name}: each needs ${needsText(needs)}; start one on a machine that has it: ${this.#workerCommand(needs.labels)}`,
      )
  }

  #workerCommand(labels: readonly string[] = []): string {
    return [`assay worker --queue ${this.#around.where}`, ...labels.map(label => `--label ${label}`)].join(' ')
  }
}
