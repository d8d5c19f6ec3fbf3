/** A scenario as one plain value: the content of its folder, with every default filled in and a run's overrides applied. */
export interface Scenario {
  readonly name: string
  readonly description: string
  /** Told to every actor and to the narrator. */
  readonly system_prompt: string
  readonly background: string
  readonly initial_world_state: string
  /** The duration of a turn, in words: `1 month`. */
  readonly turn_duration: string
  /** The most turns that are played. */
  readonly turns: number
  /** An expression over metrics; once it is true the scenario is over. null: all turns are played. */
  readonly until: string | null
  /** An expression over metrics that decides whether the run was a success; null: reaching the end is one. */
  readonly success: string | null
  /** How many turns prompts contain in full; older ones are summarised. null: all of them. */
  readonly context_window: number | null
  /** How many private talks an actor may open per turn; 0: none. */
  readonly talks_per_turn: number
  readonly has_coalitions: boolean
  /** The model of the narrator, and the models of the other calls. */
  readonly world_state_model: string
  readonly summary_model: string
  readonly actors: readonly Actor[]
  readonly metrics: readonly Metric[]
  readonly events: readonly ExogenousEvent[]
  readonly checks: CheckRules | null
}

export interface Actor {
  readonly name: string
  readonly short_name: string
  readonly model: string
  readonly system_prompt: string
  readonly role: string
  readonly description: string
  readonly goals: readonly string[]
  readonly constraints: readonly string[]
  readonly expertise: readonly string[]
  readonly decision_style: string
  readonly communication_style: string
  readonly personality: readonly string[]
  readonly preferred_coalitions: readonly string[]
  /** Known to this actor alone. */
  readonly private_information: readonly string[]
}

export type MetricType = 'integer' | 'float' | 'boolean' | 'string' | 'categorical'

/** How a turn's values make one value: the last that is known, the highest so far, … */
export const aggregations = ['last', 'max', 'min', 'sum', 'mean'] as const

export interface Metric {
  readonly name: string
  readonly description: string
  readonly type: MetricType
  readonly unit: string | null
  readonly categories: readonly string[]
  readonly range: readonly [number, number] | null
  readonly aggregation: (typeof aggregations)[number]
  readonly warning: number | null
  readonly critical: number | null
  /**
   * The texts it is read from: the world's (with or without the actors' actions), one actor's, or each actor's
   * separately.
   */
  readonly from: MetricPlace
  readonly extraction: Extraction
}

export type MetricPlace =
  | { readonly kind: 'world' }
  | { readonly kind: 'actions_and_world' }
  | { readonly kind: 'actor'; readonly actor: string }
  | { readonly kind: 'each_actor' }

export type Extraction =
  | { readonly kind: 'pattern'; readonly patterns: readonly string[] }
  | {
      readonly kind: 'keyword'
      readonly keywords: readonly string[]
      readonly scoring: 'count' | 'presence' | 'density'
    }
  | { readonly kind: 'model'; readonly prompt: string; readonly model: string }
  | { readonly kind: 'line' }

export interface ExogenousEvent {
  readonly name: string
  /** The event's effect; if it depends on the turn, the first one that applies. */
  readonly effects: readonly EventEffect[]
  readonly once: boolean
  readonly when: EventRule
}

export interface EventEffect {
  readonly turns: TurnRange
  readonly text: string
}

/** The first and the last turn; null: open. */
export type TurnRange = readonly [number, number] | null

export type EventRule =
  | { readonly kind: 'trend'; readonly frequency: number; readonly probability: number; readonly turns: TurnRange }
  | { readonly kind: 'random'; readonly probability: number; readonly turns: TurnRange }
  | { readonly kind: 'scheduled'; readonly at: readonly number[] }
  | { readonly kind: 'conditional'; readonly conditions: readonly EventCondition[]; readonly turns: TurnRange }

export type EventCondition =
  | { readonly kind: 'metric'; readonly expression: string }
  | { readonly kind: 'world'; readonly patterns: readonly string[] }

export const severities = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]
export type Reaction = 'log' | 'warn' | 'halt'

export interface CheckRules {
  readonly model: string
  readonly checks: readonly Check[]
  readonly after_each_turn: boolean
  readonly at_end: boolean
  readonly turn_reports: boolean
  readonly summary_report: boolean
  readonly max_issues: number | null
  readonly reactions: { readonly [severity in Severity]: Reaction }
  /** Added to the prompt of every check. */
  readonly rules: string
}

export interface Check {
  readonly name: string
  /** About each actor's decision, or about the new state of the world. */
  readonly about: 'actor' | 'world'
  readonly severity: Severity
  readonly description: string
  /** With placeholders such as {actor_action}; null: assay's own words. */
  readonly template: string | null
}
