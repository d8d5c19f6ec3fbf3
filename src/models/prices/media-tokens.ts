import type { MediaPart } from '../model-call.ts'
import type { Route } from '../route.ts'

/**
 * The most tokens that a picture or file can count as. Each provider scales pictures down, so each
 * has a most:
 * - Anthropic: 4,784 (https://platform.claude.com/docs/en/build-with-claude/vision)
 * - Google: 16 tiles of 258 (https://ai.google.dev/gemini-api/docs/tokens)
 * - OpenAI: 10,000 patches, at up to 2.46 each; its small models of the 4o family count 2,833 and 5,667 for each of up
 *   to 8 tiles (https://developers.openai.com/api/docs/guides/images-vision)
 *
 * How many a PDF, a sound or a film has can't be told from outside. No prompt has more than the model's context.
 */
export function boundOfMedia(part: MediaPart, { kind, setting }: Pick<Route, 'kind' | 'setting'>): number {
  const whole = setting.context ?? largestContext
  if (part.type === 'image') return Math.min(whole, imageBounds[kind] ?? 50_000)
  if (part.media_type.startsWith('text/') && 'data' in part) return Math.min(whole, bytesOf(part.data) + 1000)
  return whole
}

const imageBounds: { readonly [K in Route['kind']]?: number } = { anthropic: 5000, google: 5000, vertex: 5000 }

/** Larger than the context of any model so far. */
const largestContext = 2_000_000

/** A guess: a screenshot for a picture, a page for each 50 kB of a PDF. Simulated models count like this. */
export function estimateOfMedia(part: MediaPart): number {
  if (part.type === 'image' || !('data' in part)) return 1000
  const bytes = bytesOf(part.data)
  return part.media_type.startsWith('text/') ? Math.ceil(bytes / 4) : Math.max(1000, Math.ceil(bytes / 25))
}

const bytesOf = (base64: string): number => Math.ceil((base64.length * 3) / 4)
