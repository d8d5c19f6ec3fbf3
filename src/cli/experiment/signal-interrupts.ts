import type { Interrupts } from '../../engine/interrupts.ts'
import type { Io } from '../io.ts'

/**
 * Ctrl-C once: no new runs, running ones finish. Twice: running ones are cancelled. SIGTERM and SIGHUP come from
 * machines that will not wait (a scheduler, a closed terminal): they cancel at once.
 */
export function signalInterrupts(io: Io): Interrupts {
  return listener => {
    let interrupted = false
    return io.onSignal(signal => {
      listener(signal === 'SIGINT' && !interrupted ? 'drain' : 'cancel')
      interrupted = true
    })
  }
}
