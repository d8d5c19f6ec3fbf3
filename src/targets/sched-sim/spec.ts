import * as z from 'zod'
import { simParams } from './params.ts'

/** The `target` part of an experiment that simulates. */
export const schedSimSpec = z.lazy(() =>
  z.strictObject({
    kind: z.literal('sched-sim'),
    model: simParams.unwrap().shape.model,
    trace: simParams.unwrap().shape.trace.unwrap().optional(),
    stands_in_for: z
      .string()
      .optional()
      .describe('The program that the configuration names and that is not there; the simulator runs instead.'),
  }),
)

export type SchedSimSpec = z.output<typeof schedSimSpec>
