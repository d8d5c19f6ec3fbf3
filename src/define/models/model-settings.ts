import type { Json, JsonObject } from '../../util/json.ts'
import { hasAddressSecret } from '../../util/secrets.ts'

/** An experiment's settings of language models, by the names it uses. They extend the presets, or override them. */
export interface ModelSettings {
  readonly [name: string]: ModelSetting
}

export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type ReasoningEffort = (typeof reasoningEfforts)[number]

export const modelApis = ['chat', 'responses', 'anthropic'] as const
type ModelApi = (typeof modelApis)[number]

export interface ModelSetting {
  /** Another model's name: missing settings are taken from it. */
  readonly like?: string | undefined
  /** The provider: `openai`, `anthropic`, … */
  readonly provider?: string | undefined
  /** The id that the provider uses for it. */
  readonly model?: string | undefined
  /** Where it is served. */
  readonly address?: string | undefined
  /** The name of the environment variable that holds the key. */
  readonly key?: string | undefined
  readonly api?: ModelApi | undefined
  /** The most tokens of prompt and answer together. */
  readonly context?: number | undefined
  readonly max_output?: number | undefined
  readonly temperature?: number | undefined
  readonly top_p?: number | undefined
  readonly reasoning?: ReasoningEffort | undefined
  /** Passed to the provider unchanged. */
  readonly options?: JsonObject | undefined
  /** Whether it supports a JSON Schema; otherwise it gets the schema in words. */
  readonly structured?: boolean | undefined
  readonly tools?: boolean | undefined
  /** Whether answers are streamed; by default the long ones are. */
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
  /** Applies to prompts of more tokens than this. */
  readonly above: number
  readonly input: number
  readonly output: number
  /** Default: like other input. */
  readonly cached_input?: number | undefined
  readonly cache_write?: number | undefined
  /** Input that is cached for an hour; default: twice the price of other input, as at Anthropic. */
  readonly cache_write_1h?: number | undefined
}

/** Declared sizes; undeclared ones are counted. */
export interface SimTokens {
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly reasoning?: number | undefined
  /**
   * The share of the input that would have been in the provider's cache. `prefix`: the common beginning with an earlier
   * prompt of the same run, as at OpenAI. `marked`: up to the marks of the call, as at Anthropic.
   */
  readonly cached?: number | SimCache | undefined
  /** How much sizes vary from call to call, as a share: 0.2 is up to a fifth more or less. */
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
  /** The retry-after of a simulated 429; null: none. */
  readonly retry_after_ms?: number | null
}

/** The first matching rule gives the answer. */
export interface SimRule extends SimStep {
  /** All of these texts, ignoring case. */
  readonly contains?: readonly string[] | undefined
  /** A regular expression; its groups can be used in the answer. */
  readonly matches?: string | undefined
  /** Where to look for them; `tool`: in the results of tools since the last answer. */
  readonly in?: SimPlace | undefined
  /** Only for the answer with this number in the conversation, from 1. */
  readonly turn?: number | undefined
  /** Only for the try with this number of the same question, from 1. */
  readonly try?: number | undefined
  readonly purpose?: string | undefined
  /** Only calls that offer this tool. */
  readonly offers?: string | undefined
  /** Only if the last answer called this tool, and its result is there. */
  readonly after?: string | undefined
  /** The probability that the rule applies; otherwise the next matching one does. */
  readonly chance?: number | undefined
  /** One for each turn; after the last one the rule no longer matches. */
  readonly script?: readonly SimStep[] | undefined
}

export const simPlaces = ['last', 'user', 'system', 'tool', 'any'] as const
export type SimPlace = (typeof simPlaces)[number]

/** One answer: reasoning, a text and tool calls, all optional. */
export interface SimStep {
  readonly answer?: string | undefined
  /** One of these, all equally likely. */
  readonly one_of?: readonly string[] | undefined
  readonly json?: Json | undefined
  readonly tool?: SimToolCall | undefined
  /** Several at once. */
  readonly tools?: readonly SimToolCall[] | undefined
  /** The reasoning before the answer, shown in each provider's own way. */
  readonly reasoning?: string | undefined
  readonly fail?: SimFault | undefined
  readonly tokens?: SimTokens | undefined
}

export interface SimToolCall {
  readonly name: string
  readonly arguments: JsonObject
}

/** How model calls are made, cached and recorded. */
export interface CallSettings {
  /** Every model is replaced by a simulated one, at its real price. */
  readonly rehearse: boolean
  /** Whether an earlier answer to the same question, in the same block and replicate, is reused. */
  readonly cache: boolean
  /** A folder that all answers are written to; absolute. */
  readonly record: string | null
  /** A folder that all answers are taken from; absolute. */
  readonly replay: string | null
  /** What is recorded of each call: prompts and answers too, only the facts, or nothing. */
  readonly trace: 'content' | 'facts' | 'none'
  /** Where spans are sent during the run: an http address, or `env` for that of OpenTelemetry's variables. */
  readonly otlp?: string | null
  /** Whether programs started by runs may send spans, which become part of their run's trace. */
  readonly otlp_in?: boolean
}

export const defaultCalls: CallSettings = { rehearse: false, cache: true, record: null, replay: null, trace: 'content' }

/** Why a text is not a valid `otlp` address; null: it is. */
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
 * Random draws depend on the run's seed and the place in the plan, so a longer or shorter prompt changes none.
 */
export interface SimAgent {
  /** The probability that a step that can go wrong does. */
  readonly mistakes?: number | undefined
  /** A long prompt makes mistakes more likely. */
  readonly strain?: SimStrain | undefined
  /** The probability that a fact that is no longer in the prompt is guessed; otherwise it is looked up again. */
  readonly guesses?: number | undefined
  /**
   * The probability that a fact is written down in the agent's own words as soon as it is seen: these stay when outputs
   * are hidden.
   */
  readonly notes?: number | undefined
  /** How often a step with an unexpected output is tried before the agent continues anyway. */
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
  /** The minimum number of words. */
  readonly words?: number | undefined
  /** The probability that each fact is kept. */
  readonly keeps?: number | undefined
}

export const defaultTraits = { mistakes: 0, guesses: 0, notes: 0, patience: 3, words: 120, keeps: 1 } as const

/** How one task is solved, step by step. */
export interface SimPlan {
  readonly name: string
  /** A regular expression that finds the task's instruction. */
  readonly task: string
  readonly facts?: { readonly [name: string]: SimFact } | undefined
  readonly steps: readonly SimPlanStep[]
}

/** A fact that an output contained; the agent knows it only as long as it can see it. */
export interface SimFact {
  /** A regular expression that finds it in an output; its first group is the value. */
  readonly matches: string
  /** A command that shows it again. Without one it is guessed. */
  readonly look?: string | undefined
  /** Wrong values. Without any, a step that needs the fact goes wrong instead. */
  readonly guess?: readonly string[] | undefined
}

export interface SimPlanStep {
  readonly name: string
  /** A command; `{fact}` is the value of a fact. */
  readonly run: string
  /** The text that goes with it. */
  readonly say?: string | undefined
  /** The command that is run instead when the step goes wrong, where `{run}` is the correct one; one of them is drawn. */
  readonly wrong?: readonly string[] | undefined
  /** Facts that the step needs besides those in its command. */
  readonly needs?: readonly string[] | undefined
  /** A regular expression that the output must match; otherwise the agent goes to `else`. */
  readonly expect?: string | undefined
  /** The step to go to; default: the same one again. */
  readonly else?: string | undefined
}

/** A name in braces that is a fact of the plan; other braces are part of the command. */
export const factsIn = (command: string, facts: SimPlan['facts'] = {}): readonly string[] =>
  [...command.matchAll(/\{([\w-]+)\}/g)].flatMap(([, name = '']) => (Object.hasOwn(facts, name) ? [name] : []))

/** The tools of assay's own agent. */
export const agentTools = { command: 'bash', submit: 'submit' } as const
