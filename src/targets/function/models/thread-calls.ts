import type { Run } from '../../../define/run.ts'
import type { RunContext } from '../../../define/target.ts'
import { movedError } from './moved-error.ts'
import { RunCalls } from './run-calls.ts'
import type { ModelAsk, ModelReply } from './thread-models.ts'

/** Makes the calls that a run in a thread asks for. */
export class ThreadCalls {
  readonly #calls: RunCalls
  readonly #underWay = new Map<number, AbortController>()
  readonly #errors = new Map<number, unknown>()

  constructor(run: Run, context: RunContext) {
    this.#calls = new RunCalls(run, context)
  }

  get limit(): RunCalls['limit'] {
    return this.#calls.limit
  }

  /** What a call ended with, as it was before it went to the thread. */
  errorOf(call: number | null): unknown {
    return call === null ? null : this.#errors.get(call)
  }

  async hear(ask: ModelAsk, tell: (reply: ModelReply) => void): Promise<void> {
    const { id } = ask
    if (ask.kind === 'model_abort') return this.#underWay.get(id)?.abort(new Error('given up by the function'))
    const controller = new AbortController()
    this.#underWay.set(id, controller)
    try {
      if (ask.kind === 'model_size') return tell({ kind: 'model_size', id, size: await this.#calls.size(ask.call) })
      const answer = await this.#calls.call(ask.call, {
        signal: controller.signal,
        ...(ask.hears && { onDelta: delta => tell({ kind: 'model_delta', id, delta }) }),
      })
      tell({ kind: 'model_answer', id, answer, totals: this.#calls.totals() })
    } catch (error) {
      this.#errors.set(id, error)
      tell({ kind: 'model_error', id, error: movedError(error), totals: this.#calls.totals() })
    } finally {
      this.#underWay.delete(id)
    }
  }

  close(own: ReadonlySet<string>): Promise<void> {
    return this.#calls.close(own)
  }
}
