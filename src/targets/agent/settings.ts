import * as z from 'zod'
import { reasoningEfforts } from '../../define/models/model-settings.ts'
import { text, usd, wholeNumberAbove0, wholeNumberFrom0 } from '../../define/schema/parts.ts'
import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { parseDuration } from '../../util/time.ts'
import type { AgentLimits } from './loop/limits.ts'
import { reviewerSchema } from './review/reviewer-schema.ts'

/** As it is written: target and parameters are stored, and read again. */
const seconds = z.lazy(() =>
  z.union([z.string(), z.number()]).refine(written => parseDuration(written) !== null, {
    error: 'expected a duration such as 30m, 90s or 90 (seconds)',
  }),
)

/** Settings of the built-in agent. A parameter or factor of the same name takes precedence. */
export const agentSettings = {
  strategy: text
    .optional()
    .describe('How the agent manages its context: raw, observation_masking, llm_summary or hybrid.'),
  summarizer_model: text
    .optional()
    .describe('The model that writes summaries. same (default): the model of the agent.'),
  call_limit: wholeNumberFrom0
    .optional()
    .describe('Calls of models that the agent may make, summaries included. Default 250; 0: no limit.'),
  cost_limit: usd
    .optional()
    .describe('What its calls may be worth at list price, in USD, failed tries included. Default 0: no limit.'),
  turn_limit: wholeNumberFrom0.optional().describe('Turns that it may take. Default 0: no limit.'),
  time_limit: seconds
    .optional()
    .describe('How long answers and commands may take together. Default 0: as long as the task allows.'),
  context_limit: wholeNumberFrom0
    .optional()
    .describe("Tokens that a prompt may have. Default 0: as many as the model's context allows."),
  command_timeout: seconds.optional().describe('How long one command may take. Default 30 s.'),
  execution_limit: seconds.optional().describe('How long all commands may take together. Default 30 min; 0: no limit.'),
  output_limit: wholeNumberAbove0
    .optional()
    .describe("Characters that the model sees of a command's output: its beginning and its end. Default 20000."),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().gt(0).max(1).optional(),
  max_output_tokens: wholeNumberAbove0.optional().describe('The most that one answer may have.'),
  reasoning: z.enum(reasoningEfforts).optional().describe('How much a thinking model thinks.'),
  system_template: text.optional().describe('The system prompt, with the placeholders {workdir} and {tools}.'),
  instance_template: text
    .optional()
    .describe('What the agent is told at the start, with the placeholders {instruction} and {workdir}.'),
  reviewer: reviewerSchema.optional(),
} as const

export const agentSettingsSchema = z.lazy(() => z.strictObject(agentSettings))

export type AgentSettings = z.output<typeof agentSettingsSchema>

/** The settings of a run's agent: its parameters take precedence over the target. */
export function settingsOf(written: AgentSettings, params: JsonObject): AgentSettings {
  const own = Object.entries(namedSettings(written, params)).filter(([name]) => isSetting(name))
  const { data, error } = agentSettingsSchema.safeParse(Object.fromEntries(own))
  if (data !== undefined) return data
  const [issue] = error.issues
  throw new AssayError('config', `${issue?.path.join('.') ?? 'the agent'}: ${issue?.message ?? 'is not understood'}`)
}

/** The target's settings and the run's parameters, by the names of settings; sweeps write `-` for `_`. */
export const namedSettings = (written: AgentSettings, params: JsonObject): JsonObject => ({
  ...plain(written),
  ...Object.fromEntries(Object.entries(params).map(([name, value]) => [name.replaceAll('-', '_'), value])),
})

const isSetting = (name: string): name is keyof AgentSettings => Object.hasOwn(agentSettings, name)

function plain(value: object): JsonObject {
  const data: Json = JSON.parse(JSON.stringify(value))
  return isJsonObject(data) ? data : {}
}

export function limitsOf(settings: AgentSettings): AgentLimits {
  const ms = (written: string | number | undefined, usual: number): number =>
    written === undefined ? usual : (parseDuration(written) ?? usual)
  return {
    calls: settings.call_limit ?? 250,
    costUsd: settings.cost_limit ?? 0,
    turns: settings.turn_limit ?? 0,
    timeMs: ms(settings.time_limit, 0),
    contextTokens: settings.context_limit ?? 0,
    commandMs: ms(settings.command_timeout, 30_000),
    executionMs: ms(settings.execution_limit, 1_800_000),
    commandTimeouts: 3,
    formatErrors: 3,
  }
}
