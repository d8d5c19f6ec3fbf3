import type { Surroundings } from '../../engine/request.ts'
import { systemClock } from '../../util/time.ts'
import type { Io } from '../io.ts'
import type { Listener } from '../views/live/listener.ts'
import { signalInterrupts } from './signal-interrupts.ts'

/** What the engine needs of the outside world, for a command. */
export const surroundingsOf = (io: Io, listener: Listener): Surroundings => ({
  clock: systemClock,
  cwd: io.cwd,
  env: io.env,
  argv: io.argv,
  interrupts: signalInterrupts(io),
  listeners: [listener],
})
