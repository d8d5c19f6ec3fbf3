import type { ModelSettings } from '../../define/models/model-settings.ts'
import { messageOf } from '../../util/errors.ts'
import { sha256 } from '../../util/hash.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Redact } from '../keys/redact.ts'
import type { ModelAnswer, ModelCall } from '../model-call.ts'
import { ContextTooLong, ModelError, type ModelFault, TriesOutOfTime } from '../model-error.ts'
import { callKey, contentKey } from './call-key.ts'
import { type CallStore, fileStore, type KeptCall, type KeptError, type KeptWire } from './call-store.ts'

/**
 * `cache`: existing answers are used, others are made and stored. `record`: all are made again and stored. `replay`:
 * none is made, and a missing one is an error.
 */
export type KeepMode = 'cache' | 'record' | 'replay'

/** A folder of stored answers, without keys. */
export interface Keeping {
  readonly folder: string
  readonly mode: KeepMode
  /** Block and replicate of the run. */
  readonly scope: JsonObject
}

export interface KeptCallsParts {
  readonly settings: ModelSettings
  readonly is_rehearsal: boolean
  readonly redact: Redact
  onNotice(notice: string): void
}

/** The cached answers of one run. */
export class KeptCalls {
  readonly #keeping: Keeping
  readonly #store: CallStore
  readonly #parts: KeptCallsParts
  readonly #times = new Map<string, number>()
  readonly #free = new Map<string, number[]>()

  constructor(keeping: Keeping, parts: KeptCallsParts) {
    this.#keeping = keeping
    this.#store = fileStore(keeping.folder, parts.redact)
    this.#parts = parts
  }

  /** Asked twice in one run, a question has two answers, which must not become one. */
  keyFor(call: ModelCall): string {
    return this.#numbered(callKey({ call, ...this.#parts, scope: this.#keeping.scope })).key
  }

  /**
   * The same for a question from another program. If it fails and that program retries, `release` makes the retry the
   * same question.
   */
  place(model: string, content: object): KeptPlace {
    return this.#numbered(contentKey({ model, content, ...this.#parts, scope: this.#keeping.scope }))
  }

  #numbered(key: string): KeptPlace {
    const times = this.#free.get(key)?.shift() ?? (this.#times.get(key) ?? 0) + 1
    this.#times.set(key, Math.max(times, this.#times.get(key) ?? 0))
    let isReleased = false
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      this.#free.set(
        key,
        [...(this.#free.get(key) ?? []), times].sort((a, b) => a - b),
      )
    }
    return { key: times === 1 ? key : sha256(`${key} ${times}`), release }
  }

  /** null: it has to be asked. Rejects with an error that was recorded, or where a recording is missing. `mostMs`: the time for it. */
  async find(key: string, call: ModelCall, mostMs = Number.POSITIVE_INFINITY): Promise<ModelAnswer | null> {
    const { mode } = this.#keeping
    if (mode === 'record') return null
    const kept = await this.#store.read(key)
    if (kept?.answer) return fromStore(kept.answer)
    if (mode === 'cache') return null
    if (kept?.error?.is_out_of_time) throw Number.isFinite(mostMs) ? new TriesOutOfTime() : missing(call, key)
    throw kept?.error ? recordedError(call, kept.error) : missing(call, key)
  }

  /** What another program received earlier for the same question. null, and rejects, as {@link find}. */
  async findWire(key: string, call: ModelCall): Promise<KeptExchange | null> {
    const { mode } = this.#keeping
    if (mode === 'record') return null
    const kept = await this.#store.read(key)
    const isUsed = kept?.wire !== undefined && (kept.answer !== null || mode === 'replay')
    if (isUsed && kept.wire !== undefined) {
      const { answer, error, wire } = kept
      return { answer: answer && fromStore(answer), error: error && recordedError(call, error), wire }
    }
    if (mode === 'cache') return null
    throw missing(call, key)
  }

  /** False: it says nothing about the question, so it was not stored. */
  async keep(key: string, call: ModelCall, made: Made, wire?: KeptWire): Promise<boolean> {
    const kept = 'answer' in made ? { call, answer: made.answer, error: null } : this.#keptError(call, made.error)
    if (kept === null) return false
    try {
      await this.#store.write(key, wire === undefined ? kept : { ...kept, wire })
    } catch (error) {
      // It was paid for: an answer that is not cached is better than none.
      this.#parts.onNotice(`an answer of ${call.model} could not be kept: ${messageOf(error)}`)
    }
    return true
  }

  #keptError(call: ModelCall, error: unknown): KeptCall | null {
    if (this.#keeping.mode === 'record' && error instanceof TriesOutOfTime)
      return { call, answer: null, error: outOfTime(error) }
    if (this.#keeping.mode !== 'record' || !(error instanceof ModelError) || !lasting.includes(error.fault)) return null
    const { fault, message, provider } = error
    const context = error instanceof ContextTooLong ? { used: error.used, allowed: error.allowed } : undefined
    return { call, answer: null, error: { fault, message, provider, ...(context !== undefined && { context }) } }
  }
}

const outOfTime = ({ message }: TriesOutOfTime): KeptError => ({
  ...{ fault: 'no_answer', message, provider: '', is_out_of_time: true },
})

/** The place of a cached answer, existing or not. */
export interface KeptPlace {
  readonly key: string
  release(): void
}

type Made = { readonly answer: ModelAnswer } | { readonly error: unknown }

/** What another program received from a provider, and its question. */
export interface KeptExchange {
  readonly answer: ModelAnswer | null
  readonly error: ModelError | null
  readonly wire: KeptWire
}

/** These say something about the question; the others only about the moment. */
const lasting: readonly ModelFault[] = [
  'content_filtered',
  'context_too_long',
  'empty_answer',
  'malformed_answer',
  'unknown_model',
  'bad_request',
]

const fromStore = (answer: ModelAnswer): ModelAnswer => ({
  ...answer,
  cost_usd: 0,
  cost_from: 'cache',
  saved_usd: answer.cost_usd,
  is_cached: true,
})

function recordedError({ model }: ModelCall, { fault, message, provider, context }: KeptError): ModelError {
  const facts = { model, provider, cost: 'nothing' as const }
  return context === undefined
    ? new ModelError(fault, message, facts)
    : new ContextTooLong(message, { ...facts, ...context })
}

const missing = (call: ModelCall, key: string): ModelError =>
  new ModelError('missing_recording', `${call.model}: this call is not in the recording (${key.slice(0, 12)})`, {
    model: call.model,
    provider: 'recording',
    cost: 'nothing',
    hint: 'the experiment or its prompts have changed since it was recorded: record it again',
  })
