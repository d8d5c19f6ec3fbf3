import type { Clock } from '../../../util/time.ts'
import { passed } from '../../calls/passed.ts'

/** How long an answer takes: until its first token, and all in all. */
export interface Pace {
  readonly first_token_ms: number
  readonly latency_ms: number
}

/** The connection that an answer goes out on. */
export interface Outgoing {
  /** Ends it, whatever is still pending. */
  destroy(): void
}

const encoder = new TextEncoder()

/** Pieces of an answer, sent evenly over its duration; with `cut`, the connection then breaks in the middle. */
export function pacedBody(
  parts: readonly string[],
  { pace, clock, gone, cut }: { pace: Pace; clock: Clock; gone: AbortSignal; cut: Outgoing | null },
): ReadableStream<Uint8Array> {
  const started = clock.elapsed()
  const each = Math.max(0, pace.latency_ms - pace.first_token_ms) / Math.max(1, parts.length)
  let sent = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Pieces that are due by now go together: timers are coarser than fast answers.
      const wait = started + each * (sent + 1) - clock.elapsed()
      if (wait >= 1) await passed(clock, wait, gone).catch(() => undefined)
      if (gone.aborted) return controller.close()
      const due = each === 0 ? parts.length : Math.floor((clock.elapsed() - started) / each)
      const until = Math.min(parts.length, Math.max(sent + 1, due))
      for (; sent < until; sent++) controller.enqueue(encoder.encode(parts[sent]))
      if (sent < parts.length) return
      if (cut === null) return controller.close()
      // Sent data must have left before the connection is closed.
      clock.after(20, () => cut.destroy())
      return new Promise(() => {})
    },
  })
}
