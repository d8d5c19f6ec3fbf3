import { type Dialect, dialectNamed } from '../../define/dialects/registry.ts'
import type { Experiment } from '../../define/experiment.ts'
import type { Outcome } from '../../define/outcome.ts'
import type { EngineEvent, Listener } from '../../engine/call.ts'
import { systemClock } from '../../util/system-clock.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import { jsonView } from '../views/live/json-view.ts'
import { verbosity } from '../views/live/listener.ts'
import { liveListener } from '../views/live/live-listener.ts'
import { plainView } from '../views/live/plain-view.ts'
import { rolloutsView } from '../views/rollouts/rollouts-view.ts'

export interface Watching {
  readonly listener: Listener
  /** Removes the live view, so that the following output stays. */
  end(): void
}

/** By the name of the view that a dialect wants. */
const dialectViews = { rollouts: rolloutsView } as const

/** The view that fits: events for programs, a live view on a terminal, plain lines otherwise. */
export function watchEngine(experiment: Experiment, options: Options, io: Io): Watching {
  const { listener, end } = viewOf(experiment, options, io)
  const { explain } = dialectNamed(experiment.dialect)
  return explain === undefined || options.json
    ? { listener, end }
    : { listener: event => listener(explained(event, explain)), end }
}

/** An event with the dialect's own words for why a run ended, or why no more are started. */
function explained(event: EngineEvent, explain: NonNullable<Dialect['explain']>): EngineEvent {
  if (event.kind === 'attempt_ended') {
    const message = explain(event.outcome)
    return message === null ? event : { ...event, outcome: { ...event.outcome, message } }
  }
  return event.kind === 'draining' ? { ...event, reason: explainedStop(event.reason, explain) } : event
}

/** The engine names the limit that stops it. */
export function explainedStop(reason: string, explain: Dialect['explain']): string {
  const isRate = /said that there were too many requests/.test(reason)
  const outcome: Outcome | null = isRate
    ? { kind: 'rate_limited', message: reason }
    : /^the budget of /.test(reason)
      ? { kind: 'cost_limited', limit: 'budget_usd', message: reason }
      : null
  return (outcome === null ? null : explain?.(outcome)) ?? reason
}

function viewOf(experiment: Experiment, options: Options, io: Io): Watching {
  if (options.json) return { listener: jsonView(io.stdout), end: () => undefined }
  const wanted = verbosity(options)
  const { view } = dialectNamed(experiment.dialect)
  if (view !== undefined) return dialectViews[view](experiment, wanted, io)
  if (io.stderr.isTTY && io.stdout.isTTY && wanted === 1) {
    const live = liveListener(io, systemClock, experiment.limits.budget_usd)
    return { listener: live.listen, end: () => live.close() }
  }
  return { listener: plainView(io, wanted), end: () => undefined }
}
