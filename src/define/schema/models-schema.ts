import * as z from 'zod'
import { hasAddressSecret } from '../../util/secrets.ts'
import {
  type ModelSetting,
  type ModelSettings,
  modelApis,
  type PriceSetting,
  reasoningEfforts,
} from '../models/model-settings.ts'
import { duration, json, text, usd, wholeNumberAbove0, wholeNumberFrom0 } from './parts.ts'
import { simAgent, simPlans } from './sim-agent-schema.ts'
import { simFailures, simLatency, simRules, simTokens } from './sim-schema.ts'

const perMillion = usd.describe('USD for a million tokens.')

const tier = z.lazy(() =>
  z.strictObject({
    above: wholeNumberFrom0.default(0).describe('Holds for prompts of more tokens than this. Default 0.'),
    input: perMillion,
    output: perMillion.describe('USD for a million tokens of output, reasoning included.'),
    cached_input: perMillion.optional().describe("USD for a million tokens read from the provider's cache."),
    cache_write: perMillion.optional().describe("USD for a million tokens written to the provider's cache."),
    cache_write_1h: perMillion
      .optional()
      .describe(
        "USD for a million tokens that are kept in the provider's cache for an hour; twice the input by default.",
      ),
  }),
)

const price = z.lazy(() =>
  z
    .union(
      [
        z.literal('free'),
        tier.transform(one => [one]),
        z
          .array(tier)
          .min(1)
          .transform(tiers => [...tiers].sort((a, b) => a.above - b.above)),
      ],
      {
        error:
          'expected "free", a map such as { input: 0.15, output: 0.6 } (USD for a million tokens), or a list of them',
      },
    )
    .transform((written): PriceSetting => written)
    .describe('What it costs: USD for a million tokens. "free": paid for otherwise, such as by subscription.'),
)

/** A key itself must never be in a file that is shared and recorded. */
const keyName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    abort: true,
    error: 'name the environment variable that holds the key, never the key itself',
  })
  .refine(name => !/^(sk|pk|key|gsk|xai)[-_][A-Za-z0-9_-]{16,}$/i.test(name), {
    error: 'this looks like a key: put it into the environment or .env, and name the variable here',
  })

const address = z
  .string()
  .refine(isAddress, { error: 'expected an address such as http://127.0.0.1:8000/v1, without user name and password' })
  .refine(text => !hasAddressSecret(text), {
    error: 'an address with a key in it would be kept with the experiment: name the variable that holds it with `key`',
  })

const modelSetting = z.lazy(() =>
  z
    .strictObject({
      like: text.optional().describe('Another model, whose settings apply where this one gives none.'),
      provider: text.optional().describe('The provider: openai, anthropic, openai-compatible, … (assay models list).'),
      model: text.optional().describe('The id that the provider knows it by. Default: the name.'),
      address: address.optional().describe('Where it is served, if not at the usual place.'),
      key: keyName.optional().describe('The environment variable that holds the key.'),
      api: z.enum(modelApis).optional().describe("Which of the provider's interfaces. Default: chat."),
      context: wholeNumberAbove0.optional().describe('Tokens that prompt and answer may have together.'),
      max_output: wholeNumberAbove0.optional().describe('Tokens that an answer may have at most.'),
      temperature: z.number().min(0).optional().describe('Used where a call says nothing else.'),
      top_p: z.number().min(0).max(1).optional().describe('Used where a call says nothing else.'),
      reasoning: z.enum(reasoningEfforts).optional().describe('How much it thinks before it answers.'),
      options: z.record(z.string(), json).optional().describe('Passed to the provider unchanged.'),
      structured: z.boolean().optional().describe('Whether it can be held to a JSON Schema; otherwise it is told it.'),
      tools: z.boolean().optional().describe('Whether it can call tools.'),
      stream: z.boolean().optional().describe('Whether answers come piece by piece. Default: long ones do.'),
      timeout: duration
        .refine(ms => ms > 0, { error: 'expected a duration above 0' })
        .optional()
        .describe('How long a call may be silent before it is given up. Default 4m.'),
      price: price.optional(),
      tokens: simTokens.optional(),
      latency: simLatency.optional(),
      failures: simFailures.optional(),
      rules: simRules.optional(),
      agent: simAgent.optional(),
      plans: simPlans.optional(),
    })
    .transform(
      ({ timeout, ...setting }): ModelSetting => ({
        ...setting,
        ...(timeout === undefined ? {} : { timeout_ms: timeout }),
      }),
    )
    .describe('Settings of one model.'),
)

/** Settings by name, as in a `models:` section or in a separate file. */
export const modelSettings = z.lazy(() =>
  z
    .record(text, modelSetting)
    .transform((settings): ModelSettings => settings)
    .describe('Models by name.'),
)

export const models = z.lazy(() =>
  z
    .union([text.describe('A file with such settings.'), modelSettings], {
      error: 'expected models by name, or a file with them',
    })
    .describe(
      'Language models: adds to those that assay knows, or changes what it knows of them. Prices, keys, simulated ones.',
    ),
)

function isAddress(written: string): boolean {
  if (!URL.canParse(written)) return false
  const { protocol, username, password } = new URL(written)
  return ['http:', 'https:'].includes(protocol) && username === '' && password === ''
}
