import { setImmediate } from 'node:timers/promises'
import { drawOn, type Io } from './io.ts'
import { safeJson } from './safe-output.ts'

const pieceLength = 1 << 16

/**
 * A long output, written in pieces. Between them it checks whether the reader is still there (`assay plan | head`).
 */
export class Page {
  readonly #io: Pick<Io, 'stdout'>
  readonly #isJson: boolean
  #piece = ''

  /** `json`: it is one document, of which only the first piece looks like JSON. */
  constructor(io: Pick<Io, 'stdout'>, content: 'text' | 'json' = 'text') {
    this.#io = io
    this.#isJson = content === 'json'
  }

  /** Whether it is time to write the page. */
  get isFull(): boolean {
    return this.#piece.length >= pieceLength
  }

  add(text: string): void {
    this.#piece += text
  }

  /** Writes the added text; false once the reader is gone. */
  async turn(): Promise<boolean> {
    if (this.#isJson) drawOn(this.#io.stdout, safeJson(this.#piece))
    else this.#io.stdout.write(this.#piece)
    this.#piece = ''
    await setImmediate()
    return this.#io.stdout.isOpen
  }
}
