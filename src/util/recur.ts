/**
 * Calls back after `firstMs`, and again after however many milliseconds the callback asks for.
 * All callers share one timer, which exists only while something is due and never keeps the process alive:
 * a thousand short runs cost twenty wake-ups, not a thousand timers.
 */
export function recur(firstMs: number, callback: () => number): () => void {
  const entry: Entry = { due: performance.now() + firstMs, callback }
  entries.push(entry)
  arm(entry.due)
  return () => {
    const index = entries.indexOf(entry)
    if (index >= 0) entries.splice(index, 1)
  }
}

interface Entry {
  due: number
  readonly callback: () => number
}

// A list: see SmallMap on what a Set would keep alive.
const entries: Entry[] = []
let timer: NodeJS.Timeout | undefined
let timerDue = Number.POSITIVE_INFINITY

function arm(due: number): void {
  if (due >= timerDue) return
  clearTimeout(timer)
  timerDue = due
  timer = setTimeout(tick, Math.max(1, due - performance.now())).unref()
}

function tick(): void {
  timerDue = Number.POSITIVE_INFINITY
  const now = performance.now()
  for (const entry of [...entries]) if (entry.due <= now + togetherMs) entry.due = now + entry.callback()
  for (const entry of entries) arm(entry.due)
}

// What is due within a moment is done now, so that its callers can share one look at /proc.
const togetherMs = 10
