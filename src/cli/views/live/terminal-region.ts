import type { Clock } from '../../../util/time.ts'
import { drawOn, type Output } from '../../io.ts'
import { safeText } from '../../safe-output.ts'

/** At most ten redraws a second, and at least one a second even if nothing happens, so that times advance. */
const shortestMs = 100
const longestMs = 1000

const hideCursor = '\x1b[?25l'
const showCursor = '\x1b[?25h'

/** A few lines at the bottom of a terminal that are redrawn in place; printed lines go above them. */
export class TerminalRegion {
  readonly #output: Output
  readonly #clock: Clock
  readonly #render: () => readonly string[]
  #drawn = 0
  #lastDrawn = Number.NEGATIVE_INFINITY
  #forgetTimer: (() => void) | undefined
  #dueAt = Number.POSITIVE_INFINITY
  #isOpen = true
  readonly #longestMs: number

  constructor(output: Output, clock: Clock, render: () => readonly string[], redrawMs = longestMs) {
    this.#longestMs = redrawMs
    this.#output = output
    this.#clock = clock
    this.#render = render
    drawOn(output, hideCursor)
    this.#draw([])
  }

  /** Something changed: redraws soon. */
  changed(): void {
    if (this.#isOpen) this.#drawAt(Math.max(this.#clock.elapsed(), this.#lastDrawn + shortestMs))
  }

  /** Lines that stay. */
  print(lines: readonly string[]): void {
    if (this.#isOpen) this.#draw(lines)
  }

  /** Removes the region, or leaves its last state on the screen, and restores the cursor. */
  close(how: { readonly keep: boolean }): void {
    if (!this.#isOpen) return
    if (how.keep) this.#draw([])
    else drawOn(this.#output, this.#erase())
    this.#isOpen = false
    this.#forgetTimer?.()
    drawOn(this.#output, showCursor)
  }

  #draw(permanent: readonly string[]): void {
    const lines = this.#render()
    const all = [...permanent, ...lines].map(line => `${safeText(line, this.#output)}\x1b[K\n`).join('')
    // One write, so that a half-drawn frame is never visible.
    drawOn(this.#output, `${this.#erase()}${all}`)
    this.#drawn = lines.length
    this.#lastDrawn = this.#clock.elapsed()
    this.#dueAt = Number.POSITIVE_INFINITY
    this.#drawAt(this.#lastDrawn + this.#longestMs)
  }

  #drawAt(time: number): void {
    if (time >= this.#dueAt) return
    this.#forgetTimer?.()
    this.#dueAt = time
    this.#forgetTimer = this.#clock.after(Math.max(0, time - this.#clock.elapsed()), () => this.#draw([]))
  }

  /** From the first column: Ctrl-C leaves a ^C on the terminal, which moves the cursor. */
  #erase(): string {
    return this.#drawn === 0 ? '' : `\r\x1b[${this.#drawn}A\x1b[J`
  }
}
