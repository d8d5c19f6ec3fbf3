import { outcomeKinds, type StopReason } from './outcome.ts'

/** Why an attempt is asked to end; null while it isn't. An abort without a reason of ours counts as cancelled. */
export function stopReasonOf(signal: AbortSignal): StopReason | null {
  if (!signal.aborted) return null
  return isStopReason(signal.reason) ? signal.reason : { kind: 'cancelled', message: 'cancelled' }
}

function isStopReason(reason: unknown): reason is StopReason {
  if (typeof reason !== 'object' || reason === null || !('kind' in reason)) return false
  return outcomeKinds.some(kind => kind === reason.kind)
}

/** Calls back when the signal is aborted, or at once if it is; the returned function forgets it. */
export function onStop(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => {}
  }
  signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}
