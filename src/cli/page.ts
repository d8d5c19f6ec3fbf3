import { setImmediate } from 'node:timers/promises'
import type { Io } from './io.ts'

const pieceLength = 1 << 16

/** A long output, written in pieces. Between them it is heard whether anybody still reads (`assay plan | head`). */
export class Page {
  readonly #io: Pick<Io, 'stdout'>
  #piece = ''

  constructor(io: Pick<Io, 'stdout'>) {
    this.#io = io
  }

  /** Whether it is time to turn the page. */
  get isFull(): boolean {
    return this.#piece.length >= pieceLength
  }

  add(text: string): void {
    this.#piece += text
  }

  /** Writes what was added, and says whether anybody still reads. */
  async turn(): Promise<boolean> {
    this.#io.stdout.write(this.#piece)
    this.#piece = ''
    await setImmediate()
    return this.#io.stdout.isOpen
  }
}
