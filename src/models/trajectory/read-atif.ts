import { isJsonObject, type JsonObject } from '../../util/json.ts'
import type { Message, Tool, Usage } from '../model-call.ts'
import { messagesOfStep } from './atif-messages.ts'
import { type Atif, type AtifStep, atifSchema, rootExtra, stepExtra } from './atif-schema.ts'
import { addSums, noCalls, sumsOfCalls } from './call-sums.ts'
import { parsedFile } from './parsed-file.ts'
import type { CallSums, Trajectory, Turn } from './trajectory.ts'

/** Any `ATIF-v1.x`; a file that assay wrote is restored exactly. Throws if a rule of the format is broken. */
export function readAtif(data: unknown): Trajectory {
  return trajectoryOf(parsedFile(atifSchema, data))
}

function trajectoryOf(atif: Atif): Trajectory {
  const own = atif.extra?.assay
  return own === undefined ? foreign(atif) : written(atif, parsedFile(rootExtra, own, 'extra.assay'))
}

/** A file of assay's own. */
function written(atif: Atif, { agent, ...facts }: ReturnType<typeof rootExtra.parse>): Trajectory {
  const history: Message[] = []
  const turns: Turn[] = []
  for (const step of atif.steps) {
    const { turn, is_blank } = ownFacts(step)
    if (is_blank !== true) history.push(...messagesOfStep(step))
    if (turn === undefined) continue
    const { cache_write_tokens, cache_write_1h_tokens, reasoning_tokens, started_at, ...rest } = turn
    const usage = usageOf(step, { cache_write_tokens, cache_write_1h_tokens, reasoning_tokens })
    turns.push({
      ...rest,
      usage,
      cost_usd: step.metrics?.cost_usd ?? null,
      started_at: started_at ?? step.timestamp ?? null,
    })
  }
  const subagents = (atif.subagent_trajectories ?? []).map(trajectoryOf)
  return {
    ...facts,
    agent: { ...agentOf(atif), ...agent },
    ...{ history, turns },
    ...(subagents.length > 0 && { subagents }),
  }
}

const ownFacts = (step: AtifStep): ReturnType<typeof stepExtra.parse> =>
  step.extra?.assay === undefined
    ? {}
    : parsedFile(stepExtra, step.extra.assay, `steps.${step.step_id - 1}.extra.assay`)

function agentOf({ agent }: Atif): Pick<Trajectory['agent'], 'name' | 'model' | 'tools'> {
  const tools = (agent.tool_definitions ?? []).flatMap(definition => toolOf(definition) ?? [])
  return { name: agent.name, model: agent.model_name ?? null, tools }
}

/** In OpenAI's form of a function; in other forms the fields are at the top. */
function toolOf(definition: JsonObject): Tool | null {
  const { name, description, parameters, input_schema } = isJsonObject(definition.function)
    ? definition.function
    : definition
  const schema = parameters ?? input_schema ?? {}
  if (typeof name !== 'string' || !isJsonObject(schema)) return null
  return { name, description: typeof description === 'string' ? description : '', parameters: schema }
}

function foreign(atif: Atif): Trajectory {
  const history: Message[] = []
  const turns: Turn[] = []
  let calls = 0
  for (const step of atif.steps) {
    const from = history.length
    history.push(...messagesOfStep(step))
    if (!isTurn(step)) continue
    calls += step.llm_call_count ?? 1
    turns.push({
      prompt: null,
      ...{ from, to: history.length, kind: 'turn' },
      ...{ usage: usageOf(step, {}), cost_usd: step.metrics?.cost_usd ?? null, price_usd: null },
      ...{ inference_ms: null, execution_ms: null, started_at: step.timestamp ?? null },
    })
  }
  const subagents = (atif.subagent_trajectories ?? []).map(trajectoryOf)
  return {
    id: atif.session_id ?? atif.trajectory_id ?? '',
    recorded_by: 'atif',
    agent: { ...agentOf(atif), version: versionOf(atif), strategy: null },
    ...{ history, turns, summaries: [] },
    ...{ exit_status: null, submission: null, review_score: null },
    // ATIF does not distinguish purposes: all calls count as the agent's.
    totals: { agent: totalsOf(atif, { turns, calls, subagents }), summary: noCalls, rloop: noCalls },
    notes: notesOf(atif, subagents),
    ...(subagents.length > 0 && { subagents }),
  }
}

const versionOf = ({ agent: { version } }: Atif): string | null =>
  version === undefined || version === 'unknown' ? null : version

/** A step copied from an earlier trajectory was paid there; one without a model call is not a turn. */
const isTurn = ({ source, is_copied_context, llm_call_count }: AtifStep): boolean =>
  source === 'agent' && is_copied_context !== true && llm_call_count !== 0

type FurtherUsage = Partial<Pick<Usage, 'cache_write_tokens' | 'cache_write_1h_tokens' | 'reasoning_tokens'>>

/** null if the step does not give its input and output tokens. */
function usageOf(
  { metrics }: AtifStep,
  further: { readonly [key in keyof FurtherUsage]: number | undefined },
): Usage | null {
  const { prompt_tokens, completion_tokens, cached_tokens, extra } = metrics ?? {}
  if (prompt_tokens == null || completion_tokens == null) return null
  const { cache_write_tokens, cache_write_1h_tokens, reasoning_tokens } = further
  return {
    input_tokens: prompt_tokens,
    cached_input_tokens: cached_tokens ?? 0,
    cache_write_tokens: cache_write_tokens ?? countIn(extra, 'cache_creation_input_tokens') ?? 0,
    ...(cache_write_1h_tokens !== undefined && { cache_write_1h_tokens }),
    output_tokens: completion_tokens,
    reasoning_tokens: reasoning_tokens ?? countIn(extra, 'reasoning_tokens') ?? 0,
  }
}

function countIn(extra: { readonly [key: string]: unknown } | null | undefined, key: string): number | null {
  const value = extra?.[key]
  return typeof value === 'number' ? value : null
}

/** Harbor's total cost includes that of subagents; its tokens are only those of the steps. */
function totalsOf(
  { steps, final_metrics: final }: Atif,
  {
    turns,
    calls,
    subagents,
  }: { readonly turns: readonly Turn[]; readonly calls: number; readonly subagents: readonly Trajectory[] },
): CallSums {
  const summed = sumsOfCalls(turns)
  const saysCached = final?.total_cached_tokens != null || steps.some(({ metrics }) => metrics?.cached_tokens != null)
  const saysReasoning = steps.some(({ metrics }) => countIn(metrics?.extra, 'reasoning_tokens') !== null)
  const cached = final?.total_cached_tokens ?? (saysCached ? summed.cached_input_tokens : null)
  const prompt = final?.total_prompt_tokens ?? inputOf(summed)
  const own: CallSums = {
    calls,
    cost_usd: summed.cost_usd,
    price_usd: null,
    raw_input_tokens: prompt === null ? null : prompt - (cached ?? 0),
    cached_input_tokens: cached,
    output_tokens: final?.total_completion_tokens ?? summed.output_tokens,
    reasoning_tokens: saysReasoning ? summed.reasoning_tokens : null,
  }
  const all = subagents.reduce((sums, one) => addSums(sums, one.totals.agent), own)
  return final?.total_cost_usd == null ? all : { ...all, cost_usd: final.total_cost_usd }
}

const inputOf = ({ raw_input_tokens: raw, cached_input_tokens: cached }: CallSums): number | null =>
  raw === null || cached === null ? null : raw + cached

function notesOf(atif: Atif, subagents: readonly Trajectory[]): readonly string[] {
  const unknown = unknownFields(atif)
  const says = atif.steps.some(({ metrics }) => metrics?.prompt_tokens != null)
  const saysCached =
    atif.final_metrics?.total_cached_tokens != null || atif.steps.some(({ metrics }) => metrics?.cached_tokens != null)
  return [
    ...(atif.notes == null || atif.notes === '' ? [] : [atif.notes]),
    ...(unknown.length === 0 ? [] : [`Fields that are not part of a trajectory here: ${unknown.join(', ')}.`]),
    ...(atif.continued_trajectory_ref == null ? [] : [`It is continued in ${atif.continued_trajectory_ref}.`]),
    ...(subagents.length === 0 ? [] : [`The tokens of ${subagents.length} subagents are in the totals.`]),
    ...(says && !saysCached ? ['The file does not say how many input tokens were cached.'] : []),
  ]
}

/** Known to ATIF, but a trajectory here has no place for them. */
const leftOut = ['reasoning_effort', 'prompt_token_ids', 'completion_token_ids', 'logprobs', 'subagent_trajectory_ref']

/** Fields of a file that a trajectory does not use, each once, in order. */
export function unknownFields(atif: Atif): readonly string[] {
  const found = new Set<string>()
  const note = (object: object | null | undefined, known: ReadonlySet<string>, below: string): void => {
    if (object == null) return
    for (const [key, value] of Object.entries(object))
      if (value !== null && value !== undefined && !known.has(key)) found.add(`${below}${key}`)
  }
  knownFields ??= fieldsOfSchema()
  const known = knownFields
  note(atif, known.root, '')
  note(atif.agent, known.agent, 'agent.')
  for (const step of atif.steps) {
    note(step, known.step, 'steps[].')
    note(step.metrics, known.metrics, 'steps[].metrics.')
    for (const result of step.observation?.results ?? []) note(result, known.result, 'steps[].observation.results[].')
  }
  return [...found]
}

let knownFields: ReturnType<typeof fieldsOfSchema> | undefined

function fieldsOfSchema() {
  const { shape: root } = atifSchema
  const { shape: step } = root.steps.element.unwrap()
  return {
    root: keysOf(root),
    agent: keysOf(root.agent.shape),
    step: keysOf(step),
    metrics: keysOf(step.metrics.unwrap().unwrap().unwrap().shape),
    result: keysOf(step.observation.unwrap().unwrap().shape.results.element.unwrap().shape),
  }
}

const keysOf = (shape: object): ReadonlySet<string> => new Set(Object.keys(shape).filter(key => !leftOut.includes(key)))
