import type { Clock } from './time.ts'

/** The clock and the watch of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed() {
    // Of performance.now(), on the watch of the machine: CLOCK_MONOTONIC, which Node's hrtime reads.
    zero ??= Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now()
    return zero + performance.now()
  },
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

let zero: number | undefined

/**
 * Calls back when so much time is over and nothing has come of what was waited for; the returned function forgets it.
 * A process that stood still (stopped, or its machine was) hears of the deadline before it hears what came meanwhile:
 * so if the call is late, or even if it is not, what has come is read first.
 */
export function deadline(ms: number, callback: () => void, clock: Clock = systemClock): () => void {
  let forget = (): void => {}
  let isForgotten = false
  const wait = (leftMs: number): void => {
    // A longer timer than this would fire at once.
    const nowMs = Math.min(leftMs, longestTimerMs)
    const due = clock.elapsed() + nowMs
    forget = clock.after(nowMs, () => {
      if (leftMs > nowMs) wait(leftMs - nowMs)
      else if (clock.elapsed() - due > lateMs) wait(Math.min(ms, secondChanceMs))
      else setImmediate(() => isForgotten || callback())
    })
  }
  wait(ms)
  return () => {
    isForgotten = true
    forget()
  }
}

const longestTimerMs = 2 ** 31 - 1
/** A process that is not late has been awake. */
const lateMs = 100
/** Time to read what has come: answers come in many pieces, and on a busy machine slowly. */
const secondChanceMs = 2_000

/** Aborted when so much time is over; it keeps no process alive. */
export function deadlineSignal(ms: number): AbortSignal {
  const controller = new AbortController()
  deadline(ms, () => controller.abort(new DOMException('its time is over', 'TimeoutError')), idleClock)
  return controller.signal
}

const idleClock: Clock = {
  ...systemClock,
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}
