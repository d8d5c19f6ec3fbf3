import * as z from 'zod'
import {
  type CallSettings,
  type ModelSetting,
  type ModelSettings,
  modelApis,
  type PriceSetting,
  type PriceTier,
  reasoningEfforts,
  type SimFailures,
  type SimLatency,
  type SimRule,
  type SimTokens,
  simFaults,
} from '../models/model-settings.ts'
import { anything, map, number, object, text, texts, yesOrNo } from './fields.ts'

const tier = object<PriceTier>({
  above: number,
  input: number,
  output: number,
  cached_input: number.optional(),
  cache_write: number.optional(),
})

const price: z.ZodType<PriceSetting> = z.union([z.literal('free'), z.array(tier)])

const tokens = object<SimTokens>({
  input: number.optional(),
  output: number.optional(),
  reasoning: number.optional(),
  cached: number.optional(),
  spread: number.optional(),
})

const failures = z.strictObject({
  ...Object.fromEntries(simFaults.map(fault => [fault, number.optional()])),
  retry_after_ms: number.nullable().optional(),
}) as unknown as z.ZodType<SimFailures>

const rule = object<SimRule>({
  contains: texts.optional(),
  matches: text.optional(),
  in: z.enum(['last', 'user', 'system', 'any']).optional(),
  turn: number.optional(),
  purpose: text.optional(),
  chance: number.optional(),
  answer: text.optional(),
  one_of: texts.optional(),
  json: anything.optional(),
  tool: z.strictObject({ name: text, arguments: map }).optional(),
  fail: z.enum(simFaults).optional(),
  tokens: tokens.optional(),
})

const setting = object<ModelSetting>({
  like: text.optional(),
  provider: text.optional(),
  model: text.optional(),
  address: text.optional(),
  key: text.optional(),
  api: z.enum(modelApis).optional(),
  context: number.optional(),
  max_output: number.optional(),
  temperature: number.optional(),
  top_p: number.optional(),
  reasoning: z.enum(reasoningEfforts).optional(),
  options: map.optional(),
  structured: yesOrNo.optional(),
  tools: yesOrNo.optional(),
  stream: yesOrNo.optional(),
  timeout_ms: number.optional(),
  price: price.optional(),
  tokens: tokens.optional(),
  latency: object<SimLatency>({ base_ms: number, per_token_ms: number, spread: number }).optional(),
  failures: failures.optional(),
  rules: z.array(rule).optional(),
})

export const storedModels: z.ZodType<ModelSettings> = z.record(text, setting)

export const storedCalls = object<CallSettings>({
  rehearse: yesOrNo,
  cache: yesOrNo,
  record: text.nullable(),
  replay: text.nullable(),
  trace: z.enum(['content', 'facts', 'none']),
})
