import type { Point, RunPlace } from '../../define/target.ts'
import type { JsonObject } from '../../util/json.ts'
import { seededRandom } from '../../util/random.ts'
import type { Call } from './messages.ts'

/** The second argument of a function under test. */
export interface CallContext {
  readonly runId: string
  readonly seed: number
  readonly block: JsonObject
  readonly replicate: number
  /** Aborted when the run is cancelled or out of time; who ignores it is ended after the grace. */
  readonly signal: AbortSignal
  /** In [0, 1), the same numbers for the same seed. */
  random(): number
  /** A metric's value, at a step if it has one. Each `cost_usd` is added to those before. */
  report(metric: string, value: number, step?: number): void
  /** Makes the run's directory on first use. */
  directory(): RunPlace
}

export interface ThreadServices {
  readonly signal: AbortSignal
  report(point: Point): void
  makeDirectory(): void
}

export function callContext(call: Call, services: ThreadServices): CallContext {
  let random: (() => number) | undefined
  return {
    runId: call.runId,
    seed: call.seed,
    block: call.block,
    replicate: call.replicate,
    get signal() {
      return services.signal
    },
    random() {
      random ??= seededRandom(call.seed).next
      return random()
    },
    report(metric, value, step) {
      if (typeof metric !== 'string' || typeof value !== 'number')
        throw new TypeError(
          `report(metric, value, step?) wants a name and a number, not ${typeof metric} and ${typeof value}`,
        )
      if (step !== undefined && !Number.isFinite(step))
        throw new TypeError(`report(metric, value, step?) wants a number as step, not ${String(step)}`)
      services.report({ metric, value, step: step ?? null })
    },
    directory() {
      services.makeDirectory()
      return call.place
    },
  }
}
