import type { ModelSettings } from '../../define/models/model-settings.ts'
import type { Permits } from '../../define/permits.ts'
import { mixSeed, type Random, seededRandom } from '../../util/random.ts'
import type { Clock } from '../../util/time.ts'
import { type Keeping, KeptCalls } from '../cache/kept-calls.ts'
import type { Redact } from '../keys/redact.ts'
import type { ModelAnswer, ModelCall } from '../model-call.ts'
import { settingOf } from '../names/settings-of.ts'
import { RunPrompts } from '../prices/prefix-cache.ts'
import type { Warning } from '../providers/transport.ts'
import type { TracedCall, TracedTry } from '../trace/call-span.ts'
import type { Trace } from '../trace/run-trace.ts'
import type { KnownModel } from './call-bound.ts'
import { PromptSizes } from './prompt-sizes.ts'
import type { RetryPolicy } from './retry-rule.ts'
import { Totals } from './totals.ts'
import { type Tried, type TryParts, tryCall } from './try-call.ts'

/** Shared by the calls of one run. */
export interface RunOfCalls {
  readonly permits: Permits
  /** The run's random seed: simulated models and jitter are drawn from it. */
  readonly seed: number
  /** The number of the run's attempt, from 1: simulated faults are drawn again for each. */
  readonly run_attempt?: number
  /** Whether and where answers are cached; default: they are not. */
  readonly keeping?: Keeping | null
  /** Where calls are written down; without it they are not. The caller closes it. */
  readonly trace?: Trace | null
  /** The span that calls are below; without one, the run's. */
  readonly parent?: string
}

/** What a process knows about an experiment's models. */
export interface CallParts {
  readonly settings: ModelSettings
  readonly is_rehearsal: boolean
  /** Removes all keys from a text. */
  readonly redact: Redact
  readonly clock: Clock
  readonly retry: RetryPolicy
  /** Rejects with a ModelError where the name, or its key, is not known. */
  find(name: string): Promise<KnownModel>
  /** The id that a provider returned, to notice changes. */
  answered(model: KnownModel, modelId: string): void
  /** Something that people should know about a model. */
  warn(model: KnownModel, warning: Warning): void
  onNotice(notice: string): void
}

/**
 * The calls of one run, whether made by assay or by an agent through the model proxy: each try asks for a permit, and
 * its result is settled, counted and recorded in one way.
 */
export class RunCalls {
  readonly parts: CallParts
  readonly run: RunOfCalls
  readonly kept: KeptCalls | null
  readonly totals = new Totals()
  /** For the calls that assay makes itself. */
  readonly sizes = new PromptSizes()
  readonly random: Random
  /** What simulated providers remember of the run's prompts; other runs do not share it. */
  readonly #prompts = new RunPrompts()

  constructor(parts: CallParts, run: RunOfCalls) {
    this.parts = parts
    this.run = run
    this.kept = run.keeping ? new KeptCalls(run.keeping, parts) : null
    this.random = seededRandom(mixSeed('jitter', run.seed, run.run_attempt ?? 1))
  }

  /** The number from which simulated faults are drawn: different for each try and for each attempt of the run. */
  drawOf(tries: number): number {
    return ((this.run.run_attempt ?? 1) - 1) * 1000 + tries
  }

  /** One try, settled and counted. */
  async try(parts: Omit<TryParts, 'run_seed' | 'draw' | 'prompts'>, signal: AbortSignal): Promise<Tried> {
    const { clock } = this.parts
    const { permits, seed } = this.run
    const all = { ...parts, run_seed: seed, draw: this.drawOf(parts.tries), prompts: this.#prompts }
    const made = await tryCall(all, { clock, permits }, signal)
    for (const warning of made.warnings) this.parts.warn(parts.model, warning)
    if (made.is_sent) {
      const latency_ms = made.ended_at - made.started_at
      this.totals.called(parts.call.purpose, { ...made, latency_ms, failed: made.answer === null })
    }
    return made
  }

  /** A call that has ended, after these tries. */
  ended(ended: Omit<TracedCall, 'route' | 'started_at' | 'ended_at'>, model: KnownModel, parent?: string): void {
    const { answer, tries } = ended
    if (answer !== null) this.parts.answered(model, answer.model_id)
    // All tries are one span, from the first that was sent to the end of the last; a call of which none was sent has
    // none.
    const [first] = tries
    if (first === undefined) return
    const times = { started_at: first.started_at, ended_at: tries.at(-1)?.ended_at ?? first.ended_at }
    this.run.trace?.call({ ...ended, route: model.route, ...times }, parent ?? this.run.parent)
  }

  /** A cached answer. A simulated provider has seen its prompt anyway. */
  reused(call: ModelCall, answer: ModelAnswer, parent?: string): void {
    this.#prompts.ask(call, settingOf(call.model, this.parts.settings)?.tokens)
    const now = this.parts.clock.now()
    const facts = { route: null, error: null, tries: [], started_at: now, ended_at: now }
    this.totals.reused(call.purpose, answer)
    this.run.trace?.call({ call, answer, ...facts }, parent ?? this.run.parent)
  }
}

/** A try as traces have it; null if it was not sent. */
export const tracedTry = (made: Tried, number: number): readonly TracedTry[] =>
  made.is_sent ? [{ ...made, number }] : []
