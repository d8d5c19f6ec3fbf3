import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

type StreamName = 'stdout' | 'stderr'

/** Where what a function prints goes: files of its run that are made when the first word comes. */
export class OutputFiles {
  #descriptors = new Map<StreamName, number>()
  #current: { readonly runDir: string; makeDirectory(): void } | null = null

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

  begin(run: { readonly runDir: string; makeDirectory(): void }): void {
    this.#current = run
  }

  /** Straight to the file, so that nothing is lost when the thread is ended. */
  write(name: StreamName, chunk: string | Uint8Array): void {
    if (this.#current === null) return
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
