import * as z from 'zod'
import { searchMethods } from '../experiment.ts'
import { earlyStop } from './early-stop-schema.ts'
import { type OwnNames, settings, text, wholeNumberAbove0 } from './parts.ts'

/** How variants are chosen, if not all of them are run. */
export const search = ({ planners, stoppers }: OwnNames) =>
  z
    .strictObject({
      method: z
        .enum([...searchMethods, ...planners])
        .describe(
          'grid: all. random, sobol: a sample. bayes, tpe: the most promising variants, given the results so far.',
        ),
      metric: text.optional().describe('The metric to be optimised. Default: the primary one, or the only one.'),
      goal: z
        .enum(['minimize', 'maximize'])
        .optional()
        .describe("Which way is better. Default: the metric's own goal."),
      also: z
        .array(text)
        .min(1, { error: 'expected at least one other metric' })
        .optional()
        .describe('Other metrics to optimise at the same time, each with a goal: the search is for the Pareto front.'),
      counts: z
        .enum(['runs', 'variants'])
        .default('runs')
        .describe(
          'What max_runs, --count and early_stop count. runs: each run by itself. variants: a variant over all its blocks and replicates is one trial; its value is the mean over its finished runs, an iteration is a finished run, and stopping it early drops its remaining runs.',
        ),
      max_runs: wholeNumberAbove0
        .optional()
        .describe(
          'How many runs to make at most, blocks and replicates counted; with counts: variants, how many variants.',
        ),
      seed: z
        .int({ error: 'expected a whole number' })
        .optional()
        .describe("The random seed of the search. Default: the experiment's."),
      target: z.number().optional().describe('Once a run is as good as this, no others are started.'),
      value: z
        .enum(['last', 'best'])
        .default('last')
        .describe('Which of the values that a run reports counts: the last or the best.'),
      impute: z
        .enum(['worst', 'best', 'latest', 'skip'])
        .default('worst')
        .describe('What a run that failed counts as: the worst value seen, the best or latest of its own, or nothing.'),
      initial: wholeNumberAbove0
        .optional()
        .describe('bayes, tpe: how many variants are spread over the space before results count.'),
      early_stop: earlyStop(stoppers).optional(),
      settings: settings.optional(),
    })
    .describe('Runs the variants that a search chooses, instead of all.')

export type WrittenSearch = z.output<ReturnType<typeof search>>
