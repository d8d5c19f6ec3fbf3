import { sha256 } from '../../../../util/hash.ts'
import type { JsonObject } from '../../../../util/json.ts'

/** What OpenAI's Responses API remembers between requests: the last thousand answers, and their items. */
export class StoredResponses {
  readonly #responses = new Map<string, StoredResponse>()
  readonly #items = new Map<string, JsonObject>()
  /** Which thoughts an item was made with: it may not come back without them. */
  readonly #thoughts = new Map<string, string>()

  add(id: string, stored: StoredResponse): void {
    this.#responses.set(id, stored)
    for (const item of stored.output) if (typeof item.id === 'string') this.#items.set(item.id, item)
    shorten(this.#responses, 1000)
    shorten(this.#items, 10_000)
  }

  response(id: string): StoredResponse | null {
    return this.#responses.get(id) ?? null
  }

  remove(id: string): boolean {
    return this.#responses.delete(id)
  }

  item(id: string): JsonObject | null {
    return this.#items.get(id) ?? null
  }

  remember(item: string, thoughts: string): void {
    this.#thoughts.set(item, thoughts)
    shorten(this.#thoughts, 10_000)
  }

  thoughtsOf(item: string): string | null {
    return this.#thoughts.get(item) ?? null
  }
}

export interface StoredResponse {
  readonly body: object
  /** Everything that was sent, including the input of earlier responses. */
  readonly input: readonly JsonObject[]
  readonly output: readonly JsonObject[]
}

function shorten(map: Map<string, unknown>, most: number): void {
  if (map.size > most) map.delete(map.keys().next().value ?? '')
}

/** Thoughts that only the provider can read, in a form that it recognises. */
export const sealed = (id: string): string => {
  const text = Buffer.from(id).toString('base64url')
  return `gAAAAA${text}.${sha256(`sealed ${text}`)}`
}

export function isSealed(content: string): boolean {
  const [text = '', seal] = content.replace(/^gAAAAA/, '').split('.')
  return seal === sha256(`sealed ${text}`)
}
