import type { Json, JsonObject } from '../../../util/json.ts'
import type { ModelCall } from '../../model-call.ts'
import type { SdkAnswer } from '../../providers/reply-of-result.ts'
import type { Route } from '../../route.ts'
import type { ErrorFormat } from '../../sim/server/refusal.ts'

/** An interface that agents use: reads its requests and answers as leniently as its provider would. */
export interface Api {
  /** For people: `the Responses API`. */
  readonly title: string
  /** `/v1/responses` */
  readonly endpoint: string
  readonly errors: ErrorFormat
  /** Whether a model's provider is known to speak it. */
  speaks(route: Route): boolean
  /** What prevents a request from being priced in advance or replayed; null: nothing. */
  unpriced(body: JsonObject): Unpriced | null
  /** Whether the provider itself would execute a tool: at its own price, and with a network that the box may not have. */
  isHosted(tool: JsonObject): boolean
  /** The content of a request, in our terms. */
  call(body: JsonObject): Omit<ModelCall, 'model' | 'purpose'>
  /** Everything that counts as input, piece by piece. */
  input(body: JsonObject): readonly Json[]
  /** The longest answer that it allows; null: not given. */
  limitOf(body: JsonObject): number | null
  /** The name of the limit; null: a request without one is not ours to complete. */
  limitName(route: Route): string | null
  /** How many answers it requests. */
  choices(body: JsonObject): number
  /** Adds what makes the provider report the usage; the same request if it is there already. */
  withUsage(body: JsonObject, route: Route): JsonObject
  /** Whether an event is only there because of that, and was not requested. */
  isOnlyUsage(event: JsonObject): boolean
  /** Assembles the events of a stream. */
  assemble(): Assembly
  /** A complete answer, in the terms of the provider packages. */
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
  /** The model has finished, though the usage may not have been reported yet. */
  readonly isFinished: boolean
  /** All that there is to know has come. */
  readonly isComplete: boolean
  /** The whole answer as it would have come without a stream; null: it is not finished. */
  readonly body: JsonObject | null
  /** The error that the provider reported within the stream; null: none. */
  readonly error: JsonObject | null
}
