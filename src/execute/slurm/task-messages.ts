import * as z from 'zod'
import type { Job } from '../../define/run.ts'
import { onCoordinatorMessage, onWorkerMessage, type ToCoordinator, type ToWorker } from '../queue/messages.ts'
import { isJob } from '../queue/wire-result.ts'

/** What an array task reads first: its jobs and their common data. */
export interface Chunk {
  /** The file of the work package. */
  readonly package: string
  /** The experiment's folder and its directory: the same on every node. */
  readonly folder: string
  readonly dir: string
  readonly cwd: string
  readonly jobs: readonly Job[]
}

const chunk = z.lazy(() =>
  z.object({
    package: z.string(),
    folder: z.string(),
    dir: z.string(),
    cwd: z.string(),
    jobs: z.array(z.custom<Job>(isJob)),
  }),
)

export const readChunk = (text: string): Chunk => chunk.parse(JSON.parse(text))

export const toTask = (task: number | string): string => `in-${task}.ndjson`
export const fromTask = (task: number | string): string => `out-${task}.ndjson`

/**
 * Besides the messages of queue workers: which attempts were started, and what is left of one that Slurm interrupted.
 */
export type FromTask =
  | ToCoordinator
  | { readonly t: 'began'; readonly token: string }
  | { readonly t: 'cut'; readonly token: string; readonly result: unknown }

const ownMessage = z.lazy(() =>
  z.discriminatedUnion('t', [
    z.object({ t: z.literal('began'), token: z.string() }),
    z.object({ t: z.literal('cut'), token: z.string(), result: z.unknown() }),
  ]),
)

export function readFromTask(message: unknown): FromTask | null {
  const own = ownMessage.safeParse(message)
  if (own.success) return own.data
  let heard: ToCoordinator | null = null
  onCoordinatorMessage(one => {
    heard = one
  })(message)
  return heard
}

export function readToTask(message: unknown): ToWorker | null {
  let heard: ToWorker | null = null
  onWorkerMessage(one => {
    heard = one
  })(message)
  return heard
}
