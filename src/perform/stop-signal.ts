import { onStop, type StopReason } from '../define/outcome.ts'
import { deadline } from '../util/system-clock.ts'

export interface StopSignal {
  readonly signal: AbortSignal
  stop(reason: StopReason): void
  /** Forgets the timer and the outer signal. */
  release(): void
}

/** One signal for three reasons to end: a request from outside, the time limit, and the attempt's own decision. */
export function stopSignal(outer: AbortSignal, timeoutMs: number | null): StopSignal {
  const controller = new AbortController()
  const forget = onStop(outer, () => controller.abort(outer.reason))
  const stop = (reason: StopReason) => controller.abort(reason)
  const forgetTimeout = timeoutMs === null ? null : deadline(timeoutMs, () => stop(outOfTime(timeoutMs)))
  return {
    signal: controller.signal,
    stop,
    release() {
      forgetTimeout?.()
      forget()
    },
  }
}

const outOfTime = (timeoutMs: number): StopReason => ({
  kind: 'timed_out',
  message: `ended after its timeout of ${timeoutMs / 1000} s`,
})
