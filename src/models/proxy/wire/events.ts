import { StringDecoder } from 'node:string_decoder'
import type { JsonObject } from '../../../util/json.ts'
import { parsedObject } from '../apis/reading.ts'

/** A server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class WireEvent {
  /** As it came, with the empty line that ends it. */
  readonly text: string
  /** null: it has no name. */
  readonly name: string | null
  readonly data: string
  #json: JsonObject | null = null

  constructor(text: string) {
    let name: string | null = null
    const data: string[] = []
    for (const line of text.split(/\r?\n/)) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      else if (line.startsWith('event:')) name = line.slice(6).trim()
    }
    this.text = text
    this.name = name
    this.data = data.join('\n')
  }

  /** Its object, parsed on first use; empty: it has none. */
  get json(): JsonObject {
    this.#json ??= parsedObject(this.data)
    return this.#json
  }
}

/** Cuts a stream into its events, wherever its chunks end. */
export class Events {
  readonly #decoder = new StringDecoder('utf8')
  #open = ''

  take(chunk: Uint8Array): readonly WireEvent[] {
    this.#open += this.#decoder.write(chunk)
    const parts = this.#open.split(/(\r?\n\r?\n)/)
    this.#open = parts.pop() ?? ''
    const events: WireEvent[] = []
    for (let at = 0; at + 1 < parts.length; at += 2) events.push(new WireEvent(`${parts[at]}${parts[at + 1]}`))
    return events
  }

  /** The part after the last empty line. */
  end(): readonly WireEvent[] {
    const rest = this.#open + this.#decoder.end()
    this.#open = ''
    return rest.trim() === '' ? [] : [new WireEvent(rest)]
  }
}
