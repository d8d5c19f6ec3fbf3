import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { Message, Usage } from '../model-call.ts'
import { addSums, noCalls, sumsOfCalls } from './call-sums.ts'
import { messagesOfChat } from './chat-messages.ts'
import { parsedFile } from './parsed-file.ts'
import { RecordedPrompts } from './recorded-prompts.ts'
import {
  replayConfig,
  type SweAgentFile,
  type SweHistoryItem,
  type SweInfo,
  type SweStatistics,
  type SweStats,
  type SweStep,
  sweAgentSchema,
} from './swe-agent-schema.ts'
import {
  type CallSums,
  type SideCall,
  type Summary,
  type Trajectory,
  type TrajectoryTotals,
  type Turn,
  unknownCalls,
} from './trajectory.ts'

/** SWE-agent's file has a list of steps and facts about the whole. */
export const isSweAgent = (data: JsonObject): boolean => Array.isArray(data.trajectory) && isJsonObject(data.info)

/** A `.traj` of SWE-agent or of The Complexity Trap's fork; `id` is the name of the file. */
export function readSweAgent(data: unknown, id: string): Trajectory {
  const file = parsedFile(sweAgentSchema, data)
  const { info } = file
  const summaries = summariesOf(file)
  const { history, turns } = turnsOf(file, summaries)
  const { totals, notes } = totalsOf(file)
  const review = isJsonObject(info.review) ? info.review.accept : undefined
  const isScore = typeof review === 'boolean' || (typeof review === 'number' && Number.isFinite(review))
  return {
    id,
    recorded_by: 'swe-agent',
    agent: { name: 'SWE-agent', version: info.swe_agent_version ?? null, tools: [], ...settingsOf(file) },
    ...{ history, turns, summaries },
    exit_status: info.exit_status ?? null,
    submission: info.submission ?? null,
    review_score: isScore ? Number(review) : null,
    ...{ totals, notes: [...notes, ...notesOf(file)] },
  }
}

interface Turns {
  readonly history: readonly Message[]
  readonly turns: readonly Turn[]
}

/** Steps in order, each with its messages of the history; unusable answers are not in it. */
function turnsOf({ trajectory, history, info }: SweAgentFile, summaries: readonly Summary[]): Turns {
  const items = history == null || history.length === 0 ? itemsOfSteps(trajectory) : history
  const answers = items.flatMap((item, at) => (item.role === 'assistant' && item.is_demo !== true ? [at] : []))
  let next = 0
  const turns = trajectory.map((step, at): Turn => {
    const index = answers[next]
    const item = index === undefined ? undefined : items[index]
    const isIn = item !== undefined && (isAnswerOf(item, step) || answers.length - next === trajectory.length - at)
    if (!isIn || index === undefined) {
      const place = answers[next] ?? items.length
      const isCut = at === trajectory.length - 1 && /^submitted \(/i.test(info.exit_status ?? '')
      return { ...factsOf(step), from: place, to: place, kind: isCut ? 'autosubmit' : 'again' }
    }
    next++
    return { ...factsOf(step), from: index, to: answers[next] ?? items.length, kind: 'turn' }
  })
  const messages = messagesOfChat(items)
  const prompts = new RecordedPrompts({ items, history: messages, summaries })
  return {
    history: messages,
    turns: turns.map((turn, at) => ({ ...turn, prompt: promptOf(at, trajectory, turns, prompts) })),
  }
}

/** The fork stores the next prompt after each step; a repeated question has more than that. */
function promptOf(
  at: number,
  steps: readonly SweStep[],
  turns: readonly Turn[],
  prompts: RecordedPrompts,
): Turn['prompt'] {
  if (turns[at]?.kind === 'autosubmit') return null
  const query = steps[at]?.query
  if (query != null) return prompts.find(query)
  return turns[at - 1]?.kind === 'turn' ? prompts.find(steps[at - 1]?.messages) : null
}

const isAnswerOf = ({ content, action }: SweHistoryItem, step: SweStep): boolean =>
  (typeof content === 'string' && content !== '' && content === step.response) ||
  (typeof action === 'string' && action.trim() !== '' && action.trim() === step.action?.trim())

/** Files whose history was removed still list the actions. */
const itemsOfSteps = (steps: readonly SweStep[]): readonly SweHistoryItem[] =>
  steps.flatMap(({ response, thought, action, observation }) => [
    { role: 'assistant', content: response ?? thought ?? '', action },
    ...(observation == null ? [] : [{ role: 'user', content: observation }]),
  ])

function factsOf({ turn_statistics: statistics, execution_time }: SweStep): Omit<Turn, 'from' | 'to' | 'kind'> {
  return {
    prompt: null,
    usage: usageOf(statistics),
    cost_usd: statistics?.cost ?? null,
    price_usd: null,
    inference_ms: statistics?.inference_time ?? null,
    execution_ms: execution_time == null || !Number.isFinite(execution_time) ? null : execution_time * 1000,
    started_at: null,
  }
}

/** SWE-agent counts reasoning tokens separately from the answer's. */
function usageOf(statistics: SweStatistics | null | undefined): Usage | null {
  const { raw_input, cached_input, output, internal_reasoning } = statistics?.tokens ?? {}
  if (raw_input == null || output == null) return null
  return {
    input_tokens: raw_input + (cached_input ?? 0),
    cached_input_tokens: cached_input ?? 0,
    cache_write_tokens: 0,
    output_tokens: output + (internal_reasoning ?? 0),
    reasoning_tokens: internal_reasoning ?? 0,
  }
}

/**
 * Each summarises the next turns, and earlier ones through the previous summary; the number of turns is in the
 * settings, if anywhere.
 */
function summariesOf(file: SweAgentFile): readonly Summary[] {
  const every = settingsOf(file).strategy?.hp_sum_n
  const turns = typeof every === 'number' ? every : 0
  return (file.summaries ?? []).map(({ summary, statistics }, at) => ({
    ...{ text: summary ?? '', from: 0, to: Math.min(file.trajectory.length, (at + 1) * turns) },
    call: statistics == null ? null : callOf(statistics),
  }))
}

const callOf = (statistics: SweStatistics): SideCall => ({
  model: null,
  usage: usageOf(statistics),
  cost_usd: statistics.cost ?? null,
  price_usd: null,
  inference_ms: statistics.inference_time ?? null,
})

interface Totals {
  readonly totals: TrajectoryTotals
  readonly notes: readonly string[]
}

/** The fields of the best attempt are repeated on top: with several attempts only the attempts themselves are summed. */
function totalsOf(file: SweAgentFile): Totals {
  const attempts = file.attempts ?? []
  const parts = attempts.length === 0 ? [file] : attempts
  const agent = parts.map(part => agentSums(part)).reduce(addSums)
  const summary = parts.map(({ info }) => summarySums(info)).reduce(addSums)
  const rloop = sumsOfStats(file.info.rloop_model_stats) ?? (attempts.length === 0 ? noCalls : unknownCalls)
  const told = attempts.length === 0 ? separated(file, agent) : null
  if (told === null) return { totals: { agent, summary, rloop }, notes: [] }
  const note = `The summariser is the agent's own model; the cost of its ${told.summary.calls} calls is taken from their own statistics.`
  return { totals: { ...told, rloop }, notes: [note] }
}

function agentSums({ info, trajectory }: Pick<SweAgentFile, 'info' | 'trajectory'>): CallSums {
  const sums = sumsOfStats(info.agent_model_stats ?? info.model_stats) ?? unknownCalls
  // SWE-agent never sums reasoning tokens: its totals are 0 whatever its steps contain.
  const thoughts = trajectory.flatMap(({ turn_statistics }) => turn_statistics?.tokens?.internal_reasoning ?? [])
  if (thoughts.length === 0) return sums
  const reasoning = thoughts.reduce((sum, count) => sum + count, 0)
  const counted = sums.reasoning_tokens ?? 0
  if (counted >= reasoning) return sums
  const output = sums.output_tokens === null ? null : sums.output_tokens - counted + reasoning
  return { ...sums, output_tokens: output, reasoning_tokens: reasoning }
}

/** Without separate figures there is no summariser, or it is the agent's model and its calls are among the agent's. */
const summarySums = ({ summary_model_stats }: SweInfo): CallSums => sumsOfStats(summary_model_stats) ?? noCalls

/** Legacy statistics have two numbers of tokens, without cached ones. */
function sumsOfStats(stats: SweStats | null | undefined): CallSums | null {
  if (stats == null) return null
  const { tokens } = stats
  const reasoning = tokens?.internal_reasoning ?? null
  const output = tokens?.output ?? stats.tokens_received ?? null
  return {
    calls: stats.api_calls ?? null,
    cost_usd: stats.instance_cost ?? null,
    price_usd: null,
    raw_input_tokens: tokens?.raw_input ?? stats.tokens_sent ?? null,
    cached_input_tokens: tokens?.cached_input ?? null,
    output_tokens: output === null ? null : output + (reasoning ?? 0),
    reasoning_tokens: reasoning,
  }
}

/** The agent's and the summariser's part if one model was both; null: they are separate already, or inseparable. */
function separated(file: SweAgentFile, agent: CallSums): Pick<TrajectoryTotals, 'agent' | 'summary'> | null {
  if (file.info.summary_model_stats != null) return null
  const calls = (file.summaries ?? []).flatMap(({ statistics }) => (statistics == null ? [] : [callOf(statistics)]))
  if (calls.length === 0) return null
  const summary = sumsOfCalls(calls)
  const less = (whole: number | null, part: number | null): number | null =>
    whole === null || part === null ? null : whole - part
  const rest: CallSums = {
    calls: less(agent.calls, summary.calls),
    cost_usd: less(agent.cost_usd, summary.cost_usd),
    price_usd: null,
    raw_input_tokens: less(agent.raw_input_tokens, summary.raw_input_tokens),
    cached_input_tokens: less(agent.cached_input_tokens, summary.cached_input_tokens),
    output_tokens: less(agent.output_tokens, summary.output_tokens),
    reasoning_tokens: agent.reasoning_tokens,
  }
  const isPossible = Object.values(rest).every(value => value === null || value >= -1e-9)
  return isPossible ? { agent: rest, summary: { ...summary, price_usd: null } } : null
}

function settingsOf({ replay_config: written }: SweAgentFile): Pick<Trajectory['agent'], 'model' | 'strategy'> {
  const { data } = replayConfig.safeParse(typeof written === 'string' ? jsonOf(written) : written)
  const processors = data?.agent.history_processors
  return {
    model: data?.agent.model?.name ?? null,
    strategy: processors == null ? null : strategyOf(processors),
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** SWE-agent's names of settings, and those they have here. */
const settingNames: { readonly [processor: string]: { readonly [theirs: string]: string } } = {
  last_n_observations: { n: 'hp_obs_n', polling: 'hp_obs_polling' },
  summarize_every_n_turns: { n: 'hp_sum_n', keep_last_m_turns: 'hp_sum_keep_m' },
}

/** By the names that the strategies have here. */
function strategyOf(processors: readonly JsonObject[]): JsonObject {
  const types = processors.map(({ type }) => type)
  const masks = types.includes('last_n_observations')
  const summarises = types.includes('summarize_every_n_turns')
  const strategy = summarises ? (masks ? 'hybrid' : 'llm_summary') : masks ? 'observation_masking' : 'raw'
  const settings = processors.flatMap(processor =>
    Object.entries(settingNames[String(processor.type)] ?? {}).flatMap(([theirs, ours]): [string, Json][] => {
      const value = processor[theirs]
      return value === undefined ? [] : [[ours, value]]
    }),
  )
  return { strategy, ...Object.fromEntries(settings) }
}

function notesOf({ attempts, trajectory, info, history }: SweAgentFile): readonly string[] {
  const stats = info.agent_model_stats ?? info.model_stats
  return [
    ...(attempts == null || attempts.length === 0
      ? []
      : [`The turns are those of one of ${attempts.length} attempts; the totals are those of all.`]),
    ...(stats != null && stats.tokens == null && stats.tokens_sent != null
      ? ['The file does not say how many input tokens were cached.']
      : []),
    ...(stats == null ? ['The file does not say what the calls took.'] : []),
    ...(history == null && trajectory.length > 0 ? ['The file has no history: it is made of the steps.'] : []),
  ]
}
