import type { Point } from '../../define/target.ts'

/** Gathers reported points, so that a tight loop sends a message now and then and not one per step. The first goes at once. */
export class PointBuffer {
  #points: Point[] = []
  #sentAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  readonly #send: (points: readonly Point[]) => void

  constructor(send: (points: readonly Point[]) => void) {
    this.#send = send
  }

  add(point: Point): void {
    this.#points.push(point)
    // A loop that never waits gets no timer: so the time is checked here too.
    if (performance.now() - this.#sentAt > everyMs) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), everyMs)
  }

  /** The points that the call has not sent yet; the next call starts empty. */
  takeAll(): readonly Point[] {
    this.#sentAt = Number.NEGATIVE_INFINITY
    return this.#take()
  }

  #flush(): void {
    this.#sentAt = performance.now()
    this.#send(this.#take())
  }

  #take(): readonly Point[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const points = this.#points
    if (points.length > 0) this.#points = []
    return points
  }
}

const everyMs = 100
