import type { Interrupt, Interrupts, Listener, Surroundings } from '../../engine/call.ts'
import { systemClock } from '../../util/system-clock.ts'
import type { Io } from '../io.ts'

/** What the engine needs of the outside world, for a command; listeners are called in this order. */
export const surroundingsOf = (io: Io, ...listeners: readonly Listener[]): Surroundings => ({
  clock: systemClock,
  cwd: io.cwd,
  env: io.env,
  argv: io.argv,
  interrupts: signalInterrupts(io),
  listeners,
})

/**
 * Ctrl-C once: no new runs, running ones finish. Twice: running ones are cancelled. SIGTERM and SIGHUP come from
 * machines that will not wait (a scheduler, a closed terminal): they cancel at once.
 */
export function signalInterrupts(io: Io): Interrupts {
  // Across all listeners: a second Ctrl-C is the second one, even if a cleanup has begun since the first.
  let interrupted = false
  const listeners = new Set<(interrupt: Interrupt) => void>()
  const tell = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => {
    const interrupt = signal === 'SIGINT' && !interrupted ? 'drain' : 'cancel'
    interrupted = true
    for (const listener of listeners) listener(interrupt)
  }
  let forget: (() => void) | undefined
  return listener => {
    listeners.add(listener)
    forget ??= io.onSignal(tell)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      forget?.()
      forget = undefined
    }
  }
}
