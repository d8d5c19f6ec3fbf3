import type { CoordinatorHello } from '../messages.ts'
import type { QueueServer } from '../server/server.ts'
import { type Refusal, Source, type SourceOptions } from './source.ts'

interface Around {
  readonly server: QueueServer
  readonly options: SourceOptions
  /** Whether nothing more is taken. */
  isDraining(): boolean
  /** A new source was found. */
  found(): void
  /** A source became available or unavailable: others should know. */
  changed(): void
  /** A coordinator is present: it may have been silent for a while. */
  heard(): void
  opened(source: Source): void
  refused(source: Source, reason: string): void
}

/** The experiments that a worker has heard of: it checks each before taking its jobs. */
export class Sources {
  readonly #around: Around
  /** The one asked most recently is last. */
  #all: readonly Source[] = []
  /** Those being opened: a connection made after the end would stay open. */
  #opening = 0

  constructor(around: Around) {
    this.#around = around
  }

  get all(): readonly Source[] {
    return this.#all
  }

  get isOpening(): boolean {
    return this.#opening > 0
  }

  get ready(): readonly Source[] {
    return this.#all.filter(({ isReady }) => isReady)
  }

  hear(hello: CoordinatorHello): void {
    const known = this.#all.find(source => source.hello.queue === hello.queue)
    if (known === undefined) {
      if (this.#around.isDraining()) return
      const source = new Source(this.#around.server, hello, this.#around.options)
      this.#all = [...this.#all, source]
      this.#around.found()
      void this.#open(source)
      return
    }
    known.hear(hello)
    if (known.refusal !== null && !this.#around.isDraining()) void this.#open(known)
    this.#around.heard()
  }

  /** Its coordinator announces that it leaves. */
  leave(coordinator: string): void {
    for (const source of this.#all) if (source.hello.id === coordinator) source.heardAt = Number.NEGATIVE_INFINITY
  }

  wasAsked(source: Source): void {
    this.#all = [...this.#all.filter(one => one !== source), source]
  }

  /** Some of its jobs can't be performed here. */
  refuse(source: Source, { reason }: Refusal): void {
    const before = source.refusal
    source.refusal = reason
    if (reason !== before) this.#around.refused(source, reason)
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ taker }) => taker?.close().catch(() => undefined)))
  }

  async #open(source: Source): Promise<void> {
    if (source.isBusy) return
    source.isBusy = true
    this.#opening++
    const { refusal: before, taker } = source
    await source.open()
    source.isBusy = false
    this.#opening--
    const { refusal } = source
    if (refusal === null && taker === null) this.#around.opened(source)
    if (refusal !== null && refusal !== before) this.#around.refused(source, refusal)
    this.#around.changed()
  }
}
