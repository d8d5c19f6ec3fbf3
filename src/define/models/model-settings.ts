import type { Json, JsonObject } from '../../util/json.ts'
import { hasAddressSecret } from '../../util/secrets.ts'

/** What an experiment says about language models, by the name it calls them. Adds to the presets, or overrides them. */
export interface ModelSettings {
  readonly [name: string]: ModelSetting
}

export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type ReasoningEffort = (typeof reasoningEfforts)[number]

export const modelApis = ['chat', 'responses', 'anthropic'] as const
type ModelApi = (typeof modelApis)[number]

export interface ModelSetting {
  /** Another model's name: everything that is not said here is as there. */
  readonly like?: string | undefined
  /** The provider: `openai`, `anthropic`, … */
  readonly provider?: string | undefined
  /** The id that the provider knows it by. */
  readonly model?: string | undefined
  /** Where it is served. */
  readonly address?: string | undefined
  /** The name of the environment variable that holds the key. */
  readonly key?: string | undefined
  readonly api?: ModelApi | undefined
  /** Tokens that prompt and answer may have together. */
  readonly context?: number | undefined
  readonly max_output?: number | undefined
  readonly temperature?: number | undefined
  readonly top_p?: number | undefined
  readonly reasoning?: ReasoningEffort | undefined
  /** Passed on to the provider as they are. */
  readonly options?: JsonObject | undefined
  /** Whether it can be held to a JSON Schema; otherwise the schema is told it in words. */
  readonly structured?: boolean | undefined
  readonly tools?: boolean | undefined
  /** Whether answers come piece by piece; by default the long ones do. */
  readonly stream?: boolean | undefined
  /** Milliseconds of silence after which a call is given up. */
  readonly timeout_ms?: number | undefined
  readonly price?: PriceSetting | undefined
  /** How it answers when it is simulated. */
  readonly tokens?: SimTokens | undefined
  readonly latency?: SimLatency | undefined
  readonly failures?: SimFailures | undefined
  readonly rules?: readonly SimRule[] | undefined
  /** How well it works as an agent when it is simulated. */
  readonly agent?: SimAgent | undefined
  /** Tasks that it can then solve. */
  readonly plans?: readonly SimPlan[] | undefined
}

/** `free`: paid for otherwise. A list: by the size of the prompt, in the order of `above`. */
export type PriceSetting = 'free' | readonly PriceTier[]

/** USD for a million tokens. */
export interface PriceTier {
  /** Holds for prompts of more tokens than this. */
  readonly above: number
  readonly input: number
  readonly output: number
  /** Without one, as other input. */
  readonly cached_input?: number | undefined
  readonly cache_write?: number | undefined
  /** Input that is kept for an hour; without one twice the price of other input, as Anthropic has it. */
  readonly cache_write_1h?: number | undefined
}

/** Declared sizes; what is not declared is counted. */
export interface SimTokens {
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly reasoning?: number | undefined
  /**
   * The share of the input that the provider would have had in its cache. `prefix`: as much as an earlier prompt of the
   * same run begins with, as OpenAI does it. `marked`: up to the marks of the call, as Anthropic does it.
   */
  readonly cached?: number | SimCache | undefined
  /** By how much sizes differ from call to call, as a share: 0.2 is up to a fifth more or less. */
  readonly spread?: number | undefined
}

export const simCaches = ['prefix', 'marked'] as const
export type SimCache = (typeof simCaches)[number]

export interface SimLatency {
  readonly base_ms: number
  readonly per_token_ms: number
  readonly spread: number
}

export const simFaults = [
  'rate_limited',
  'server_error',
  'overloaded',
  'no_answer',
  'cut',
  'malformed',
  'empty',
  'content_filter',
  'context_too_long',
] as const
export type SimFault = (typeof simFaults)[number]

/** How likely each try fails, and how. */
export type SimFailures = { readonly [F in SimFault]?: number } & {
  /** What a simulated 429 says; null: nothing. */
  readonly retry_after_ms?: number | null
}

/** The first rule that fits says what is answered. */
export interface SimRule extends SimStep {
  /** All of these texts, whatever their case. */
  readonly contains?: readonly string[] | undefined
  /** A regular expression; its groups can be used in the answer. */
  readonly matches?: string | undefined
  /** Where they are looked for; `tool`: in the results of tools since the last answer. */
  readonly in?: SimPlace | undefined
  /** The how-many-th answer of the conversation, from 1. */
  readonly turn?: number | undefined
  /** The how-many-th try of the same question, from 1. */
  readonly try?: number | undefined
  readonly purpose?: string | undefined
  /** Only calls that offer this tool. */
  readonly offers?: string | undefined
  /** Only where this tool has been called by the last answer, and its result is there. */
  readonly after?: string | undefined
  /** How likely the rule holds; otherwise the next one that fits does. */
  readonly chance?: number | undefined
  /** One for each turn; after the last the rule fits no longer. */
  readonly script?: readonly SimStep[] | undefined
}

export const simPlaces = ['last', 'user', 'system', 'tool', 'any'] as const
export type SimPlace = (typeof simPlaces)[number]

/** One answer: thoughts, a text and calls of tools, each if it is said. */
export interface SimStep {
  readonly answer?: string | undefined
  /** One of these, all equally likely. */
  readonly one_of?: readonly string[] | undefined
  readonly json?: Json | undefined
  readonly tool?: SimToolCall | undefined
  /** Several at once. */
  readonly tools?: readonly SimToolCall[] | undefined
  /** What is thought before the answer, shown in each provider's own way. */
  readonly reasoning?: string | undefined
  readonly fail?: SimFault | undefined
  readonly tokens?: SimTokens | undefined
}

export interface SimToolCall {
  readonly name: string
  readonly arguments: JsonObject
}

/** How the calls of models are made, kept and written down. */
export interface CallSettings {
  /** Every model is answered by a simulated one, at its real price. */
  readonly rehearse: boolean
  /** Whether an answer that was given before to the same question, in the same block and replicate, is used again. */
  readonly cache: boolean
  /** A folder that all answers are written to; absolute. */
  readonly record: string | null
  /** A folder that all answers are taken from; absolute. */
  readonly replay: string | null
  /** What is written down of each call: prompts and answers too, only the facts, or nothing. */
  readonly trace: 'content' | 'facts' | 'none'
  /** Where spans are sent while runs go on: an http address, or `env` for that of OpenTelemetry's variables. */
  readonly otlp?: string | null
  /** Whether programs that runs start may send spans, which become part of their run's trace. */
  readonly otlp_in?: boolean
}

export const usualCalls: CallSettings = { rehearse: false, cache: true, record: null, replay: null, trace: 'content' }

/** Why a text is no `otlp` that spans can be sent to; null: it is one. */
export function otlpProblem(written: string): string | null {
  if (/^grpcs?:/i.test(written)) return 'assay sends OTLP over HTTP, not over gRPC: use the HTTP port, usually 4318'
  if (!URL.canParse(written) || !/^https?:$/.test(new URL(written).protocol))
    return 'is no http address, such as http://127.0.0.1:4318'
  const { username, password } = new URL(written)
  if (username !== '' || password !== '' || hasAddressSecret(written))
    return 'an address with a password in it would be kept with the experiment: set OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS, and write env'
  return null
}

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
