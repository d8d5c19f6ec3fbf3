import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'

const everyMs = 1000

/** An empty line, so that no proxy takes a quiet stream for a dead one. */
const quietMs = 15_000

/**
 * Sends the current state again and again, each kind of event only if it changed, until the reader disconnects or the
 * server closes.
 */
export function eventStream(
  context: Context,
  closing: AbortSignal,
  look: () => Readonly<Record<string, unknown>>,
): Response {
  context.header('x-accel-buffering', 'no')
  return streamSSE(context, async stream => {
    const gone = new AbortController()
    stream.onAbort(() => gone.abort())
    const over = AbortSignal.any([closing, gone.signal])
    const sent = new Map<string, string>()
    let saidAt = performance.now()
    while (!over.aborted) {
      for (const [event, value] of Object.entries(look())) {
        const data = JSON.stringify(value)
        if (sent.get(event) === data) continue
        sent.set(event, data)
        saidAt = performance.now()
        await stream.writeSSE({ event, data })
      }
      if (performance.now() - saidAt > quietMs) {
        saidAt = performance.now()
        await stream.write(': still here\n\n')
      }
      await pause(everyMs, undefined, { signal: over }).catch(() => {})
    }
  })
}
