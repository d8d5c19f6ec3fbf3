import { sha256 } from '../../util/hash.ts'
import { isJsonObject, type JsonObject } from '../../util/json.ts'
import { type Redact, redactedJson } from '../keys/redact.ts'
import type { SpanLists } from './call-span.ts'
import type { Span, SpanOrigin } from './span.ts'

/** An item by the id of its line; the reason why an answer ended is not part of the message that later prompts repeat. */
export type ItemReference = string | { readonly id: string; readonly finish_reason: string }

/** A list in a span's line: the `first` items of the same list of the span `like`, and `more`. */
export interface StoredList {
  readonly like?: string | undefined
  readonly first?: number | undefined
  readonly more: readonly ItemReference[]
}

/** Where the list of some span begins with certain items. */
interface Beginning {
  readonly node: string
  readonly span: string
}

/**
 * The lines of a `trace.jsonl`. An agent sends its whole conversation again with every call: stored each time, a trace
 * would grow with the square of its turns. So each message (or tool) has its own line, `{ id, content }`, written once
 * and before the first span that refers to it; a span names the earlier one whose list has the same beginning. The
 * `origin` of a span from another program, its resource and scope, is such a line too.
 */
export class TraceLines {
  readonly #redact: Redact
  /** By the hash of the input: most of a prompt was given before, and need not be searched for keys again. */
  readonly #references = new Map<string, ItemReference>()
  readonly #written = new Set<string>()
  readonly #beginnings = new Map<string, Beginning>()

  constructor(redact: Redact) {
    this.#redact = redact
  }

  /** The line of a span, after the lines that it needs and that are not written yet. */
  of({ traceId, spanId, ...facts }: Span, lists: SpanLists, origin: SpanOrigin | null = null): string {
    const needed: string[] = []
    const from = origin === null ? null : this.#reference(origin, needed)
    const stored = Object.entries(lists).map(([attribute, items]) => {
      const references = items.map(item => this.#reference(item, needed))
      return [attribute, this.#storedList(attribute, references, spanId)] as const
    })
    const line = {
      traceId,
      spanId,
      ...objectOf(facts, this.#redact),
      ...(from !== null && { origin: from }),
      ...(stored.length > 0 && { lists: Object.fromEntries(stored) }),
    }
    return `${[...needed, JSON.stringify(line)].join('\n')}\n`
  }

  #reference(item: object, needed: string[]): ItemReference {
    const given = hashed(JSON.stringify(item))
    const known = this.#references.get(given)
    if (known !== undefined) return known
    const reference = this.#newReference(item, needed)
    this.#references.set(given, reference)
    return reference
  }

  /** Ids are derived from the written text, so that they reveal nothing about a removed key. */
  #newReference(item: object, needed: string[]): ItemReference {
    const { finish_reason, ...content } = objectOf(item, this.#redact)
    const text = JSON.stringify(content)
    const id = hashed(text)
    if (!this.#written.has(id)) {
      this.#written.add(id)
      needed.push(`{"id":"${id}","content":${text}}`)
    }
    return typeof finish_reason === 'string' ? { id, finish_reason } : id
  }

  #storedList(attribute: string, references: readonly ItemReference[], span: string): StoredList {
    let node = attribute
    let like: string | undefined
    let first = 0
    for (const reference of references) {
      const step = `${node} ${JSON.stringify(reference)}`
      const known = this.#beginnings.get(step)
      if (known === undefined) {
        node = String(this.#beginnings.size)
        this.#beginnings.set(step, { node, span })
      } else {
        node = known.node
        like = known.span
        first++
      }
    }
    return like === undefined ? { more: references } : { like, first, more: references.slice(first) }
  }
}

const hashed = (text: string): string => sha256(text).slice(0, 32)

function objectOf(data: object, redact: Redact): JsonObject {
  const clean = redactedJson(data, redact)
  return isJsonObject(clean) ? clean : {}
}
