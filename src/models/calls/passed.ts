import { onStop } from '../../define/outcome.ts'
import type { Clock } from '../../util/time.ts'

/** Resolves after `ms` on this clock; rejects with the signal's reason. */
export function passed(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason)
  if (ms <= 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const forget = clock.after(ms, () => {
      release()
      resolve()
    })
    const release = onStop(signal, () => {
      forget()
      reject(signal.reason)
    })
  })
}
