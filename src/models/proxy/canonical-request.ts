import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'

/**
 * A request without the values that differ each time an agent asks the same: ids that it generates, the time of day,
 * the duration of a command. Requests that are otherwise equal get the same answer from a recording.
 */
export function canonicalRequest(body: JsonObject): JsonObject {
  const kept = Object.entries(body).filter(([name]) => !volatile.includes(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, canonical(value)]))
}

/** Fields that identify the client and do not affect the answer. */
const volatile: readonly string[] = [
  'metadata',
  'client_metadata',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'store',
]

function canonical(value: Json): Json {
  if (typeof value === 'string') return settled(value)
  if (Array.isArray(value)) return value.map(canonical)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, canonical(held)]))
}

const settled = (text: string): string =>
  patterns.reduce((left, [pattern, word]) => left.replaceAll(pattern, word), text)

const patterns: readonly (readonly [RegExp, string])[] = [
  // Ids that programs make up for a session, a message or a file.
  [/(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/gi, '<uuid>'],
  // 2026-11-16, 2026-11-16T10:11:12.345Z, 2026-11-16 10:11
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?\b/g, '<date>'],
  // What codex adds to a command's output.
  [/\bWall time: [\d.]+ seconds\b/g, 'Wall time: <time>'],
  [/\bChunk ID: [0-9a-f]+\b/g, 'Chunk ID: <id>'],
  // What claude puts at the beginning of its first text.
  [/\bx-anthropic-billing-header: [^\n]*/g, '<billing header>'],
]
