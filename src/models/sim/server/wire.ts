import { isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import type { FullSetting } from '../../names/settings-of.ts'
import type { CacheUse, PromptBlock } from '../../prices/prefix-cache.ts'
import type { SimCall } from '../sim-call.ts'
import type { SimAnswer } from '../simulate.ts'
import type { ErrorFormat } from './refusal.ts'
import type { StoredResponses } from './responses/stored-responses.ts'

/** A request in the terms that all formats share. */
export interface SimRequest extends Omit<SimCall, 'purpose' | 'seed' | 'tries'> {
  readonly seed: number | undefined
  readonly stream: boolean
  /** How many answers are wanted. */
  readonly choices: number
  /** The part that the provider's cache uses. */
  readonly prompt: readonly PromptBlock[]
}

/** What a request may depend on besides its body. */
export interface Desk {
  readonly headers: { get(name: string): string | null }
  /** Throws Refused if there is no such model. */
  settingOf(model: string): FullSetting
  readonly stored: StoredResponses
}

/** One of a provider's formats: how requests are parsed and checked, and how answers and errors are written. */
export interface Wire<R extends SimRequest = SimRequest> {
  /** `/v1/chat/completions` */
  readonly endpoint: string
  readonly errors: ErrorFormat
  readonly caching: 'automatic' | 'marked'
  /** Throws Refused, as the provider would refuse. */
  read(body: JsonObject, desk: Desk): R
  whole(answered: Answered<R>): object
  /** The same as server-sent events. */
  events(answered: Answered<R>): Iterable<string>
  /** How a stream ends that is not cut. */
  readonly farewell: string
  /** Called after an answer has been made, complete or not. */
  kept?(answered: Answered<R>, desk: Desk): void
}

export interface Answered<R extends SimRequest = SimRequest> {
  readonly request: R
  /** As many as requested; their usage already includes the savings of the cache. */
  readonly answers: readonly [SimAnswer, ...SimAnswer[]]
  readonly cache: CacheUse
  /** 24 hexadecimal digits, another for each request. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Words, with the space that follows them: the pieces of a stream. */
export const pieces = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? []

/** A text without spaces, such as JSON, in pieces of about a token or two. */
export const jsonPieces = (text: string): readonly string[] => text.match(/.{1,8}/gsu) ?? []

/** The words of a list of parts; pictures, files and the like are replaced by their kind. */
export function wordsOfParts(parts: Json | undefined, between: string): string {
  if (typeof parts === 'string') return parts
  if (!Array.isArray(parts)) return parts === undefined || parts === null ? '' : JSON.stringify(parts)
  return parts
    .map((part: Json) => {
      if (!isJsonObject(part)) return JSON.stringify(part)
      const words = part.text ?? part.refusal
      return typeof words === 'string' ? words : `[${part.type}]`
    })
    .join(between)
}
