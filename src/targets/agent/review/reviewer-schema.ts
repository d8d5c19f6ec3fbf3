import * as z from 'zod'
import { text, usd, wholeNumberAbove0 } from '../../../define/schema/parts.ts'

/** Several attempts at one task, and a model that decides which is submitted. */
export const reviewerSchema = z.lazy(() =>
  z
    .strictObject({
      kind: z
        .enum(['score', 'chooser'])
        .describe(
          'score: every attempt gets a score, and the best is submitted. chooser: a model picks one of them all.',
        ),
      model: text.default('same').describe('The model that reviews. same: the model of the agent.'),
      max_attempts: wholeNumberAbove0.default(3).describe('How often the agent tries, each time in a fresh box.'),
      cost_limit: usd
        .default(0)
        .describe('What all attempts and reviews may be worth at list price, in USD; 0: no limit.'),
      min_budget: usd.default(0).describe('No attempt begins with less than this left of cost_limit, in USD.'),
      samples: wholeNumberAbove0.default(5).describe('How many scores a reviewer gives; their mean counts.'),
      range: z
        .tuple([z.number(), z.number()])
        .default([0, 10])
        .refine(([low, high]) => low < high, { error: 'expected the lowest and the highest score' })
        .describe('The lowest and the highest score; others are not counted.'),
      accept_score: z.number().default(8).describe('An attempt with at least this score is accepted.'),
      max_accepts: wholeNumberAbove0.default(1).describe('After so many accepted attempts no other begins.'),
      failure_penalty: z
        .number()
        .min(0)
        .default(0)
        .describe('Taken off the score of an attempt that did not submit itself.'),
      std_weight: z.number().min(0).default(0).describe('How often the standard deviation of the scores is taken off.'),
      temperature: z.number().min(0).max(2).optional(),
    })
    .describe('Several attempts, each in a fresh box, and a reviewer that says which of them counts.'),
)

export type Reviewer = z.output<typeof reviewerSchema>
