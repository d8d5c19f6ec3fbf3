import type { Json, JsonObject } from '../../../util/json.ts'
import type { ModelCall } from '../../model-call.ts'
import type { SdkAnswer } from '../../providers/reply-of-result.ts'
import type { Route } from '../../route.ts'
import type { ErrorFormat } from '../../sim/server/refusal.ts'

/** One of the interfaces that agents speak: how its requests and answers are read, as leniently as its provider would. */
export interface Api {
  /** For people: `the Responses API`. */
  readonly title: string
  /** `/v1/responses` */
  readonly endpoint: string
  readonly errors: ErrorFormat
  /** Whether a model's provider is known to speak it. */
  speaks(route: Route): boolean
  /** What of a request can't be priced before it is sent, or not be replayed; null: nothing. */
  unpriced(body: JsonObject): Unpriced | null
  /** Whether the provider itself would perform a tool: for money of its own, and with a network that the box may not have. */
  isHosted(tool: JsonObject): boolean
  /** What a request says, in our words. */
  call(body: JsonObject): Omit<ModelCall, 'model' | 'purpose'>
  /** Everything that counts as input, piece by piece. */
  input(body: JsonObject): readonly Json[]
  /** The longest answer that it allows; null: it does not say. */
  limitOf(body: JsonObject): number | null
  /** How a limit is said; null: a request without one is not for us to complete. */
  limitName(route: Route): string | null
  /** How many answers it wants. */
  choices(body: JsonObject): number
  /** What has to be in a request so that its usage is told; the same request where it is. */
  withUsage(body: JsonObject, route: Route): JsonObject
  /** Whether an event is there only because of that, and was not asked for. */
  isOnlyUsage(event: JsonObject): boolean
  /** Puts the events of a stream together. */
  assemble(): Assembly
  /** A whole answer, in the words of the provider packages. */
  answer(body: JsonObject): ReadAnswer
}

export interface Unpriced {
  /** As the request names it. */
  readonly param: string
  readonly why: string
}

export type ReadAnswer = Omit<SdkAnswer, 'headers' | 'metadata' | 'warnings'>

/** One event of a stream. */
export interface AnswerEvent {
  /** As the stream calls it; null: it does not. */
  readonly name: string | null
  readonly data: string
  /** The object that it brings; empty: it brings none. */
  readonly json: JsonObject
}

/** An answer that comes event by event. */
export interface Assembly {
  take(event: AnswerEvent): void
  /** The model has finished, though what it took may not have been told yet. */
  readonly isFinished: boolean
  /** All that there is to know has come. */
  readonly isComplete: boolean
  /** The whole answer as it would have come without a stream; null: it is not finished. */
  readonly body: JsonObject | null
  /** What the provider reported within the stream; null: nothing went wrong. */
  readonly error: JsonObject | null
}
