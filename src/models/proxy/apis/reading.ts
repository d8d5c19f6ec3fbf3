import { isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import type { Content, ContentPart, MediaPart, Tool } from '../../model-call.ts'
import type { SdkUsage } from '../../providers/language-model.ts'

// Requests of other programs and answers of providers are read as far as they are understood, and never refused because
// of the rest.

export const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
export const listIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
export const objectsIn = (value: Json | undefined): readonly JsonObject[] => listIn(value).filter(isJsonObject)
export const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
export const numberIn = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)

/** The object in a text; empty if there is none. */
export function parsedObject(text: string): JsonObject {
  try {
    const value: Json = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** A content in our terms; `part` reads those that are not text. */
export function contentIn(value: Json | undefined): Content {
  if (typeof value === 'string') return value
  const parts = listIn(value).flatMap(partIn)
  if (parts.every(one => one.type === 'text')) return parts.map(one => one.text).join('\n')
  return parts
}

function partIn(value: Json): readonly ContentPart[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  const part = objectIn(value)
  const words = part.text ?? part.refusal
  if (typeof words === 'string') return [{ type: 'text', text: words }]
  return [mediaIn(part) ?? { type: 'text', text: JSON.stringify(part) }]
}

/** A picture or file, in the form of any of the three interfaces; null: the part is neither. */
export function mediaIn(part: JsonObject): MediaPart | null {
  switch (part.type) {
    case 'image_url':
    case 'input_image':
    case 'computer_screenshot':
      return mediaAt(textIn(part.image_url) || textIn(objectIn(part.image_url).url), 'image', 'image/*')
    case 'file':
    case 'input_file': {
      const file = part.type === 'file' ? objectIn(part.file) : part
      return mediaAt(textIn(file.file_data) || textIn(file.file_url), 'file', 'application/octet-stream')
    }
    case 'image':
    case 'document': {
      const source = objectIn(part.source)
      if (source.type === 'text' || source.type === 'content') return null
      const isImage = part.type === 'image'
      const media_type = textIn(source.media_type) || (isImage ? 'image/*' : 'application/pdf')
      const held = typeof source.data === 'string' ? { data: source.data } : { url: textIn(source.url) }
      return { type: isImage ? 'image' : 'file', media_type, ...held }
    }
    default:
      return null
  }
}

/** By a `data:` address, or any other. */
function mediaAt(url: string, type: 'image' | 'file', usual: string): MediaPart {
  const [, media_type = usual, data] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(url) ?? []
  return data === undefined ? { type, media_type: usual, url } : { type, media_type: media_type || usual, data }
}

export const toolOf = (name: Json | undefined, description: Json | undefined, parameters: Json | undefined): Tool => ({
  name: textIn(name),
  description: textIn(description),
  parameters: objectIn(parameters),
})

/** Tokens as the provider packages report them. */
export const usageOf = (
  raw: JsonObject | null,
  input: { readonly total: number | null; readonly read?: number; readonly written?: number } = { total: null },
  output: { readonly total: number | null; readonly reasoning?: number } = { total: null },
): SdkUsage => ({
  inputTokens: {
    total: input.total ?? undefined,
    noCache: undefined,
    cacheRead: input.read,
    cacheWrite: input.written,
  },
  outputTokens: { total: output.total ?? undefined, text: undefined, reasoning: output.reasoning },
  ...(raw !== null && { raw: JSON.parse(JSON.stringify(raw)) }),
})

/** The parts of an answer, in the terms of the provider packages. */
export const textPart = (text: string) => ({ type: 'text' as const, text })
export const reasoningPart = (text: string) => ({ type: 'reasoning' as const, text })
export const callPart = (toolCallId: string, toolName: string, input: string) => ({
  type: 'tool-call' as const,
  toolCallId,
  toolName,
  input,
})
