import { onStop } from '../../define/outcome.ts'
import { deadline } from '../../util/deadline.ts'
import { type Clock, formatDuration } from '../../util/time.ts'
import { ModelError } from '../model-error.ts'
import type { Route } from '../route.ts'

/** Gives a try up when nothing has been heard for too long, and when the run is asked to end. */
export class Silence {
  readonly #clock: Clock
  readonly #longestMs: number
  readonly #controller = new AbortController()
  readonly #release: () => void
  #forget: () => void = () => {}
  #isTooLong = false

  constructor(clock: Clock, longestMs: number, signal: AbortSignal) {
    this.#clock = clock
    this.#longestMs = longestMs
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
        this.#controller.abort(new Error('nothing was heard for too long'))
      },
      this.#clock,
    )
  }

  /** What came, or why nothing did: who is aborted tells it in words of their own, or not at all. */
  async until<T>(reply: Promise<T>, route: Route): Promise<T> {
    this.heard()
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
      // Whoever lost the race may still fail, which nobody is waiting for any more.
      reply.catch(() => {})
      ended.catch(() => {})
    }
  }

  end(): void {
    this.#forget()
    this.#release()
  }
}

const noAnswer = ({ name, provider }: Route, ms: number, cause: unknown): ModelError =>
  new ModelError('no_answer', `${name}: nothing was heard for ${formatDuration(ms)}, so the call was given up`, {
    model: name,
    provider,
    cost: 'unknown',
    hint: 'allow more with "timeout" in its model settings',
    cause,
  })
