import type { Point } from '../../define/target.ts'

/** Gathers reported points, so that a tight loop sends a message now and then and not one per step. */
export class PointBuffer {
  #points: Point[] = []
  #sentAt = 0
  #timer: NodeJS.Timeout | undefined
  readonly #send: (points: readonly Point[]) => void

  constructor(send: (points: readonly Point[]) => void) {
    this.#send = send
  }

  add(point: Point): void {
    this.#points.push(point)
    // A loop that never waits gets no timer: so the time is looked at here too.
    if (performance.now() - this.#sentAt > everyMs) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), everyMs)
  }

  /** What has not been sent yet. */
  take(): readonly Point[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const points = this.#points
    if (points.length > 0) this.#points = []
    return points
  }

  #flush(): void {
    this.#sentAt = performance.now()
    this.#send(this.take())
  }
}

const everyMs = 100
