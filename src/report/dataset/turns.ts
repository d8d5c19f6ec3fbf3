// A run turn by turn, as a page shows it: the trajectory of an agent, or the story of a scenario.
import type { TrajectoryTotals } from '../../models/trajectory/trajectory.ts'

/**
 * An agent's work turn by turn, as a page shows it. Texts are shortened, with the length of the omitted part. Plain
 * data, in a browser too.
 */
export interface TrajectoryView {
  /** Its name in the run's folder, and its size. */
  readonly file: string
  readonly bytes: number
  readonly agent: string
  readonly model: string | null
  /** The context strategy with its settings, as a reader would write it; null: unknown. */
  readonly strategy: string | null
  readonly exit_status: string | null
  readonly review_score: number | null
  readonly totals: TrajectoryTotals
  /** The messages before the first turn. */
  readonly opening: readonly ShownText[]
  /** Those that there is room for, in order. */
  readonly turns: readonly ShownTurn[]
  /** The prompts of turns from the first to the last, at most a hundred, evenly chosen. */
  readonly map: readonly Pick<ShownTurn, 'number' | 'prompt'>[]
  /** Of the file. */
  readonly turn_count: number
  readonly summary_count: number
  /** The messages after the last turn, if that is included. */
  readonly closing: readonly ShownText[]
  /** Summaries that no prompt contains. */
  readonly unused: readonly ShownSummary[]
  readonly marks: TurnMarks
  /** Trajectories inside this one: rejected attempts, and agents that it started. */
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
  /** The messages between the previous turn and this one. */
  readonly before: readonly ShownText[]
  /** Summaries that first appear in this prompt. */
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

/** The earlier turns in the prompt. Turns between the spans were not in it. */
export interface ShownPrompt {
  readonly spans: readonly PromptSpan[]
  /** Messages that are nowhere else. */
  readonly further: number
}

/** Turns from one to the other, both included. `mixed`: too many pieces to distinguish. */
export interface PromptSpan {
  readonly from: number
  readonly to: number
  readonly how: 'full' | 'masked' | 'summary' | 'mixed'
}

/** A text of which the middle may be left out. */
export interface CutText {
  /** The beginning, or all of it. */
  readonly text: string
  /** How many characters of the middle are left out, and the text after them. */
  readonly left: number
  readonly end: string
}

export interface ShownText extends CutText {
  readonly kind: 'system' | 'user' | 'thought' | 'words' | 'call' | 'output' | 'error'
  /** The tool, for a call or its result. */
  readonly name: string | null
  /** From which turn on no prompt contains it any more, and why; null: it stays to the end, or that is unknown. */
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
 * Short digests, `markLength` characters for each turn in order, so that two trajectories can be compared even if texts
 * were shortened. Only of the first turns if there are thousands.
 */
export interface TurnMarks {
  readonly opening: string
  /** What the agent said and called. */
  readonly acts: string
  /** The results. */
  readonly results: string
  /** Which part of the history the prompt contained. */
  readonly prompts: string
}

/**
 * A run of a scenario turn by turn, as a page shows it. Texts are shortened, with the length of the omitted part. Plain
 * data, in a browser too.
 */
export interface StoryView {
  /** The file in the run's folder with the run's state. */
  readonly file: string
  readonly scenario: string
  readonly status: 'running' | 'halted' | 'completed'
  /** Why it was cut short; null: it was not. */
  readonly halt_reason: string | null
  /** null: it was not scored. */
  readonly success: boolean | null
  /** The events of each turn are drawn from it; a branch has the seed of its trunk. */
  readonly seed: number
  /** The run that it branches from, and the last shared turn; null: it started at the beginning. */
  readonly branched_from: Branching | null
  readonly actors: readonly StoryActor[]
  /** The state of the world before the first turn. */
  readonly opening: StoryText
  /** Those that there is room for, in order. */
  readonly turns: readonly StoryTurn[]
  /** Complete turns of the run, and the scenario's maximum. */
  readonly turn_count: number
  readonly total_turns: number
  /** Turns that can't be shown, and why. */
  readonly unread: readonly { readonly number: number; readonly problem: string }[]
  /** For all its turns, at list price; null: unknown for some call, or for a turn that can't be read. */
  readonly calls: number
  readonly price_usd: number | null
  /** The names of the metrics, and the turns with their values from the first on, including those that don't fit. */
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

export interface Branching {
  /** The trunk's folder, as it was written. */
  readonly run: string
  readonly turn: number
  /** The parameters that changed the state after that turn; without any it is the trunk's. */
  readonly changed?: readonly string[] | undefined
}

export interface StoryActor {
  readonly short_name: string
  readonly name: string
  readonly model: string | null
}

/** A text of which the middle may be left out. */
export interface StoryText extends CutText {
  /** A digest of the whole text, if a part is left out: so that two such texts can still be compared. */
  readonly mark: string | null
}

export type MetricValue = number | boolean | string | null

/** One turn in one line. */
export interface OverviewRow {
  readonly number: number
  /** In the order of the names; null: not read in this turn. */
  readonly values: readonly MetricValue[]
  readonly calls: number
  /** At list price; null: some price is unknown. */
  readonly price_usd: number | null
}

export interface StoryTurn {
  /** From 1. */
  readonly number: number
  readonly events: readonly { readonly name: string; readonly text: StoryText }[]
  /** Of the turns before it, once prompts no longer contained them in full. */
  readonly summary: { readonly through: number; readonly text: StoryText } | null
  readonly talks: readonly StoryTalk[]
  readonly coalitions: readonly StoryCoalition[]
  readonly decisions: readonly StoryDecision[]
  readonly world: { readonly state: StoryText; readonly key_changes: StoryText; readonly consequences: StoryText }
  readonly metrics: readonly { readonly name: string; readonly value: MetricValue; readonly problem: string | null }[]
  readonly checks: readonly StoryCheck[]
  readonly remarks: readonly string[]
  readonly calls: readonly StoryCalls[]
  /** Talks, checks and the like that are omitted because there are very many. */
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

/** The parts of a turn, in this order. */
export const storyParts = ['events', 'talks', 'decisions', 'world'] as const
export type StoryPart = (typeof storyParts)[number]

/**
 * Short digests of whole texts, `markLength` characters for each turn in order, so that two runs can be compared even
 * if texts were shortened.
 */
export type StoryMarks = { readonly [part in StoryPart | 'opening']: string }

export const markLength = 6

/** The mark of a turn; turns are counted from 1. */
export const markOf = (marks: string, turn: number): string => marks.slice((turn - 1) * markLength, turn * markLength)

/** Whether a trajectory or a story can be shown. */
export const isRead = <Found extends object>(found: Found): found is Exclude<Found, { readonly problem: string }> =>
  !('problem' in found)
