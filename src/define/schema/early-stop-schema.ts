import * as z from 'zod'
import type { EarlyStop } from '../experiment.ts'
import { settings, wholeNumberAbove0 } from './parts.ts'

const eta = z
  .number({ error: 'expected a number above 1' })
  .refine(value => value > 1, { error: 'expected a number above 1' })

const hyperband = z.lazy(() =>
  z
    .strictObject({
      type: z.literal('hyperband'),
      min_iter: wholeNumberAbove0.optional().describe('The first band; the next ones are each `eta` times later.'),
      max_iter: wholeNumberAbove0.optional().describe('With `s`: the last bands before it, each `eta` times earlier.'),
      s: wholeNumberAbove0.optional().describe('With `max_iter`: how many bands.'),
      eta: eta.default(3).describe('At each band, only the best 1/eta continue. Default 3.'),
      strict: z.boolean().default(true).describe('Whether the value at the band counts (default), or the best so far.'),
    })
    .check(context => {
      const { min_iter, max_iter, s } = context.value
      const problem =
        max_iter !== undefined && s === undefined
          ? 'max_iter needs s: how many bands there are before it'
          : min_iter === undefined && max_iter === undefined
            ? 'expected min_iter, or max_iter with s'
            : null
      if (problem !== null) context.issues.push({ code: 'custom', message: problem, input: context.value })
    })
    .transform(
      ({ min_iter = null, max_iter = null, s = null, ...rest }): EarlyStop => ({ ...rest, min_iter, max_iter, s }),
    )
    .describe('At certain iterations, only the best third (1/eta) continues.'),
)

const asha = z.lazy(() =>
  z
    .strictObject({
      type: z.literal('asha'),
      min_iter: wholeNumberAbove0.default(1).describe('The first rung; the next ones are each `eta` times later.'),
      eta: eta.default(4).describe('On each rung, only the best 1/eta continue. Default 4.'),
    })
    .describe(
      'Asynchronous successive halving: a run continues while it is among the best 1/eta of those that came as far.',
    ),
)

const median = z.lazy(() =>
  z
    .strictObject({
      type: z.literal('median'),
      min_iter: wholeNumberAbove0.default(1).describe('No run is ended before this iteration.'),
      min_runs: wholeNumberAbove0.default(5).describe('No run is ended before so many have finished. Default 5.'),
    })
    .describe("Ends a run whose best is worse than the median of finished runs' means up to the same iteration."),
)

const paired = z.lazy(() =>
  z
    .strictObject({
      type: z.literal('paired'),
      alpha: z
        .number()
        .gt(0)
        .lt(0.5)
        .default(0.05)
        .describe('The most often that a run is ended although it is as good as the others. Default 0.05.'),
    })
    .describe('Steps are instances: ends a run that is worse on too many of them than the best finished run.'),
)

export const earlyStopTypes = ['hyperband', 'asha', 'median', 'paired', 'own'] as const

/** Which running runs are stopped early; `stoppers` are the names of those that the experiment brings. */
export const earlyStop = (stoppers: readonly string[]) =>
  z
    .discriminatedUnion('type', [hyperband, asha, median, paired, ...stoppers.map(ownStopper)])
    .describe('Ends unpromising runs early, by the values of the metric that they report.')

const ownStopper = (name: string) =>
  z
    .strictObject({ type: z.literal(name), settings: settings.default({}) })
    .transform(({ settings }): EarlyStop => ({ type: 'own', name, settings }))
