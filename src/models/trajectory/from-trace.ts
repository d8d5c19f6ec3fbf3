import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { ContentPart, Message, Tool, ToolCall, Usage } from '../model-call.ts'
import { readTrace, type TracedSpan } from '../trace/read-trace.ts'
import { noCalls, sumsOfCalls } from './call-sums.ts'
import type { CallSums, PromptPart, Trajectory, Turn } from './trajectory.ts'

/** Facts that the trace of a run lacks. */
export type AboutRun = Pick<Trajectory, 'id' | 'task' | 'exit_status' | 'submission'> & {
  readonly agent: { readonly name: string; readonly model: string | null }
}

/**
 * The work of an agent that called its models through the proxy, from the run's `trace.jsonl`. Its prompts are merged
 * so that every message is stored once; an agent with several conversations has all of them in one history, and each
 * turn says which messages were its prompt. null: no call of an agent was recorded.
 */
export function trajectoryOfTrace(text: string, { agent, ...about }: AboutRun): Trajectory | null {
  const calls = [...agentCalls(text)].sort((a, b) => a.started - b.started)
  const [first] = calls
  if (first === undefined) return null
  const history = new MergedHistory()
  const turns: Turn[] = []
  for (const call of calls) {
    if (call.answer === null) continue
    const prompt = history.take(call.prompt)
    const from = history.add(call.answer)
    turns.push({ ...factsOf(call), prompt, from, to: from + 1, kind: 'turn' })
  }
  const notes = notesOf(calls, turns)
  return {
    ...about,
    recorded_by: 'proxy',
    agent: {
      ...agent,
      version: null,
      tools: calls.findLast(({ tools }) => tools.length > 0)?.tools ?? [],
      strategy: null,
    },
    history: history.messages,
    turns: turns.map(turn => ({ ...turn, to: history.endOfResults(turn.from) })),
    summaries: [],
    review_score: null,
    totals: { agent: totalsOf(calls), summary: noCalls, rloop: noCalls },
    notes,
  }
}

interface TracedAgentCall {
  /** Milliseconds since 1970. */
  readonly started: number
  readonly ended: number
  readonly prompt: readonly Message[]
  /** null: it failed. */
  readonly answer: Message | null
  readonly tools: readonly Tool[]
  readonly tries: number
  readonly usage: Usage | null
  readonly cost_usd: number | null
  readonly price_usd: number | null
  readonly problems: readonly string[]
}

function* agentCalls(text: string): Generator<TracedAgentCall> {
  // Messages that several prompts share are one object in a trace that was read: each is made once.
  const made = new Map<Json, Message>()
  const names = new Map<string, string>()
  const messageFor = (item: Json): Message => {
    const known = made.get(item)
    if (known !== undefined) return known
    const message = messageOf(item, names)
    if (typeof item === 'object') made.set(item, message)
    return message
  }
  for (const line of readTrace(text)) {
    if (!('stored' in line)) continue
    const facts = attributesOf(line.stored)
    if (facts['gen_ai.operation.name'] !== 'chat' || facts['assay.purpose'] !== 'agent') continue
    yield callOf(line, facts, messageFor)
  }
}

function callOf(span: TracedSpan, facts: JsonObject, messageFor: (item: Json) => Message): TracedAgentCall {
  const prompt = span.list('gen_ai.input.messages').map(messageFor)
  const [answer] = span.list('gen_ai.output.messages')
  const hasFailed = isJsonObject(span.stored.status) && span.stored.status.code === 2
  const { cost_usd, price_usd } = costOf(facts)
  return {
    started: milliseconds(span.stored.startTimeUnixNano),
    ended: milliseconds(span.stored.endTimeUnixNano),
    prompt,
    answer: hasFailed ? null : answer === undefined ? { role: 'assistant', content: '' } : messageFor(answer),
    tools: span.list('gen_ai.tool.definitions').flatMap(item => toolOf(item) ?? []),
    tries: numberIn(facts, 'assay.tries') ?? 1,
    usage: usageOf(facts),
    ...{ cost_usd, price_usd, problems: span.problems },
  }
}

/** A cached answer cost nothing now; its price is what it saved. */
function costOf(facts: JsonObject): Pick<TracedAgentCall, 'cost_usd' | 'price_usd'> {
  const cost_usd = numberIn(facts, 'assay.cost_usd')
  return { cost_usd, price_usd: facts['assay.is_cached'] === true ? numberIn(facts, 'assay.saved_usd') : cost_usd }
}

function usageOf(facts: JsonObject): Usage | null {
  const input = numberIn(facts, 'gen_ai.usage.input_tokens')
  const output = numberIn(facts, 'gen_ai.usage.output_tokens')
  if (input === null || output === null) return null
  return {
    input_tokens: input,
    cached_input_tokens: numberIn(facts, 'gen_ai.usage.cache_read.input_tokens') ?? 0,
    cache_write_tokens: numberIn(facts, 'gen_ai.usage.cache_write.input_tokens') ?? 0,
    output_tokens: output,
    reasoning_tokens: numberIn(facts, 'gen_ai.usage.reasoning.output_tokens') ?? 0,
  }
}

const factsOf = ({ started, ended, usage, cost_usd, price_usd }: TracedAgentCall) => ({
  ...{ usage, cost_usd, price_usd, inference_ms: ended - started, execution_ms: null },
  started_at: new Date(started).toISOString(),
})

/** A call that failed before it reached a provider took nothing. */
function totalsOf(calls: readonly TracedAgentCall[]): CallSums {
  const counted = calls.filter(({ tries, answer }) => tries > 0 || answer !== null)
  return { ...sumsOfCalls(counted), calls: counted.reduce((sum, { tries }) => sum + Math.max(1, tries), 0) }
}

function notesOf(calls: readonly TracedAgentCall[], turns: readonly Turn[]): readonly string[] {
  const failed = calls.length - turns.length
  const incomplete = calls.filter(({ problems }) => problems.length > 0).length
  const hasNoWords = calls.every(({ prompt }) => prompt.length === 0)
  return [
    ...(failed > 0 ? [`${failed} calls failed and are no turns; their cost is in the totals.`] : []),
    ...(incomplete > 0 ? [`${incomplete} calls refer to messages that are not in the trace.`] : []),
    ...(hasNoWords ? ['The trace was written without prompts and answers.'] : []),
  ]
}

function attributesOf({ attributes }: JsonObject): JsonObject {
  if (!Array.isArray(attributes)) return {}
  return Object.fromEntries(
    attributes.flatMap((one: Json): [string, Json][] => {
      if (!isJsonObject(one) || typeof one.key !== 'string' || !isJsonObject(one.value)) return []
      const { stringValue, intValue, doubleValue, boolValue } = one.value
      const value = stringValue ?? doubleValue ?? boolValue ?? (intValue === undefined ? null : Number(intValue))
      return [[one.key, value]]
    }),
  )
}

function numberIn(facts: JsonObject, name: string): number | null {
  const value = facts[name]
  return typeof value === 'number' ? value : null
}

const milliseconds = (nanoseconds: Json | undefined): number => Number(nanoseconds ?? 0) / 1e6

function toolOf(item: Json): Tool | null {
  if (!isJsonObject(item) || typeof item.name !== 'string') return null
  const { name, description, parameters } = item
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: isJsonObject(parameters) ? parameters : {},
  }
}

/** A message of OpenTelemetry's conventions. */
function messageOf(item: Json, names: Map<string, string>): Message {
  const { role, parts: written } = isJsonObject(item) ? item : {}
  const parts = (Array.isArray(written) ? written : []).filter(isJsonObject)
  const words = parts.flatMap(part => (part.type === 'text' ? [String(part.content ?? '')] : [])).join('')
  if (role === 'system') return { role: 'system', content: words }
  if (role === 'assistant') {
    const calls = parts.flatMap(part => (part.type === 'tool_call' ? [toolCallOf(part)] : []))
    for (const { id, name } of calls) names.set(id, name)
    const thoughts = parts.flatMap(part => (part.type === 'reasoning' ? [{ text: String(part.content ?? '') }] : []))
    return {
      ...{ role: 'assistant', content: words },
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(thoughts.length > 0 && { reasoning: thoughts }),
    }
  }
  const [first] = parts
  if (role === 'tool' && first?.type === 'tool_call_response') {
    const id = String(first.id ?? '')
    const { response, is_error } = first
    const content = Array.isArray(response) ? response.filter(isJsonObject).map(partOf) : String(response ?? '')
    return {
      ...{ role: 'tool', tool_call_id: id, name: names.get(id) ?? '', content },
      ...(is_error === true && { is_error: true }),
    }
  }
  const isPlain = parts.every(({ type }) => type === 'text')
  return { role: 'user', content: isPlain ? words : parts.map(partOf) }
}

const toolCallOf = ({ id, name, arguments: given }: JsonObject): ToolCall => ({
  id: String(id ?? ''),
  name: String(name ?? ''),
  arguments: isJsonObject(given) ? given : {},
})

function partOf({ type, content, mime_type, name, uri, modality }: JsonObject): ContentPart {
  if (type !== 'uri' && type !== 'blob') return { type: 'text', text: String(content ?? '') }
  const about = {
    type: modality === 'image' ? ('image' as const) : ('file' as const),
    media_type: String(mime_type ?? ''),
    ...(typeof name === 'string' && { name }),
  }
  return type === 'uri' ? { ...about, url: String(uri ?? '') } : { ...about, data: String(content ?? '') }
}

/** A history assembled from prompts: each repeats the previous ones, and only new messages are added. */
export class MergedHistory {
  readonly #messages: Message[] = []
  /** The positions of each message, by its text, ascending. */
  readonly #places = new Map<string, number[]>()
  /** An agent sends the same objects again and again: their texts are made once. */
  readonly #keys = new WeakMap<Message, string>()

  get messages(): readonly Message[] {
    return this.#messages
  }

  /** The parts of the history that make up a prompt; missing messages are added. */
  take(prompt: readonly Message[]): readonly PromptPart[] {
    const parts: { from: number; to: number }[] = []
    const used = new Set<number>()
    let before = -1
    for (const message of prompt) {
      const at = this.#placeOf(message, before, used) ?? this.add(message)
      used.add(at)
      const last = parts.at(-1)
      if (last?.to === at) last.to++
      else parts.push({ from: at, to: at + 1 })
      before = at
    }
    return parts
  }

  add(message: Message): number {
    const key = this.#keyOf(message)
    const at = this.#messages.push(message) - 1
    const places = this.#places.get(key)
    if (places === undefined) this.#places.set(key, [at])
    else places.push(at)
    return at
  }

  /** The end of the results that follow an answer. */
  endOfResults(at: number): number {
    const answer = this.#messages[at]
    const ids = answer?.role === 'assistant' ? (answer.tool_calls ?? []).map(({ id }) => id) : []
    let end = at + 1
    for (let next = this.#messages[end]; next?.role === 'tool' && ids.includes(next.tool_call_id); )
      next = this.#messages[++end]
    return end
  }

  /** The next position of the same message; an earlier one if an agent has put a new message before old ones. */
  #placeOf(message: Message, before: number, used: ReadonlySet<number>): number | undefined {
    const places = this.#places.get(this.#keyOf(message)) ?? []
    // Nearly always it is the very next one.
    if (places.at(-1) === before + 1 && !used.has(before + 1)) return before + 1
    return places.find(at => at > before && !used.has(at)) ?? places.find(at => !used.has(at))
  }

  /** Thoughts come with an answer, but not every agent sends them back. */
  #keyOf(message: Message): string {
    const known = this.#keys.get(message)
    if (known !== undefined) return known
    const { cache: _cache, ...said } = message
    const { reasoning: _reasoning, ...key } = said.role === 'assistant' ? said : { ...said, reasoning: undefined }
    const text = JSON.stringify(key)
    this.#keys.set(message, text)
    return text
  }
}
