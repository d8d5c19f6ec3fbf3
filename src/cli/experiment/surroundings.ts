import type { Listener } from '../../engine/events.ts'
import type { Surroundings } from '../../engine/request.ts'
import { systemClock } from '../../util/system-clock.ts'
import type { Io } from '../io.ts'
import { signalInterrupts } from './signal-interrupts.ts'

/** What the engine needs of the outside world, for a command; listeners are told in this order. */
export const surroundingsOf = (io: Io, ...listeners: readonly Listener[]): Surroundings => ({
  clock: systemClock,
  cwd: io.cwd,
  env: io.env,
  argv: io.argv,
  interrupts: signalInterrupts(io),
  listeners,
})
