import { type Asked, type FindingName, type Found, findingOf } from '../../src/report/findings/findings.ts'
import type { OrReason } from '../../src/util/errors.ts'
import type { Loaded } from '../data/source.ts'
import type { FromWorker, ToWorker } from './answer-in-worker.ts'

/**
 * Computes for the page. The verdict has its own lane: a change of the baseline must not wait until every effect is
 * computed.
 */
export class Analyst {
  readonly #lanes: readonly [Lane, Lane]

  constructor(loaded: Loaded) {
    this.#lanes = [new Lane(loaded), new Lane(loaded)]
    const { first } = loaded
    if (first !== null) this.#lanes[0].remember({ name: 'comparisons', view: first.view, about: '' }, first.comparisons)
  }

  /** The answer, if it is already known. */
  known<Name extends FindingName>(call: Asked<Name>): OrReason<Found<Name>> | undefined {
    // The key contains the finding's name, so the answer is that finding.
    return this.#laneOf(call).known(call) as OrReason<Found<Name>> | undefined
  }

  /** Calls back with the answer; the returned function cancels the request. */
  ask(call: Asked, listener: () => void): () => void {
    return this.#laneOf(call).ask(call, listener)
  }

  /** No more questions will come. */
  close(): void {
    for (const lane of this.#lanes) lane.close()
  }

  #laneOf({ name }: Asked): Lane {
    return this.#lanes[urgent.includes(name) ? 0 : 1]
  }
}

const urgent: readonly FindingName[] = ['comparisons', 'variants', 'samples', 'pair']

/**
 * One after the other, in a worker, so that the page stays responsive; if the browser allows none, in the page itself,
 * a moment later. Answers are remembered. Cancelled calls are dropped before they begin.
 */
class Lane {
  readonly #loaded: Loaded
  readonly #known = new Map<string, unknown>()
  readonly #waiting = new Map<string, Waiting>()
  /** Started on first use. */
  #worker: Worker | null | undefined
  #running: { readonly key: string; readonly id: number } | null = null
  #calls = 0

  constructor(loaded: Loaded) {
    this.#loaded = loaded
  }

  remember(call: Asked, answer: unknown): void {
    this.#known.set(keyOf(call), answer)
  }

  known(call: Asked): unknown {
    return this.#known.get(keyOf(call))
  }

  ask(call: Asked, listener: () => void): () => void {
    const key = keyOf(call)
    const waiting = this.#waiting.get(key) ?? { call, listeners: new Set() }
    this.#waiting.set(key, waiting)
    waiting.listeners.add(listener)
    this.#next()
    return () => {
      waiting.listeners.delete(listener)
      if (waiting.listeners.size === 0 && this.#running?.key !== key) this.#waiting.delete(key)
    }
  }

  close(): void {
    this.#worker?.terminate()
  }

  #next(): void {
    if (this.#running !== null) return
    const [first] = this.#waiting
    if (first === undefined) return
    const [key, { call }] = first
    const id = ++this.#calls
    this.#running = { key, id }
    if (this.#worker === undefined) this.#worker = startWorker(this.#loaded, message => this.#answered(message))
    if (this.#worker !== null) this.#worker.postMessage({ kind: 'call', id, call } satisfies ToWorker)
    else setTimeout(() => this.#answered({ kind: 'answer', id, answer: findingOf(this.#loaded.dataset, call) }))
  }

  #answered(message: FromWorker): void {
    if (this.#running?.id !== message.id) return
    const { key } = this.#running
    const listeners = [...(this.#waiting.get(key)?.listeners ?? [])]
    this.#running = null
    this.#waiting.delete(key)
    this.#known.set(key, message.kind === 'answer' ? message.answer : { reason: `a mistake: ${message.message}` })
    for (const listener of listeners) listener()
    this.#next()
  }
}

interface Waiting {
  readonly call: Asked
  readonly listeners: Set<() => void>
}

const keyOf = ({ name, view, about }: Asked): string => JSON.stringify([name, about, view])

function startWorker({ script, bytes }: Loaded, listen: (message: FromWorker) => void): Worker | null {
  try {
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
    const worker = new Worker(url)
    URL.revokeObjectURL(url)
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => listen(data)
    worker.postMessage({ kind: 'dataset', bytes } satisfies ToWorker)
    return worker
  } catch {
    return null
  }
}
