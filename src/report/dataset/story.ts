import type { CutText } from './trajectory.ts'

/** A run of a scenario turn by turn, as a page shows it. Texts are cut, and what was left out is counted. Plain data, in a browser too. */
export interface StoryView {
  /** The file in the run's folder that says how the run stands. */
  readonly file: string
  readonly scenario: string
  readonly status: 'running' | 'halted' | 'completed'
  /** Why it was cut short; null: it was not. */
  readonly halt_reason: string | null
  /** null: it was not scored. */
  readonly success: boolean | null
  /** The events of each turn are drawn from it; a branch has the one of its trunk. */
  readonly seed: number
  /** The run and the last turn that it has in common with it; null: it began at the beginning. */
  readonly branched_from: Branching | null
  readonly actors: readonly StoryActor[]
  /** The state of the world before the first turn. */
  readonly opening: StoryText
  /** Those that there is room for, in order. */
  readonly turns: readonly StoryTurn[]
  /** Whole turns of the run, and how many the scenario has at most. */
  readonly turn_count: number
  readonly total_turns: number
  /** Turns that can't be shown, and why. */
  readonly unread: readonly { readonly number: number; readonly problem: string }[]
  /** Of all its turns, at list price; null: not known, of one call or of a turn that can't be read. */
  readonly calls: number
  readonly price_usd: number | null
  /** The names of the metrics, and turns with their values from the first on, also those that there is no room for. */
  readonly metrics: readonly string[]
  readonly overview: readonly OverviewRow[]
  readonly marks: StoryMarks
}

/** A run of a scenario that can't be shown, and why. */
export interface UnreadStory {
  readonly file: string
  readonly problem: string
}

export type RunStory = StoryView | UnreadStory

export const isReadStory = (found: RunStory): found is StoryView => !('problem' in found)

export interface Branching {
  /** The trunk's folder, as it was written. */
  readonly run: string
  readonly turn: number
}

export interface StoryActor {
  readonly short_name: string
  readonly name: string
  readonly model: string | null
}

/** A text of which the middle may be left out. */
export interface StoryText extends CutText {
  /** A digest of the whole text, where a part is left out: two such texts can still be compared. */
  readonly mark: string | null
}

export type MetricValue = number | boolean | string | null

/** One turn in one line. */
export interface OverviewRow {
  readonly number: number
  /** In the order of the names; null: it was not read in this turn. */
  readonly values: readonly MetricValue[]
  readonly calls: number
  /** At list price; null: one of them is not known. */
  readonly price_usd: number | null
}

export interface StoryTurn {
  /** From 1. */
  readonly number: number
  readonly events: readonly { readonly name: string; readonly text: StoryText }[]
  /** Of the turns before it, where prompts no longer held them in full. */
  readonly summary: { readonly through: number; readonly text: StoryText } | null
  readonly talks: readonly StoryTalk[]
  readonly coalitions: readonly StoryCoalition[]
  readonly decisions: readonly StoryDecision[]
  readonly world: { readonly state: StoryText; readonly key_changes: StoryText; readonly consequences: StoryText }
  readonly metrics: readonly { readonly name: string; readonly value: MetricValue; readonly problem: string | null }[]
  readonly checks: readonly StoryCheck[]
  readonly remarks: readonly string[]
  readonly calls: readonly StoryCalls[]
  /** Talks, checks and the like that are not here, because there are very many. */
  readonly left: number
}

export interface StoryTalk {
  readonly from: string
  readonly to: string
  readonly message: StoryText
  readonly answer: StoryText
}

export interface StoryCoalition {
  readonly proposer: string
  readonly members: readonly string[]
  readonly purpose: StoryText
  readonly answers: readonly { readonly actor: string; readonly accepts: boolean; readonly reason: StoryText }[]
  readonly is_formed: boolean
  readonly messages: readonly { readonly actor: string; readonly text: StoryText }[]
}

export interface StoryDecision {
  readonly actor: string
  readonly long_term_goals: StoryText
  readonly short_term_goals: StoryText
  readonly reasoning: StoryText
  readonly action: StoryText
}

export interface StoryCheck {
  readonly check: string
  readonly actor: string | null
  readonly passed: boolean | null
  readonly severity: string | null
  readonly reaction: string
  readonly text: StoryText
}

/** The calls of a turn for one purpose. */
export interface StoryCalls {
  readonly purpose: string
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly price_usd: number | null
}

/** What happens in a turn, in this order. */
export const storyParts = ['events', 'talks', 'decisions', 'world'] as const
export type StoryPart = (typeof storyParts)[number]

/** Short digests of whole texts, `markLength` characters for each turn in order, so that two runs can be compared where texts were cut. */
export type StoryMarks = { readonly [part in StoryPart | 'opening']: string }
