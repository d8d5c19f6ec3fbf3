import { AsyncLocalStorage } from 'node:async_hooks'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

type StreamName = 'stdout' | 'stderr'

interface Printing {
  readonly runDir: string
  makeDirectory(): void
}

/** The files for a function's output, made when there is any. */
export class OutputFiles {
  #descriptors = new Map<StreamName, number>()
  readonly #printing = new AsyncLocalStorage<Printing>()
  #current: Printing | null = null

  /** Catches `process.stdout` and `console`, for good: the thread belongs to the runs. */
  capture(): void {
    for (const name of ['stdout', 'stderr'] as const) {
      const stream = process[name]
      stream.write = (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean => {
        this.write(name, chunk)
        const written = typeof encoding === 'function' ? encoding : callback
        if (typeof written === 'function') queueMicrotask(() => written())
        return true
      }
    }
  }

  /** Output of this work, and of anything it starts without waiting, belongs to the run until `end`, then to no run. */
  during<T>(run: Printing, work: () => T): T {
    this.#current = run
    return this.#printing.run(run, work)
  }

  /** Straight to the file, so that nothing is lost when the thread is ended. */
  write(name: StreamName, chunk: string | Uint8Array): void {
    const printing = this.#printing.getStore() ?? this.#current
    if (this.#current === null || printing !== this.#current) return
    let descriptor = this.#descriptors.get(name)
    if (descriptor === undefined) {
      this.#current.makeDirectory()
      descriptor = openSync(join(this.#current.runDir, `${name}.txt`), 'a')
      this.#descriptors.set(name, descriptor)
    }
    writeSync(descriptor, typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  }

  end(): void {
    this.#current = null
    if (this.#descriptors.size === 0) return
    for (const descriptor of this.#descriptors.values()) closeSync(descriptor)
    this.#descriptors.clear()
  }
}
