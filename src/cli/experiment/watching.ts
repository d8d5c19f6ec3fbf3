import type { Experiment } from '../../define/experiment.ts'
import type { Listener } from '../../engine/events.ts'
import { systemClock } from '../../util/time.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import { jsonView } from '../views/live/json-view.ts'
import { verbosity } from '../views/live/listener.ts'
import { liveListener } from '../views/live/live-listener.ts'
import { plainView } from '../views/live/plain-view.ts'

export interface Watching {
  readonly listener: Listener
  /** Takes the live view away, so that what follows stays. */
  end(): void
}

/** The view that fits: events for programs, a live view on a terminal, plain lines otherwise. */
export function watchEngine(experiment: Experiment, options: Options, io: Io): Watching {
  if (options.json) return { listener: jsonView(io.stdout), end: () => undefined }
  const wanted = verbosity(options)
  if (io.stderr.isTTY && io.stdout.isTTY && wanted === 1) {
    const live = liveListener(io, systemClock, experiment.limits.budget_usd)
    return { listener: live.listen, end: () => live.close() }
  }
  return { listener: plainView(io, wanted), end: () => undefined }
}
