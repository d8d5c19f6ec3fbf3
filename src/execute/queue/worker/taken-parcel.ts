import { messageOf } from '../../../util/errors.ts'
import type { TakenJob } from '../server/server.ts'
import type { WireEnd, WireParcel } from '../wire-result.ts'

/** A parcel that this worker has taken: the ends of its jobs go to the server together, when the last has ended. */
export class TakenParcel {
  readonly #taken: TakenJob
  readonly #ends: WireEnd[] = []
  readonly tokens: readonly string[]
  #hasUnannounced = false

  constructor(taken: TakenJob, { jobs }: WireParcel) {
    this.#taken = taken
    this.tokens = jobs.map(({ token }) => token)
  }

  get id(): string {
    return this.#taken.id
  }

  /** Whether the coordinator has to read results from the server. */
  get hasUnannounced(): boolean {
    return this.#hasUnannounced
  }

  /** Whether this was the last one: then {@link store} is due. */
  ended(end: WireEnd, isTold: boolean): boolean {
    this.#ends.push(end)
    if (!isTold) this.#hasUnannounced = true
    return this.#ends.length === this.tokens.length
  }

  store(): Promise<void> {
    return until(() => this.#taken.finish(this.#ends))
  }

  /** No job of it was started: another worker may have it. */
  giveBack(): Promise<void> {
    return until(() => this.#taken.giveBack())
  }
}

/** Hands over what must not be lost, however long the server is unreachable. */
async function until(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      // The coordinator has removed it, or the server has it from the previous try, whose reply was lost.
      if (/missing (key|lock|job)|not found|not active|lock mismatch|not in the active state/i.test(messageOf(error)))
        return
      await new Promise(done => setTimeout(done, Math.min(2_000, 100 * 2 ** tries)))
    }
  }
}
