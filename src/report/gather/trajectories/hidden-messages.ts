import type { PromptPart, Trajectory, Turn } from '../../../models/trajectory/trajectory.ts'
import type { Hidden } from '../../dataset/turns.ts'
import type { TurnPlaces } from './turn-places.ts'

type History = Trajectory['history']

/**
 * From which turn on the prompts no longer contain a message; null: the last prompt contains it, or that is unknown.
 * Walks back from the last turn and visits each message once: messages that a later prompt contains are not examined
 * again.
 */
export function hiddenMessages(
  { history, turns, summaries }: Pick<Trajectory, 'history' | 'turns' | 'summaries'>,
  places: TurnPlaces,
): (message: number) => Hidden | null {
  const lastShown = new Int32Array(history.length).fill(-1)
  // A masked part shows answers and hides results, so each kind has a list of its own.
  const answers = new Unseen(history, isNeverMasked)
  const results = new Unseen(history, message => !isNeverMasked(message))
  const nextPrompt = new Int32Array(turns.length + 1).fill(-1)
  for (let at = turns.length - 1; at >= 0; at--) {
    const prompt = turns[at]?.prompt ?? null
    nextPrompt[at] = prompt === null ? (nextPrompt[at + 1] ?? -1) : at
    for (const part of prompt ?? []) {
      if (!('from' in part)) continue
      const see = (message: number): void => {
        lastShown[message] = at
      }
      answers.take(part.from, part.to, see)
      if (part.masked !== true) results.take(part.from, part.to, see)
    }
  }
  return message => {
    const shown = lastShown[message] ?? -1
    const after = shown === -1 ? places.turnOf(message) : shown
    const at = nextPrompt[after + 1] ?? -1
    const prompt = turns[at]?.prompt ?? null
    return prompt === null ? null : { from: at + 1, how: howHidden(message, prompt, places.turnOf(message), summaries) }
  }
}

function howHidden(
  message: number,
  prompt: NonNullable<Turn['prompt']>,
  turn: number,
  summaries: Trajectory['summaries'],
): Hidden['how'] {
  const isMasked = (part: PromptPart): boolean => 'from' in part && part.from <= message && message < part.to
  if (prompt.some(isMasked)) return 'masked'
  const isSummed = (part: PromptPart): boolean => {
    const summary = 'summary' in part ? summaries[part.summary] : undefined
    return summary !== undefined && summary.from <= turn && turn < summary.to
  }
  return prompt.some(isSummed) ? 'summarised' : 'left out'
}

const isNeverMasked = ({ role }: History[number]): boolean => role === 'assistant' || role === 'system'

/** The messages of one kind that were not taken yet. */
class Unseen {
  /** For each message, a message at or after it that may still be in the set. */
  readonly #next: Int32Array

  constructor(history: History, isOne: (message: History[number]) => boolean) {
    this.#next = Int32Array.from({ length: history.length + 1 }, (_, at) => at)
    for (const [at, message] of history.entries()) if (!isOne(message)) this.#next[at] = at + 1
  }

  take(from: number, to: number, use: (message: number) => void): void {
    const end = Math.min(to, this.#next.length - 1)
    for (let at = this.#first(Math.max(0, from)); at < end; at = this.#first(at)) {
      use(at)
      this.#next[at] = at + 1
    }
  }

  #first(from: number): number {
    let at = from
    while (at < this.#next.length && this.#next[at] !== at) {
      const next = this.#next[at] ?? this.#next.length
      // Shortens the path for the next lookup.
      this.#next[at] = this.#next[next] ?? next
      at = next
    }
    return at
  }
}
