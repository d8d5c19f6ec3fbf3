import { Worker } from 'node:worker_threads'

/** The activities of the loop, in words. */
const doings = [
  'between two rounds: starting programs, reading what runs report, answering them',
  'looking for changes in the journal',
  'counting how the experiment stands',
  'judging which runs to stop early',
  'writing down series',
  'giving permits for model calls',
  'settling and claiming runs, or planning new ones',
] as const

const usual = {
  /** Calls that are over at once need no thread. */
  firstMs: 3_000,
  /** A loop that is blocked for longer is reported; again after a minute, and after ten. */
  longMs: [10_000, 60_000, 600_000],
  pollMs: 1_000,
}

/**
 * Watches the loop from a separate thread. A blocked loop can't report itself: the thread does, on standard error, with
 * the loop's activity and, if it is in JavaScript, the place.
 */
export class Watchdog {
  readonly #shared = new Int32Array(new SharedArrayBuffer(8))
  readonly #timer: NodeJS.Timeout
  #worker: Worker | null = null

  readonly #times: typeof usual

  constructor(times: Partial<typeof usual> = {}) {
    this.#times = { ...usual, ...times }
    this.#timer = setTimeout(() => this.#begin(), this.#times.firstMs).unref()
  }

  /** The loop has made progress, and this is its next activity (an index). */
  doing(what: number): void {
    Atomics.store(this.#shared, 1, what)
    Atomics.add(this.#shared, 0, 1)
  }

  close(): void {
    clearTimeout(this.#timer)
    void this.#worker?.terminate()
  }

  #begin(): void {
    this.#worker = new Worker(watching, {
      eval: true,
      workerData: { shared: this.#shared.buffer, doings, ...this.#times },
    })
    this.#worker.on('error', () => undefined).unref()
  }
}

// Plain JavaScript, so that it needs no file of its own next to the bundle. If the thread itself was late, the whole
// process was stopped, or had no CPU: that is not the loop's fault.
const watching = `
const { workerData } = require('node:worker_threads')
const { writeSync } = require('node:fs')
const shared = new Int32Array(workerData.shared)
let seen = -1, since = performance.now(), before = since, told = 0
setInterval(() => {
  const now = performance.now(), late = now - before > workerData.pollMs + 2000
  before = now
  const count = Atomics.load(shared, 0)
  if (count !== seen || late) { seen = count; since = now; told = 0; return }
  if (told >= workerData.longMs.length || now - since < workerData.longMs[told]) return
  told++
  const doing = workerData.doings[Atomics.load(shared, 1)]
  where(place => {
    const seconds = Math.round((now - since) / 1000)
    try { writeSync(2, 'warning: assay has stood still for ' + seconds + ' s while ' + doing + place + '\\n') } catch {}
  })
}, workerData.pollMs)
function where(tell) {
  let isTold = false
  const once = place => { if (!isTold) { isTold = true; tell(place) } }
  try {
    const session = new (require('node:inspector').Session)()
    session.connectToMainThread()
    const files = new Map()
    session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url))
    session.on('Debugger.paused', ({ params }) => {
      const frames = params.callFrames.slice(0, 4).map(({ functionName, location }) =>
        (functionName || '(anonymous)') + ' (' + (files.get(location.scriptId) || '').split('/').slice(-2).join('/') + ':' + (location.lineNumber + 1) + ')')
      session.post('Debugger.resume')
      session.post('Debugger.disable')
      session.disconnect()
      once('; it is in ' + frames.join(', called by '))
    })
    session.post('Debugger.enable')
    session.post('Debugger.pause')
    setTimeout(() => { once('; it waits for the system') ; try { session.disconnect() } catch {} }, 2000)
  } catch { once('') }
}
`
