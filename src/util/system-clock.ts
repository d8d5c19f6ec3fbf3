import type { Clock } from './time.ts'

/** The wall clock and the monotonic clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed() {
    // The offset of performance.now() on the machine's monotonic clock (CLOCK_MONOTONIC, which Node's hrtime reads).
    zero ??= Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now()
    return zero + performance.now()
  },
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

let zero: number | undefined

/**
 * Calls back after so much time without the awaited event; the returned function cancels the call. A process that was
 * stopped, or whose machine was suspended, sees the deadline before it sees what arrived meanwhile, and may wake up
 * just at the end. So the time only counts as over after the process has been awake for a while and has read what has
 * arrived.
 */
export function deadline(ms: number, callback: () => void, clock: Clock = systemClock): () => void {
  let forget = (): void => {}
  let isForgotten = false
  let standstills = 0
  let end = clock.elapsed() + ms
  const awakeMs = Math.min(ms, secondChanceMs)
  const wait = (): void => {
    const leftMs = end - clock.elapsed()
    // A longer timer than the longest would fire at once.
    const nowMs = leftMs - awakeMs > roundingMs ? Math.min(leftMs - awakeMs, longestTimerMs) : Math.min(leftMs, pollMs)
    const due = clock.elapsed() + nowMs
    forget = clock.after(nowMs, () => {
      const now = clock.elapsed()
      if (now - due > lateMs && standstills++ < mostStandstills) end = Math.max(end, now + awakeMs)
      if (end - now > roundingMs) wait()
      else setImmediate(() => isForgotten || callback())
    })
  }
  wait()
  return () => {
    isForgotten = true
    forget()
  }
}

const longestTimerMs = 2 ** 31 - 1
/** Sums of times differ in their last digits, less than any clock advances. */
const roundingMs = 0.01
/** How often, near the end, a process checks whether it is awake. */
const pollMs = 250
/** A check that is not late means that the process was awake. */
const lateMs = 100
/** Time to read what has arrived: answers come in many pieces, and slowly on a busy machine. */
const secondChanceMs = 2_000
/** A process that is late again and again is too busy, not stopped. */
const mostStandstills = 10

/** A signal that is aborted after so much time; it does not keep the process alive. */
export function deadlineSignal(ms: number): AbortSignal {
  const controller = new AbortController()
  deadline(ms, () => controller.abort(new DOMException('its time is over', 'TimeoutError')), idleClock)
  return controller.signal
}

const idleClock: Clock = {
  ...systemClock,
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

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

// A list: see SmallMap on the memory that a Set would retain.
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

// Callbacks that are due within a moment run now, so that their callers share one scan of /proc.
const togetherMs = 10
