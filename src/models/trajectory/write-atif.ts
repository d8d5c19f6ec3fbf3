import type { Content, ContentPart, Message, ToolCall, Usage } from '../model-call.ts'
import { imageTypes } from './atif-schema.ts'
import { type AboutRun, trajectoryOfTrace } from './from-trace.ts'
import { isIsoTime } from './iso-time.ts'
import type { CallSums, Trajectory, Turn } from './trajectory.ts'

/**
 * A trajectory as ATIF v1.7, one step per line. The facts that ATIF has no field for are in `extra.assay`; `readAtif` gives
 * the same trajectory back. The history is written once, so the file grows with the turns and not with their square.
 */
export function writeAtif(trajectory: Trajectory): string {
  const { steps, ...head } = documentOf(trajectory)
  const lines = steps.map(step => JSON.stringify(step))
  return `${JSON.stringify(head).slice(0, -1)},"steps":[\n${lines.join(',\n')}\n]}\n`
}

interface Document {
  readonly steps: readonly object[]
  readonly [field: string]: unknown
}

function documentOf(trajectory: Trajectory, trajectoryId = trajectory.id): Document {
  const { id, agent, totals, notes, summaries, subagents = [] } = trajectory
  const { task, recorded_by, exit_status, submission, review_score } = trajectory
  const steps = Array.from(stepsOf(trajectory), (step, at) => ({ step_id: at + 1, ...step }))
  return {
    ...{ schema_version: 'ATIF-v1.7', session_id: id, trajectory_id: trajectoryId },
    agent: {
      name: agent.name,
      version: agent.version ?? 'unknown',
      ...(agent.model !== null && { model_name: agent.model }),
      ...(agent.tools.length > 0 && {
        tool_definitions: agent.tools.map(tool => ({ type: 'function', function: tool })),
      }),
    },
    ...(notes.length > 0 && { notes: notes.join('\n') }),
    final_metrics: finalMetrics(totals, steps.length),
    ...(subagents.length > 0 && {
      subagent_trajectories: subagents.map((one, at) => documentOf(one, `${trajectoryId}/${at + 1}`)),
    }),
    extra: {
      assay: {
        ...{ id, task, recorded_by, exit_status, submission, review_score, totals, summaries, notes },
        agent: { version: agent.version, strategy: agent.strategy },
      },
    },
    steps,
  }
}

/** For all purposes together, as far as they are known. */
function finalMetrics({ agent, summary, rloop }: Trajectory['totals'], total_steps: number): object {
  const all = [agent, summary, rloop]
  const sum = (pick: (sums: CallSums) => number | null): number | undefined =>
    pick(agent) === null ? undefined : all.reduce((before, sums) => before + (pick(sums) ?? 0), 0)
  return {
    total_prompt_tokens: sum(({ raw_input_tokens: raw, cached_input_tokens: cached }) =>
      raw === null ? null : raw + (cached ?? 0),
    ),
    total_completion_tokens: sum(sums => sums.output_tokens),
    total_cached_tokens: sum(sums => sums.cached_input_tokens),
    total_cost_usd: sum(sums => sums.cost_usd),
    total_steps,
  }
}

/** A step to be written, without its number. */
interface Step {
  readonly source: 'system' | 'user' | 'agent'
  readonly message: string | readonly object[]
  readonly timestamp?: string
  readonly reasoning_content?: string
  readonly tool_calls?: readonly object[]
  readonly observation?: { readonly results: readonly object[] }
  readonly metrics?: object
  readonly extra?: { readonly assay: object }
}

function* stepsOf({ history, turns }: Trajectory): Generator<Step> {
  let at = 0
  for (const turn of turns) {
    const isNext = turn.from >= at && turn.to >= turn.from && turn.to <= history.length
    if (isNext) {
      yield* stepsOfMessages(history.slice(at, turn.from))
      at = turn.to
    }
    yield* stepsOfTurn(turn, isNext ? history.slice(turn.from, turn.to) : [])
  }
  yield* stepsOfMessages(history.slice(at))
}

function* stepsOfTurn(turn: Turn, messages: readonly Message[]): Generator<Step> {
  const [first, ...rest] = stepsOfMessages(messages)
  if (first?.source === 'agent') {
    yield withTurn(first, turn)
    yield* rest
    return
  }
  yield withTurn({ source: 'agent', message: '', extra: { assay: { is_blank: true } } }, turn)
  yield* [first ?? [], rest].flat()
}

function withTurn(step: Step, turn: Turn): Step {
  const { from, to, kind, prompt, price_usd, inference_ms, execution_ms, started_at, usage, cost_usd } = turn
  const isTime = started_at !== null && isIsoTime(started_at)
  const facts = {
    ...{ from, to, kind, prompt, price_usd, inference_ms, execution_ms, ...furtherUsage(usage) },
    ...(started_at !== null && !isTime && { started_at }),
  }
  const metrics = metricsOf(usage, cost_usd)
  return {
    ...(isTime && { timestamp: started_at }),
    ...step,
    ...(Object.keys(metrics).length > 0 && { metrics }),
    extra: { assay: { ...step.extra?.assay, turn: facts } },
  }
}

const metricsOf = (usage: Usage | null, cost_usd: number | null): object => ({
  ...(usage !== null && {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    cached_tokens: usage.cached_input_tokens,
  }),
  ...(cost_usd !== null && { cost_usd }),
})

const furtherUsage = (usage: Usage | null): object =>
  usage === null
    ? {}
    : {
        reasoning_tokens: usage.reasoning_tokens,
        cache_write_tokens: usage.cache_write_tokens,
        cache_write_1h_tokens: usage.cache_write_1h_tokens,
      }

/** Results of tools are in the step of their call. */
function* stepsOfMessages(messages: readonly Message[]): Generator<Step> {
  for (let at = 0; at < messages.length; ) {
    const message = messages[at++]
    if (message === undefined) return
    if (message.role !== 'assistant') {
      yield plainStep(message)
      continue
    }
    const results: ToolMessage[] = []
    for (let next = messages[at]; next?.role === 'tool' && isCalled(next, message); next = messages[++at])
      results.push(next)
    yield agentStep(message, results)
  }
}

type AssistantMessage = Extract<Message, { role: 'assistant' }>
type ToolMessage = Extract<Message, { role: 'tool' }>

const isCalled = ({ tool_call_id }: ToolMessage, { tool_calls = [] }: AssistantMessage): boolean =>
  tool_calls.some(({ id }) => id === tool_call_id)

function plainStep(message: Exclude<Message, AssistantMessage>): Step {
  if (message.role === 'tool') {
    const { tool_call_id, name } = message
    const result = resultOf(message, { tool_call_id, name })
    return { source: 'system', message: '', observation: { results: [result] } }
  }
  const { written, parts } = contentOf(message.content)
  const extra = { ...(parts.length > 0 && { parts }), cache: message.cache }
  return { source: message.role, message: written, ...extraOf(extra) }
}

function agentStep(message: AssistantMessage, results: readonly ToolMessage[]): Step {
  const { content, reasoning, tool_calls, cache } = message
  const isPlain = reasoning === undefined || (reasoning.length === 1 && reasoning[0]?.provider_data === undefined)
  const lengths = reasoning?.map(({ text, provider_data }) => ({ length: text.length, provider_data }))
  return {
    source: 'agent',
    message: content,
    ...(reasoning !== undefined && { reasoning_content: reasoning.map(({ text }) => text).join('') }),
    ...(tool_calls !== undefined && { tool_calls: tool_calls.map(callOf) }),
    ...(results.length > 0 && {
      observation: {
        results: results.map(result => ({
          source_call_id: result.tool_call_id,
          ...resultOf(result, nameUnlessCalled(result, tool_calls ?? [])),
        })),
      },
    }),
    ...extraOf({ ...(!isPlain && { reasoning: lengths }), cache }),
  }
}

const callOf = ({ id, name, arguments: given, provider_data }: ToolCall): object => ({
  tool_call_id: id,
  function_name: name,
  arguments: given,
  ...extraOf({ provider_data }),
})

function nameUnlessCalled({ tool_call_id, name }: ToolMessage, calls: readonly ToolCall[]): { readonly name?: string } {
  return calls.find(({ id }) => id === tool_call_id)?.name === name ? {} : { name }
}

function resultOf({ content, is_error, cache }: ToolMessage, more: object): object {
  const { written, parts } = contentOf(content)
  return { content: written, ...extraOf({ ...more, ...(parts.length > 0 && { parts }), is_error, cache }) }
}

function extraOf(facts: object): { readonly extra?: { readonly assay: object } } {
  const given = Object.entries(facts).filter(([, value]) => value !== undefined)
  return given.length === 0 ? {} : { extra: { assay: Object.fromEntries(given) } }
}

interface WrittenContent {
  readonly written: string | readonly object[]
  readonly parts: readonly (readonly [number, ContentPart])[]
}

function contentOf(content: Content): WrittenContent {
  if (typeof content === 'string') return { written: content, parts: [] }
  const parts: [number, ContentPart][] = []
  const written = content.map((part, at) => {
    if (part.type === 'text') return part
    const path = imagePath(part)
    if (path !== null) return { type: 'image', source: { media_type: part.media_type, path } }
    parts.push([at, part])
    return { type: 'text', text: `[${part.name ?? part.type}, ${part.media_type}]` }
  })
  return { written, parts }
}

/** null: ATIF has no place for such a part. */
function imagePath(part: Exclude<ContentPart, { type: 'text' }>): string | null {
  const isKnown = imageTypes.some(type => type === part.media_type)
  if (part.type !== 'image' || part.name !== undefined || !isKnown) return null
  if ('data' in part) return `data:${part.media_type};base64,${part.data}`
  return part.url.startsWith('data:') ? null : part.url
}

/** The same for a run's trace, for an agent that called its models through the proxy; null: it made no calls. */
export function atifOfTrace(trace: string, about: AboutRun): string | null {
  const trajectory = trajectoryOfTrace(trace, about)
  return trajectory === null ? null : writeAtif(trajectory)
}
