/**
 * How a simulated model works as an agent: traits that differ between models, and plans that say how a task is solved.
 * Rates are drawn from the run's seed and the place in the plan, so that a longer or shorter prompt moves no draw.
 */
export interface SimAgent {
  /** How likely a step that can go wrong does. */
  readonly mistakes?: number | undefined
  /** A long prompt makes mistakes more likely. */
  readonly strain?: SimStrain | undefined
  /** How likely a fact that is not in the prompt any more is guessed; otherwise it is looked up again. */
  readonly guesses?: number | undefined
  /** How likely a fact is written down in the agent's own words as soon as it is seen: these stay when outputs are hidden. */
  readonly notes?: number | undefined
  /** How often a step is tried whose output is not what was expected, before the agent goes on regardless. */
  readonly patience?: number | undefined
  /** How it writes summaries. */
  readonly summary?: SimSummary | undefined
}

/** For each 1,000 tokens of the prompt above `from`, mistakes are more likely by `per_1000`. */
export interface SimStrain {
  readonly from: number
  readonly per_1000: number
}

export interface SimSummary {
  /** How many words it has at least. */
  readonly words?: number | undefined
  /** How likely each fact is kept. */
  readonly keeps?: number | undefined
}

export const usualTraits = { mistakes: 0, guesses: 0, notes: 0, patience: 3, words: 120, keeps: 1 } as const

/** How one task is solved, step by step. */
export interface SimPlan {
  readonly name: string
  /** A regular expression that finds the task's instruction. */
  readonly task: string
  readonly facts?: { readonly [name: string]: SimFact } | undefined
  readonly steps: readonly SimPlanStep[]
}

/** Something that an output told, and that the agent knows only as long as it can see it. */
export interface SimFact {
  /** A regular expression that finds it in an output; its first group is the value. */
  readonly matches: string
  /** A command that shows it again. Without one it is guessed. */
  readonly look?: string | undefined
  /** Wrong values. Without one, a step that needs the fact goes wrong instead. */
  readonly guess?: readonly string[] | undefined
}

export interface SimPlanStep {
  readonly name: string
  /** A command; `{fact}` is the value of a fact. */
  readonly run: string
  /** What is said with it. */
  readonly say?: string | undefined
  /** What is run instead when the step goes wrong, where `{run}` is its command; one of them is drawn. */
  readonly wrong?: readonly string[] | undefined
  /** Facts that the step needs besides those in its command. */
  readonly needs?: readonly string[] | undefined
  /** A regular expression that the output must match; otherwise the agent goes to `else`. */
  readonly expect?: string | undefined
  /** The step to go to; without one, the same again. */
  readonly else?: string | undefined
}

/** A name in braces that is a fact of the plan; other braces are part of the command. */
export const factsIn = (command: string, facts: SimPlan['facts'] = {}): readonly string[] =>
  [...command.matchAll(/\{([\w-]+)\}/g)].flatMap(([, name = '']) => (Object.hasOwn(facts, name) ? [name] : []))

/** The tools of assay's own agent. */
export const agentTools = { command: 'bash', submit: 'submit' } as const
