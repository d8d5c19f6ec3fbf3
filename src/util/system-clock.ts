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
