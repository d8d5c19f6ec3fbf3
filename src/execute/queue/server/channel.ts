import { randomUUID } from 'node:crypto'

/**
 * Messages between machines, for all current listeners. Messages sent while the connection is down are lost, so senders
 * repeat important ones.
 */
export interface Channel {
  send(topic: string, message: object): void
  listen(topic: string, listener: (message: unknown) => void): Promise<void>
  ignore(topic: string): Promise<void>
  /** When the connection was last made, by `performance.now()`; null: it is down. */
  readonly connectedSince: number | null
  close(): Promise<void>
}

/** How a server carries texts: at most {@link textLimit} characters each, all of them ASCII. */
export interface Wire {
  publish(topic: string, text: string): Promise<void>
  subscribe(topic: string): Promise<void>
  unsubscribe(topic: string): Promise<void>
  readonly connectedSince: number | null
  close(): Promise<void>
}

/** Postgres takes 8,000 bytes in a notification. */
const textLimit = 7_500

/**
 * Messages over a wire of short texts: those of one moment share a text, and long ones are cut into pieces. `arrive`
 * receives incoming texts.
 */
export function channelOver(wire: Wire): Channel & { arrive(topic: string, text: string): void } {
  const listeners = new Map<string, (message: unknown) => void>()
  const waiting = new Map<string, string[]>()
  const pieces = new Map<string, string[]>()
  let isScheduled = false
  const flush = () => {
    isScheduled = false
    for (const [topic, messages] of waiting)
      for (const text of texts(messages)) wire.publish(topic, text).catch(() => undefined)
    waiting.clear()
  }
  return {
    get connectedSince() {
      return wire.connectedSince
    },
    send(topic, message) {
      const list = waiting.get(topic) ?? []
      waiting.set(topic, list)
      list.push(ascii(JSON.stringify(message)))
      if (!isScheduled) setImmediate(flush)
      isScheduled = true
    },
    async listen(topic, listener) {
      listeners.set(topic, listener)
      await wire.subscribe(topic)
    },
    async ignore(topic) {
      listeners.delete(topic)
      await wire.unsubscribe(topic)
    },
    arrive(topic, text) {
      const whole = joined(text, pieces)
      if (whole === null) return
      for (const message of parsedList(whole)) listeners.get(topic)?.(message)
    },
    async close() {
      flush()
      await wire.close()
    },
  }
}

function* texts(messages: readonly string[]): Generator<string> {
  let group: string[] = []
  let length = 0
  for (const message of messages) {
    if (group.length > 0 && length + message.length > textLimit) {
      yield* cut(`[${group.join(',')}]`)
      group = []
      length = 0
    }
    group.push(message)
    length += message.length + 1
  }
  if (group.length > 0) yield* cut(`[${group.join(',')}]`)
}

/** A piece names its text, its place in it, and the number of pieces. */
function* cut(text: string): Generator<string> {
  if (text.length <= textLimit) return yield text
  const id = randomUUID()
  const count = Math.ceil(text.length / textLimit)
  for (let at = 0; at < count; at++) yield `${id} ${at} ${count} ${text.slice(at * textLimit, (at + 1) * textLimit)}`
}

/** null: pieces are still missing. */
function joined(text: string, pieces: Map<string, string[]>): string | null {
  const head = /^([0-9a-f-]{36}) (\d+) (\d+) /.exec(text)
  if (head === null) return text
  const [before, id = '', at = '', count = ''] = head
  const list = pieces.get(id) ?? []
  pieces.set(id, list)
  list[Number(at)] = text.slice(before.length)
  // If a piece is lost, the rest of its text is not kept for ever.
  if (pieces.size > mostAtOnce) pieces.delete(pieces.keys().next().value ?? '')
  if (Object.keys(list).length < Number(count)) return null
  pieces.delete(id)
  return list.join('')
}

const mostAtOnce = 1_000

function parsedList(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** The limit counts bytes: a character outside ASCII has several. */
const ascii = (json: string): string =>
  json.replaceAll(/[\u007f-\uffff]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
