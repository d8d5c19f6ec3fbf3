import { LimitReached, type Permit, type Permits } from '../../define/permits.ts'
import type { ToCoordinator, ToWorker } from './messages.ts'

/** The coordinator may be restarting: unanswered requests are sent again. */
const resendMs = 3_000

/** A worker's side: requests permits from the coordinator, and waits as long as it takes. */
export class RemotePermits implements Permits {
  readonly #token: string
  readonly #worker: string
  readonly #send: (message: ToCoordinator) => void
  readonly #waiting = new Map<number, { grant(): void; refuse(error: Error): void }>()
  #asked = 0

  constructor(token: string, worker: string, send: (message: ToCoordinator) => void) {
    this.#token = token
    this.#worker = worker
    this.#send = send
  }

  acquire(ask: Permit['ask'], signal: AbortSignal): Promise<Permit> {
    const id = ++this.#asked
    const [token, worker] = [this.#token, this.#worker]
    return new Promise<Permit>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const send = () => this.#send({ t: 'ask', token, worker, id, ask })
      const timer = setInterval(send, resendMs)
      const over = () => {
        clearInterval(timer)
        signal.removeEventListener('abort', giveUp)
        this.#waiting.delete(id)
      }
      const giveUp = () => {
        over()
        this.#send({ t: 'giveUp', token, id })
        reject(signal.reason)
      }
      this.#waiting.set(id, {
        grant() {
          over()
          resolve({ id, ask })
        },
        refuse(error) {
          over()
          reject(error)
        },
      })
      signal.addEventListener('abort', giveUp, { once: true })
      send()
    })
  }

  settle({ id }: Permit, actual: Parameters<Permits['settle']>[1]): void {
    this.#send({ t: 'settle', token: this.#token, id, actual })
  }

  hear(answer: Extract<ToWorker, { t: 'permit' | 'refused' }>): void {
    const waiting = this.#waiting.get(answer.id)
    if (answer.t === 'permit') waiting?.grant()
    else if (answer.limit === null) waiting?.refuse(new Error(answer.message))
    else waiting?.refuse(new LimitReached(answer.limit as LimitReached['limit'], answer.message, answer.limit_at))
  }
}

type Ask = Extract<ToCoordinator, { t: 'ask' | 'settle' | 'giveUp' }>

/** The coordinator's side for one attempt: passes each request to the engine once, and sends back its answers. */
export class PermitDesk {
  readonly #permits: Permits
  readonly #answer: (worker: string, message: ToWorker) => void
  readonly #asked = new Map<
    number,
    { readonly stop: AbortController; answer: ToWorker | null; permit: Permit | null }
  >()

  constructor(permits: Permits, answer: (worker: string, message: ToWorker) => void) {
    this.#permits = permits
    this.#answer = answer
  }

  hear(message: Ask): void {
    if (message.t === 'ask') this.#ask(message)
    else if (message.t === 'giveUp') this.#asked.get(message.id)?.stop.abort()
    else this.#settle(message)
  }

  #ask({ token, worker, id, ask }: Extract<Ask, { t: 'ask' }>): void {
    const before = this.#asked.get(id)
    if (before !== undefined) {
      if (before.answer !== null) this.#answer(worker, before.answer)
      return
    }
    const one = { stop: new AbortController(), answer: null as ToWorker | null, permit: null as Permit | null }
    this.#asked.set(id, one)
    const tell = (answer: ToWorker) => {
      one.answer = answer
      this.#answer(worker, answer)
    }
    this.#permits.acquire(ask, one.stop.signal).then(
      permit => {
        one.permit = permit
        if (one.stop.signal.aborted) this.#permits.settle(permit, unsent)
        else tell({ t: 'permit', token, id })
      },
      error => {
        if (!one.stop.signal.aborted) tell({ t: 'refused', token, id, ...reasonOf(error) })
      },
    )
  }

  #settle({ id, actual }: Extract<Ask, { t: 'settle' }>): void {
    const permit = this.#asked.get(id)?.permit ?? null
    this.#asked.delete(id)
    if (permit !== null) this.#permits.settle(permit, actual)
  }
}

const unsent = { tokens: 0, usd: 0, rate_limited: null, is_unsent: true } as const

function reasonOf(error: unknown): { message: string; limit: string | null; limit_at: number | null } {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof LimitReached) return { message, limit: error.limit, limit_at: error.at }
  return { message, limit: null, limit_at: null }
}
