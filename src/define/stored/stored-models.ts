import * as z from 'zod'
import {
  type CallSettings,
  type ModelSetting,
  type ModelSettings,
  modelApis,
  type PriceSetting,
  type PriceTier,
  reasoningEfforts,
  type SimAgent,
  type SimFact,
  type SimFailures,
  type SimLatency,
  type SimPlan,
  type SimPlanStep,
  type SimRule,
  type SimStep,
  type SimStrain,
  type SimSummary,
  type SimTokens,
  type SimToolCall,
  simCaches,
  simFaults,
  simPlaces,
} from '../models/model-settings.ts'
import { anything, map, number, object, text, texts, yesOrNo } from './fields.ts'

const tier = object<PriceTier>({
  above: number,
  input: number,
  output: number,
  cached_input: number.optional(),
  cache_write: number.optional(),
  cache_write_1h: number.optional(),
})

const price: z.ZodType<PriceSetting> = z.lazy(() => z.union([z.literal('free'), z.array(tier)]))

const tokens = object<SimTokens>({
  input: number.optional(),
  output: number.optional(),
  reasoning: number.optional(),
  cached: z.union([number, z.enum(simCaches)]).optional(),
  spread: number.optional(),
})

const failures = z.lazy(
  () =>
    z.strictObject({
      ...Object.fromEntries(simFaults.map(fault => [fault, number.optional()])),
      retry_after_ms: number.nullable().optional(),
    }) as unknown as z.ZodType<SimFailures>,
)

const toolCall = object<SimToolCall>({ name: text, arguments: map })

const step = {
  answer: text.optional(),
  one_of: texts.optional(),
  json: anything.optional(),
  tool: toolCall.optional(),
  tools: z.array(toolCall).optional(),
  reasoning: text.optional(),
  fail: z.enum(simFaults).optional(),
  tokens: tokens.optional(),
}

const rule = object<SimRule>({
  contains: texts.optional(),
  matches: text.optional(),
  in: z.enum(simPlaces).optional(),
  turn: number.optional(),
  try: number.optional(),
  purpose: text.optional(),
  offers: text.optional(),
  after: text.optional(),
  chance: number.optional(),
  ...step,
  script: z.array(object<SimStep>(step)).optional(),
})

const agent = object<SimAgent>({
  mistakes: number.optional(),
  strain: object<SimStrain>({ from: number, per_1000: number }).optional(),
  guesses: number.optional(),
  notes: number.optional(),
  patience: number.optional(),
  summary: object<SimSummary>({ words: number.optional(), keeps: number.optional() }).optional(),
})

const plan = object<SimPlan>({
  name: text,
  task: text,
  facts: z.record(text, object<SimFact>({ matches: text, look: text.optional(), guess: texts.optional() })).optional(),
  steps: z.array(
    object<SimPlanStep>({
      name: text,
      run: text,
      say: text.optional(),
      wrong: texts.optional(),
      needs: texts.optional(),
      expect: text.optional(),
      else: text.optional(),
    }),
  ),
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
  agent: agent.optional(),
  plans: z.array(plan).optional(),
})

export const storedModels: z.ZodType<ModelSettings> = z.lazy(() => z.record(text, setting))

export const storedCalls = object<CallSettings>({
  rehearse: yesOrNo,
  cache: yesOrNo,
  record: text.nullable(),
  replay: text.nullable(),
  trace: z.enum(['content', 'facts', 'none']),
  otlp: text.nullable().optional(),
  otlp_in: yesOrNo.optional(),
})
