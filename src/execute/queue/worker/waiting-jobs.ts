import type { Job } from '../../../define/run.ts'
import type { Setting } from '../../../perform/perform.ts'
import type { Room, Share } from '../../machine.ts'
import type { Source } from './source.ts'
import type { TakenParcel } from './taken-parcel.ts'

/** A job that was taken but not started. */
export interface Waiting {
  readonly job: Job
  readonly parcel: TakenParcel
  readonly source: Source
  readonly setting: Setting
  /** By `performance.now()`; long ago: there is no room for it. */
  readonly since: number
}

/**
 * Jobs that have waited longer than brief runs take go back: other workers may have room, and they may have been given
 * up.
 */
const staleMs = 2_000

/** The jobs that a worker has taken but not started, in order of arrival. */
export class WaitingJobs {
  #jobs: Waiting[] = []

  get size(): number {
    return this.#jobs.length
  }

  add(waiting: Waiting): void {
    this.#jobs.push(waiting)
  }

  /** The first one that fits, and its share of the machine. */
  next(room: Room): (Waiting & { readonly share: Share }) | null {
    for (const [at, { source }] of this.#jobs.entries()) {
      const share = room.take(source.needs)
      const waiting = share === null ? undefined : this.#cut(at)
      if (share !== null && waiting !== undefined) return { ...waiting, share }
    }
    return null
  }

  of(token: string): Waiting | undefined {
    return this.#cut(this.#jobs.findIndex(({ job }) => job.token === token))
  }

  stale(): readonly Waiting[] {
    const now = performance.now()
    const stale = this.#jobs.filter(({ since }) => now - since > staleMs)
    if (stale.length > 0) this.#jobs = this.#jobs.filter(waiting => !stale.includes(waiting))
    return stale
  }

  all(): readonly Waiting[] {
    return this.#jobs.splice(0)
  }

  #cut(at: number): Waiting | undefined {
    return at < 0 ? undefined : this.#jobs.splice(at, 1)[0]
  }
}
