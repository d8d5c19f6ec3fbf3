import * as z from 'zod'
import { isJsonObject, type JsonObject } from '../../util/json.ts'

/** SWE-agent's `.traj`: 0.x, 1.x, and The Complexity Trap's fork. */
const anyObject = z.custom<JsonObject>(isJsonObject, { error: 'expected an object' })
const text = z.string().nullish()
const amount = z.number().nullish()

const tokens = z.lazy(() =>
  z.looseObject({
    raw_input: amount,
    cached_input: amount,
    output: amount,
    internal_reasoning: amount,
  }),
)

const stats = z.lazy(() =>
  z.looseObject({
    instance_cost: amount,
    api_calls: amount,
    tokens: tokens.nullish(),
    tokens_sent: amount,
    tokens_received: amount,
  }),
)
export type SweStats = z.infer<typeof stats>

const statistics = z.lazy(() =>
  z.looseObject({
    cost: amount,
    tokens: tokens.nullish(),
    inference_time: amount,
  }),
)
export type SweStatistics = z.infer<typeof statistics>

const step = z.lazy(() =>
  z.looseObject({
    action: text,
    observation: text,
    response: text,
    thought: text,
    execution_time: amount,
    turn_statistics: statistics.nullish(),
    /** The prompt of this step; the fork stores that of the next one instead, as `messages`. See RecordedPrompts. */
    query: z.unknown().optional(),
    messages: z.unknown().optional(),
  }),
)
export type SweStep = z.infer<typeof step>

/** Calls of tools as OpenAI writes them; arguments are JSON as text, or an object. */
const toolCall = z.lazy(() =>
  z.looseObject({
    id: text,
    function: z.looseObject({ name: z.string(), arguments: z.unknown() }),
  }),
)
export type SweToolCall = z.infer<typeof toolCall>

const contentPart = z.lazy(() =>
  z.union([
    z.looseObject({ type: z.literal('text'), text: z.string() }),
    z.looseObject({
      type: z.literal('image_url'),
      image_url: z.union([z.string(), z.looseObject({ url: z.string() })]),
    }),
  ]),
)

/** A message as SWE-agent and mini-swe-agent keep it. */
export const chatMessage = z.lazy(() =>
  z.looseObject({
    role: z.string(),
    content: z.union([z.string(), z.array(contentPart)]).nullish(),
    tool_calls: z.array(toolCall).nullish(),
    tool_call_id: text,
    tool_call_ids: z.array(z.string()).nullish(),
  }),
)
export type ChatMessage = z.infer<typeof chatMessage>

const historyItem = z.lazy(() =>
  chatMessage.unwrap().extend({ action: text, is_demo: z.boolean().nullish(), message_type: text }),
)
export type SweHistoryItem = z.infer<typeof historyItem>

const info = z.lazy(() =>
  z.looseObject({
    exit_status: text,
    submission: text,
    agent_model_stats: stats.nullish(),
    model_stats: stats.nullish(),
    summary_model_stats: stats.nullish(),
    rloop_model_stats: stats.nullish(),
    review: z.unknown().optional(),
    best_attempt_idx: amount,
    swe_agent_version: text,
  }),
)
export type SweInfo = z.infer<typeof info>

const attempt = z.lazy(() =>
  z.looseObject({
    trajectory: z.array(step),
    history: z.array(historyItem).nullish(),
    info,
  }),
)

export const sweAgentSchema = z.lazy(() =>
  attempt.unwrap().extend({
    summaries: z.array(z.looseObject({ summary: text, statistics: statistics.nullish() })).nullish(),
    attempts: z.array(attempt).nullish(),
    /** JSON as text, or an object. */
    replay_config: z.unknown().optional(),
    environment: z.unknown().optional(),
  }),
)
export type SweAgentFile = z.infer<typeof sweAgentSchema>

/** The parts of the replay configuration that are read. */
export const replayConfig = z.lazy(() =>
  z.looseObject({
    agent: z.looseObject({
      model: z.looseObject({ name: z.string() }).nullish(),
      history_processors: z.array(anyObject).nullish(),
    }),
  }),
)
