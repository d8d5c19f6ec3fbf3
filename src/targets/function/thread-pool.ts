import { ThreadHandle } from './thread-handle.ts'

/** As many threads as there are calls at a time; idle ones wait for the next, and never keep the process alive. */
export class ThreadPool {
  readonly #idle: ThreadHandle[] = []
  readonly #busy: ThreadHandle[] = []

  take(): ThreadHandle {
    const thread = this.#idle.pop() ?? new ThreadHandle()
    if (thread.isLost) return this.take()
    this.#busy.push(thread)
    return thread
  }

  giveBack(thread: ThreadHandle): void {
    const index = this.#busy.indexOf(thread)
    if (index >= 0) this.#busy.splice(index, 1)
    if (!thread.isLost) this.#idle.push(thread)
  }

  async close(): Promise<void> {
    const threads = [...this.#idle.splice(0), ...this.#busy.splice(0)]
    await Promise.all(threads.map(thread => thread.terminate()))
  }
}
