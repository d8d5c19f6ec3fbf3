import * as z from 'zod'
import {
  type SimFailures,
  type SimLatency,
  type SimRule,
  type SimStep,
  type SimTokens,
  simCaches,
  simFaults,
  simPlaces,
} from '../models/model-settings.ts'
import { duration, json, regex, share, text, wholeNumberAbove0, wholeNumberFrom0 } from './parts.ts'

export const simTokens: z.ZodType<SimTokens> = z.lazy(() =>
  z
    .strictObject({
      input: wholeNumberFrom0.optional().describe('Of the prompt. Default: four characters are a token.'),
      output: wholeNumberFrom0.optional().describe('Of the answer, without reasoning. Default: as with input.'),
      reasoning: wholeNumberFrom0.optional().describe('Thought before the answer. Default 0.'),
      cached: z
        .union([share, z.enum(simCaches)], { error: 'expected a number from 0 to 1, "prefix" or "marked"' })
        .optional()
        .describe(
          "Share of the input that comes from the provider's cache; prefix: as much as an earlier prompt of the run begins with, as OpenAI does it; marked: up to the cache marks, as Anthropic does it. Default 0.",
        ),
      spread: share.optional().describe('By how much sizes differ from call to call: 0.2 is up to a fifth. Default 0.'),
    })
    .describe('Declared sizes: for simulated models, rehearsals and forecasts.'),
)

export const simLatency = z.lazy(() =>
  z
    .union([
      duration.transform((base_ms): SimLatency => ({ base_ms, per_token_ms: 0, spread: 0 })),
      z
        .strictObject({
          base: duration.optional().describe('Before the first token.'),
          per_token: duration.optional().describe('For each token of the answer.'),
          spread: share.optional().describe('By how much it differs from call to call. Default 0.'),
        })
        .transform(
          ({ base = 0, per_token = 0, spread = 0 }): SimLatency => ({ base_ms: base, per_token_ms: per_token, spread }),
        ),
    ])
    .describe('How long a simulated model takes: 300ms, or { base, per_token, spread }.'),
)

const faultShares = Object.fromEntries(
  simFaults.map(fault => [fault, share.optional().describe(`Share of tries that end as ${fault}.`)]),
) as { readonly [F in (typeof simFaults)[number]]: z.ZodOptional<typeof share> }

export const simFailures = z.lazy(() =>
  z
    .strictObject({
      ...faultShares,
      retry_after: duration.optional().describe('What a simulated 429 asks to wait. Default: it does not say.'),
    })
    .transform(
      ({ retry_after, ...shares }): SimFailures => ({
        ...shares,
        ...(retry_after === undefined ? {} : { retry_after_ms: retry_after }),
      }),
    )
    .describe('How often a simulated model fails, and how.'),
)

/** At most one text: with two, the choice would be a guess. */
const hasOneAnswer = ({ answer, one_of, json, tool, tools }: SimStep): boolean =>
  [answer, one_of, json].filter(text => text !== undefined).length <= 1 && (tool === undefined || tools === undefined)

const severalAnswers = 'expected only one of answer, one_of and json, and only one of tool and tools'

const toolCall = z.lazy(() =>
  z.strictObject({
    name: text.describe('Which tool.'),
    arguments: z.record(z.string(), json).default({}).describe('With what.'),
  }),
)

const step = {
  answer: z.string().optional().describe('What is answered. {last} is the last message, {integer 1..10} is drawn.'),
  one_of: z.array(z.string()).min(1).optional().describe('One of these answers is drawn.'),
  json: json.optional().describe('An answer in JSON.'),
  tool: toolCall.optional().describe('A tool to call, after the answer if there is one.'),
  tools: z.array(toolCall).min(1).optional().describe('Several tools to call at once.'),
  reasoning: text.optional().describe('What is thought before the answer.'),
  fail: z.enum(simFaults).optional().describe('Fails in this way instead of answering.'),
  tokens: simTokens.optional(),
}

const simStep: z.ZodType<SimStep> = z.lazy(() =>
  z.strictObject(step).refine(hasOneAnswer, { error: severalAnswers }).describe('One answer of a script.'),
)

const simRule: z.ZodType<SimRule> = z.lazy(() =>
  z
    .strictObject({
      contains: z
        .union([text.transform(one => [one]), z.array(text)], { error: 'expected a text or a list of texts' })
        .optional()
        .describe('All of these texts, ignoring case.'),
      matches: regex.optional().describe('A regular expression; {1} or {name} in the answer is what a group found.'),
      in: z
        .enum(simPlaces)
        .optional()
        .describe(
          'Where to look: by default in the last message; tool: in the results of tools since the last answer.',
        ),
      turn: wholeNumberAbove0.optional().describe('Only the how-many-th answer of a conversation, from 1.'),
      try: wholeNumberAbove0.optional().describe('Only the how-many-th try of the same question, from 1.'),
      purpose: text
        .optional()
        .describe('Only calls made for this: answer, judge, agent, summary, or any other purpose that calls have.'),
      offers: text.optional().describe('Only calls that offer this tool.'),
      after: text.optional().describe('Only after this tool: the last answer has called it, and here is its result.'),
      chance: share.optional().describe('How likely the rule holds; otherwise the next that fits does. Default 1.'),
      ...step,
      script: z
        .array(simStep)
        .min(1)
        .optional()
        .describe(
          'Answers by turn: the first of a conversation, the second, … After the last the rule fits no longer.',
        ),
    })
    .refine(hasOneAnswer, { error: severalAnswers })
    .refine(rule => rule.script === undefined || Object.keys(step).every(key => !(key in rule)), {
      error: 'script: the answers are in its list, so none may stand beside it',
    })
    .describe('What a simulated model answers to what.'),
)

export const simRules = z.lazy(() =>
  z
    .array(simRule)
    .describe('How a simulated model answers: the first rule that fits counts. Without one it says something.'),
)
