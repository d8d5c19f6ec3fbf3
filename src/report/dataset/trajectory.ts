import type { TrajectoryTotals } from '../../models/trajectory/trajectory.ts'

/** An agent's work turn by turn, as a page shows it. Texts are cut, and what was left out is counted. Plain data, in a browser too. */
export interface TrajectoryView {
  /** Its name in the run's folder, and its size. */
  readonly file: string
  readonly bytes: number
  readonly agent: string
  readonly model: string | null
  /** The context strategy with its settings, as a reader would write it; null: none is known. */
  readonly strategy: string | null
  readonly exit_status: string | null
  readonly review_score: number | null
  readonly totals: TrajectoryTotals
  /** What was said before the first turn. */
  readonly opening: readonly ShownText[]
  /** Those that there is room for, in order. */
  readonly turns: readonly ShownTurn[]
  /** The prompts of turns from the first to the last, at most a hundred, evenly chosen. */
  readonly map: readonly Pick<ShownTurn, 'number' | 'prompt'>[]
  /** Of the file. */
  readonly turn_count: number
  readonly summary_count: number
  /** What stands after the last turn, where that is here. */
  readonly closing: readonly ShownText[]
  /** Summaries that no prompt has. */
  readonly unused: readonly ShownSummary[]
  readonly marks: TurnMarks
  /** Trajectories inside this one: attempts that were not chosen, and agents that it started. */
  readonly subagents: number
  readonly notes: readonly string[]
}

/** A trajectory that can't be shown, and why. */
export interface UnreadTrajectory {
  readonly file: string
  readonly bytes: number
  readonly problem: string
}

export type RunTrajectory = TrajectoryView | UnreadTrajectory

export interface ShownTurn {
  /** From 1. */
  readonly number: number
  readonly kind: 'turn' | 'again' | 'autosubmit'
  /** What came between the turn before and this one. */
  readonly before: readonly ShownText[]
  /** Summaries that this prompt is the first to have. */
  readonly summaries: readonly ShownSummary[]
  readonly prompt: ShownPrompt | null
  /** The answer, its commands and their results, in order. */
  readonly texts: readonly ShownText[]
  readonly input_tokens: number | null
  readonly cached_input_tokens: number | null
  readonly output_tokens: number | null
  readonly reasoning_tokens: number | null
  readonly cost_usd: number | null
  readonly price_usd: number | null
  readonly inference_ms: number | null
  readonly execution_ms: number | null
  readonly started_at: string | null
}

/** Which earlier turns the prompt had. Turns between the spans were not in it. */
export interface ShownPrompt {
  readonly spans: readonly PromptSpan[]
  /** Messages that stand nowhere else. */
  readonly further: number
}

/** Turns from the one to the other, both included. `mixed`: too many pieces to tell apart. */
export interface PromptSpan {
  readonly from: number
  readonly to: number
  readonly how: 'full' | 'masked' | 'summary' | 'mixed'
}

/** A text of which the middle may be left out. */
export interface CutText {
  /** The beginning, or all of it. */
  readonly text: string
  /** How many characters of the middle are left out, and what comes after them. */
  readonly left: number
  readonly end: string
}

export interface ShownText extends CutText {
  readonly kind: 'system' | 'user' | 'thought' | 'words' | 'call' | 'output' | 'error'
  /** The tool, of a call or its result. */
  readonly name: string | null
  /** From which turn on no prompt has it any more, and why; null: it stays to the end, or nobody knows. */
  readonly hidden: Hidden | null
}

export interface Hidden {
  readonly from: number
  readonly how: 'masked' | 'summarised' | 'left out'
}

/** A part of the history in fewer words. */
export interface ShownSummary {
  readonly from: number
  readonly to: number
  readonly text: ShownText
  readonly model: string | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cost_usd: number | null
}

/**
 * Short digests, `markLength` characters for each turn in order, so that two trajectories can be compared where texts were
 * cut. Of the first turns only, if there are thousands.
 */
export interface TurnMarks {
  readonly opening: string
  /** What the agent said and called. */
  readonly acts: string
  /** What came back. */
  readonly results: string
  /** Which part of the history was the prompt. */
  readonly prompts: string
}

export const markLength = 6

export const isRead = (found: RunTrajectory): found is TrajectoryView => !('problem' in found)
