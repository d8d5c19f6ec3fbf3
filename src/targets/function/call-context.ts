import type { Point, RunPlace } from '../../define/target.ts'
import type { JsonObject } from '../../util/json.ts'
import { seededRandom } from '../../util/random.ts'
import type { Call } from './messages.ts'
import type { ContextModels } from './models/context-models.ts'

/** The second argument of a function under test. */
export interface CallContext {
  readonly runId: string
  readonly seed: number
  readonly block: JsonObject
  readonly replicate: number
  /** Aborted when the run is cancelled or out of time; a function that ignores it is ended after the grace period. */
  readonly signal: AbortSignal
  /** In [0, 1), the same numbers for the same seed. */
  random(): number
  /** A metric's value, at a step if it has one. Each `cost_usd` is added to those before. */
  report(metric: string, value: number, step?: number): void
  /** Makes the run's directory on first use. */
  directory(): RunPlace
  /** Language models, on the run's account: its budget, rates, cache and trace. */
  readonly models: ContextModels
}

export interface ThreadServices {
  /** Created on first use. */
  signal(): AbortSignal
  report(point: Point): void
  makeDirectory(): void
  /** Created on first use. */
  models(): ContextModels
}

/**
 * The methods are fields, so that they may be destructured. Signal and models are accessors of the class: an object
 * literal with a getter gives every call its own hidden class, which keeps the call in memory.
 */
class ThreadCallContext implements CallContext {
  readonly #services: ThreadServices
  readonly runId: string
  readonly seed: number
  readonly block: JsonObject
  readonly replicate: number
  readonly random: CallContext['random']
  readonly report: CallContext['report']
  readonly directory: CallContext['directory']

  constructor({ runId, seed, block, replicate, place }: Call, services: ThreadServices) {
    this.#services = services
    this.runId = runId
    this.seed = seed
    this.block = block
    this.replicate = replicate
    let random: (() => number) | undefined
    this.random = () => {
      random ??= seededRandom(seed).next
      return random()
    }
    this.report = (metric, value, step) => {
      refuseWrongReport(metric, value, step)
      services.report({ metric, value, step: step ?? null })
    }
    this.directory = () => {
      services.makeDirectory()
      return place
    }
  }

  get signal(): AbortSignal {
    return this.#services.signal()
  }

  get models(): ContextModels {
    return this.#services.models()
  }
}

export const callContext = (call: Call, services: ThreadServices): CallContext => new ThreadCallContext(call, services)

function refuseWrongReport(metric: unknown, value: unknown, step: unknown): void {
  if (typeof metric !== 'string' || typeof value !== 'number')
    throw new TypeError(
      `report(metric, value, step?) expects a name and a number, not ${typeof metric} and ${typeof value}`,
    )
  if (step !== undefined && !Number.isFinite(step))
    throw new TypeError(`report(metric, value, step?) expects a number as step, not ${String(step)}`)
}
