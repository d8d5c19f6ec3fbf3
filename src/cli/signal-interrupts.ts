import type { Interrupts } from '../engine/interrupts.ts'

/**
 * Ctrl-C once: no new runs, running ones finish. Twice: running ones are cancelled. SIGTERM and SIGHUP come from
 * machines that will not wait (a scheduler, a closed terminal): they cancel at once.
 */
export const signalInterrupts: Interrupts = listener => {
  let interrupted = false
  const onInterrupt = () => {
    listener(interrupted ? 'cancel' : 'drain')
    interrupted = true
  }
  const onTerminate = () => {
    interrupted = true
    listener('cancel')
  }
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onTerminate)
  process.on('SIGHUP', onTerminate)
  return () => {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onTerminate)
    process.off('SIGHUP', onTerminate)
  }
}
