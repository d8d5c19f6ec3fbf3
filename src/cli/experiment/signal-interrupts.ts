import type { Interrupts } from '../../engine/interrupts.ts'
import type { Io } from '../io.ts'

/**
 * Ctrl-C once: no new runs, running ones finish. Twice: running ones are cancelled. SIGTERM and SIGHUP come from
 * machines that will not wait (a scheduler, a closed terminal): they cancel at once.
 */
export function signalInterrupts(io: Io): Interrupts {
  // Over all that listen in turn: a second Ctrl-C is the second one, also when a cleanup has begun since the first.
  let interrupted = false
  return listener =>
    io.onSignal(signal => {
      listener(signal === 'SIGINT' && !interrupted ? 'drain' : 'cancel')
      interrupted = true
    })
}
