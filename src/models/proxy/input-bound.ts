import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { MediaPart } from '../model-call.ts'
import { boundOfInput, simTokensOf } from '../prices/count-tokens.ts'
import type { Route } from '../route.ts'
import { mediaIn } from './apis/reading.ts'

/**
 * The most input tokens that a request can have, counting everything that is actually sent. Each piece is counted as
 * its JSON, which is never shorter than the model's input; pictures and files are counted as such. Agents send the same
 * pieces again and again, so each is counted once.
 */
export async function inputBoundOf(pieces: readonly Json[], route: Route): Promise<number> {
  const media: MediaPart[] = []
  const texts = pieces.map(piece => textOf(piece, media))
  if (route.kind === 'sim') return simBound(texts, media, route)
  return boundOfInput({ texts, media }, route)
}

/** Simulated models add a few words of their own to each message and tool. */
function simBound(texts: readonly string[], media: readonly MediaPart[], { setting }: Route): number {
  const sizes = [setting.tokens ?? {}, ...(setting.rules ?? []).map(({ tokens }) => tokens ?? {})]
  const declared = Math.max(0, ...sizes.map(({ input = 0 }) => input))
  const spread = Math.max(0, ...sizes.map(one => one.spread ?? 0))
  const counted = texts.reduce((sum, text) => sum + simTokensOf(text) + 64, 0) + 1000 * media.length
  return Math.max(counted, Math.ceil(declared * (1 + spread)) + 1)
}

function textOf(piece: Json, media: MediaPart[]): string {
  if (typeof piece === 'string') return piece
  return hasMedia(piece) ? JSON.stringify(withoutMedia(piece, media)) : JSON.stringify(piece)
}

/** Most pieces have none, and then need not be copied. */
function hasMedia(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasMedia)
  if (!isJsonObject(value)) return false
  return isMedia(value) || Object.values(value).some(hasMedia)
}

const isMedia = (value: JsonObject): boolean => mediaIn(value) !== null

function withoutMedia(value: Json, media: MediaPart[]): Json {
  if (Array.isArray(value)) return value.map(one => withoutMedia(one, media))
  if (!isJsonObject(value)) return value
  const found = mediaIn(value)
  if (found !== null) {
    media.push(found)
    return { type: found.type }
  }
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, withoutMedia(held, media)]))
}
