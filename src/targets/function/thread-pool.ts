import { ThreadHandle } from './thread-handle.ts'

/** As many threads as there are calls at a time; idle ones wait for the next, and never keep the process alive. */
export class ThreadPool {
  readonly #idle: ThreadHandle[] = []
  readonly #busy = new Set<ThreadHandle>()

  take(): ThreadHandle {
    const thread = this.#idle.pop() ?? new ThreadHandle()
    if (thread.isLost) return this.take()
    this.#busy.add(thread)
    return thread
  }

  giveBack(thread: ThreadHandle): void {
    this.#busy.delete(thread)
    if (!thread.isLost) this.#idle.push(thread)
  }

  async close(): Promise<void> {
    const threads = [...this.#idle.splice(0), ...this.#busy]
    this.#busy.clear()
    await Promise.all(threads.map(thread => thread.terminate()))
  }
}
