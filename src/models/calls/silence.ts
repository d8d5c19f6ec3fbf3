import { onStop } from '../../define/outcome.ts'
import { deadline } from '../../util/system-clock.ts'
import { type Clock, formatDuration } from '../../util/time.ts'
import { ModelError, TriesOutOfTime } from '../model-error.ts'
import type { Route } from '../route.ts'

/** Gives up a try after too long a silence, when its time is over, and when the run is asked to end. */
export class Silence {
  readonly #clock: Clock
  readonly #longestMs: number
  readonly #leftMs: number
  readonly #controller = new AbortController()
  readonly #release: () => void
  #forget: () => void = () => {}
  #forgetEnd: () => void = () => {}
  #isTooLong = false

  constructor(clock: Clock, { longestMs, leftMs = Number.POSITIVE_INFINITY }: Patience, signal: AbortSignal) {
    this.#clock = clock
    this.#longestMs = longestMs
    this.#leftMs = leftMs
    this.#release = onStop(signal, () => this.#controller.abort(signal.reason))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  heard(): void {
    this.#forget()
    this.#forget = deadline(
      this.#longestMs,
      () => {
        this.#isTooLong = true
        this.#controller.abort(new Error('there was no response for too long'))
      },
      this.#clock,
    )
  }

  /** The reply, or why there is none: if the call is aborted, the caller reports it. */
  async until<T>(reply: Promise<T>, route: Route): Promise<T> {
    this.heard()
    if (this.#leftMs < Number.POSITIVE_INFINITY)
      this.#forgetEnd = deadline(this.#leftMs, () => this.#controller.abort(new TriesOutOfTime()), this.#clock)
    let release = (): void => {}
    const ended = new Promise<never>((_, reject) => {
      release = onStop(this.signal, () => reject(this.signal.reason))
    })
    try {
      return await Promise.race([reply, ended])
    } catch (error) {
      if (!this.signal.aborted) throw error
      throw this.#isTooLong ? noAnswer(route, this.#longestMs, error) : this.signal.reason
    } finally {
      release()
      // The loser of the race may still fail, which no longer matters.
      reply.catch(() => {})
      ended.catch(() => {})
    }
  }

  end(): void {
    this.#forget()
    this.#forgetEnd()
    this.#release()
  }
}

interface Patience {
  /** Without hearing anything. */
  readonly longestMs: number
  /** In all. */
  readonly leftMs?: number | undefined
}

const noAnswer = ({ name, provider }: Route, ms: number, cause: unknown): ModelError =>
  new ModelError('no_answer', `${name}: there was no response for ${formatDuration(ms)}, so the call was given up`, {
    model: name,
    provider,
    cost: 'unknown',
    hint: 'allow more with "timeout" in its model settings',
    cause,
  })
