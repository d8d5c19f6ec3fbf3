import type { Message } from '../../../models/model-call.ts'
import type { PromptPart, SideCall, Summary, Turn } from '../../../models/trajectory/trajectory.ts'
import { type History, joined, type SummaryRequest, type TurnPlace } from '../strategies/strategy.ts'
import type { Spent } from './limits.ts'

/** What one question used. */
export interface Asked extends Pick<Turn, 'usage' | 'cost_usd' | 'price_usd' | 'inference_ms' | 'started_at'> {
  /** What it counts against limits: an unknown cost as its maximum. */
  readonly counted_usd: number
}

/** The result of a turn. */
export interface TurnEnd {
  readonly kind: Turn['kind']
  readonly messages: readonly Message[]
  readonly prompt: readonly PromptPart[] | null
  readonly asked: Asked
  readonly execution_ms: number | null
  /** `used`: its commands, if any, ended by themselves. */
  readonly result: 'used' | 'unusable' | 'timed_out'
}

/**
 * The course of an agent's work so far. The history contains everything, once. Strategies do not see unusable answers:
 * the model only gets them while it is asked again.
 */
export class Course {
  readonly messages: Message[]
  readonly turns: Turn[] = []
  readonly summaries: Summary[] = []
  readonly #opening: number
  /** The turns that strategies see, with the number of each among all turns. */
  readonly #seen: TurnPlace[] = []
  readonly #numbers: number[] = []
  #unusable: PromptPart[] = []
  #spent: Spent

  constructor(opening: readonly Message[], spent: Partial<Spent> = {}) {
    this.messages = [...opening]
    this.#opening = opening.length
    this.#spent = { ...nothingSpent, ...spent }
  }

  get spent(): Spent {
    return this.#spent
  }

  /** For strategies, which do not count turns that had to be repeated. */
  get history(): History {
    return { messages: this.messages, opening: this.#opening, turns: this.#seen, summaries: this.summaries }
  }

  /** A strategy's prompt, with the messages that must be answered again. */
  promptOf(parts: readonly PromptPart[]): readonly PromptPart[] {
    return joined([...parts, ...this.#unusable])
  }

  /** Turns `[from, to)` in the numbering of strategies, in the numbering of all turns. */
  turnsOf({ from, to }: { readonly from: number; readonly to: number }): {
    readonly from: number
    readonly to: number
  } {
    return { from: this.#numbers[from] ?? this.turns.length, to: (this.#numbers[to - 1] ?? -1) + 1 }
  }

  end({ kind, messages, prompt, asked, execution_ms, result }: TurnEnd): Turn {
    const { counted_usd, ...facts } = asked
    const from = this.messages.length
    this.messages.push(...messages)
    const turn: Turn = { prompt, from, to: this.messages.length, kind, ...facts, execution_ms }
    this.turns.push(turn)
    if (kind === 'turn') {
      this.#seen.push({ from, to: turn.to })
      this.#numbers.push(this.turns.length - 1)
      this.#unusable = []
    }
    if (kind === 'again' && turn.to > from) this.#unusable.push({ from, to: turn.to })
    this.#spent = spentAfter(this.#spent, { ...turn, counted_usd, result })
    return turn
  }

  summarised(request: SummaryRequest, text: string, call: SideCall | null): void {
    this.summaries.push({ text, from: request.since ?? request.from, to: request.to, call })
  }

  /** A call that is not a turn, but counts. */
  sideCall(asked: Taken): void {
    this.#spent = withCall(this.#spent, asked)
  }
}

const nothingSpent: Spent = {
  calls: 0,
  priceUsd: 0,
  turns: 0,
  inferenceMs: 0,
  executionMs: 0,
  commandTimeouts: 0,
  formatErrors: 0,
}

function spentAfter(spent: Spent, turn: Turn & Taken & Pick<TurnEnd, 'result'>): Spent {
  if (turn.kind === 'autosubmit') return spent
  const { result, execution_ms } = turn
  return {
    ...withCall(spent, turn),
    turns: spent.turns + 1,
    executionMs: spent.executionMs + (execution_ms ?? 0),
    // An answer without a command says nothing about commands.
    commandTimeouts: result === 'timed_out' ? spent.commandTimeouts + 1 : result === 'used' ? 0 : spent.commandTimeouts,
    formatErrors: result === 'unusable' ? spent.formatErrors + 1 : 0,
  }
}

/** What a question has used so far. */
export type Taken = Pick<Asked, 'counted_usd' | 'inference_ms'>

/** The amounts used, including tries of a question that is still open. */
export const withTries = (spent: Spent, { counted_usd, inference_ms }: Taken): Spent => ({
  ...spent,
  priceUsd: spent.priceUsd + counted_usd,
  inferenceMs: spent.inferenceMs + (inference_ms ?? 0),
})

const withCall = (spent: Spent, taken: Taken): Spent => ({ ...withTries(spent, taken), calls: spent.calls + 1 })
