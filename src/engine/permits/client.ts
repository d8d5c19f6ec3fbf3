import type { Permit, PermitAsk, Permits, Settlement } from '../../define/permits.ts'
import type { CallBook, OpenCall } from './call-book.ts'

/** A run that may call models. */
export interface Client {
  readonly token: string
  readonly book: CallBook
}

/** A call that was let through. */
export interface SentCall {
  readonly call: OpenCall
  readonly sentAt: number
  /** The tokens that the rate counts for it. */
  readonly counted: number
}

/** A call that waits for its permit. */
export interface Waiting {
  readonly client: Client
  readonly ask: PermitAsk
  grant(sent: SentCall): void
  refuse(error: unknown): void
}

interface Desk {
  add(waiting: Waiting): void
  remove(waiting: Waiting): void
  settle(sent: SentCall, actual: Settlement): void
}

/** The permits of one run: its promises, permit numbers, and which calls no longer want to wait. */
export function permitsFor(client: Client, desk: Desk): Permits {
  const sent = new Map<number, SentCall>()
  let permits = 0
  return {
    acquire: (ask, signal) =>
      new Promise<Permit>((resolve, reject) => {
        const giveUp = () => {
          desk.remove(waiting)
          reject(signal.reason)
        }
        const waiting: Waiting = {
          client,
          ask,
          grant(call) {
            signal.removeEventListener('abort', giveUp)
            const id = ++permits
            sent.set(id, call)
            resolve({ id, ask })
          },
          refuse(error) {
            signal.removeEventListener('abort', giveUp)
            reject(error)
          },
        }
        if (signal.aborted) return reject(signal.reason)
        signal.addEventListener('abort', giveUp, { once: true })
        desk.add(waiting)
      }),
    settle(permit, actual) {
      const call = sent.get(permit.id)
      if (call === undefined) return
      sent.delete(permit.id)
      desk.settle(call, actual)
    },
  }
}
