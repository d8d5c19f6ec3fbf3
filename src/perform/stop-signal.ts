import { onStop, type StopReason } from '../define/outcome.ts'

export interface StopSignal {
  readonly signal: AbortSignal
  stop(reason: StopReason): void
  /** Forgets the timer and the outer signal. */
  release(): void
}

/** One signal out of three reasons to end: asked from outside, out of time, and what the attempt itself finds out. */
export function stopSignal(outer: AbortSignal, timeoutMs: number | null): StopSignal {
  const controller = new AbortController()
  const forget = onStop(outer, () => controller.abort(outer.reason))
  let timer: NodeJS.Timeout | undefined
  const stop = (reason: StopReason) => controller.abort(reason)
  const wait = (leftMs: number) => {
    // A longer timer than this would fire at once.
    const now = Math.min(leftMs, 2 ** 31 - 1)
    timer = setTimeout(() => (leftMs > now ? wait(leftMs - now) : stop(outOfTime(timeoutMs))), now)
  }
  if (timeoutMs !== null) wait(timeoutMs)
  return {
    signal: controller.signal,
    stop,
    release() {
      clearTimeout(timer)
      forget()
    },
  }
}

const outOfTime = (timeoutMs: number | null): StopReason => ({
  kind: 'timed_out',
  message: `ended after its timeout of ${(timeoutMs ?? 0) / 1000} s`,
})
