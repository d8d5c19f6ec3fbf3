import * as z from 'zod'
import type { PermitAsk, Settlement } from '../../define/permits.ts'
import type { Point } from '../../define/target.ts'
import type { Machine } from '../machine.ts'

/** The topic that all processes listen to: which are present, and which jobs there are. */
export const broadcastTopic = 'assay_everybody'
export const topicOf = (id: string): string => `assay_${id}`

const names = z.lazy(() => z.array(z.string()))

const machine = z.lazy(
  () =>
    z.object({
      host: z.string(),
      cpus: z.number(),
      memory_mb: z.number(),
      gpus: z.number(),
      labels: names,
    }) satisfies z.ZodType<Machine>,
)

const workerHello = z.lazy(() =>
  z.object({
    t: z.literal('worker'),
    id: z.string(),
    pid: z.number(),
    version: z.string(),
    slots: z.number(),
    machine,
    is_draining: z.boolean(),
    /** Load of the machine over the last minute. */
    load: z.number(),
    /** Tokens of the running attempts, by queue. */
    jobs: z.array(z.object({ queue: z.string(), tokens: names })),
    /** Queues that it takes nothing from, and why. */
    refused: z.array(z.object({ queue: z.string(), reason: z.string() })),
  }),
)

const coordinatorHello = z.lazy(() =>
  z.object({
    t: z.literal('coordinator'),
    id: z.string(),
    /** Also the name of a worker's folder for its runs. */
    queue: z.string().regex(/^[\w-]+$/),
    /** The experiment's name, for display. */
    name: z.string(),
    host: z.string(),
    version: z.string(),
    /** What each run in this queue needs: an experiment has one queue for each kind of machine that its runs ask for. */
    needs: z.object({ cpu: z.number(), memory_mb: z.number(), gpu: z.number(), labels: names }).exactOptional(),
    /** The hash of the current work package. */
    package: z.string(),
    /** Where files too large for a result go: `s3://…`. */
    artifacts: z.string().exactOptional(),
    /** How long it waits for a silent worker. */
    gone_ms: z.number(),
  }),
)

const broadcast = z.lazy(() =>
  z.discriminatedUnion('t', [
    workerHello,
    coordinatorHello,
    /** A newcomer asks which processes are present. */
    z.object({ t: z.literal('who') }),
    z.object({ t: z.literal('gone'), id: z.string() }),
  ]),
)

const toCoordinator = z.lazy(() =>
  z.discriminatedUnion('t', [
    z.object({ t: z.literal('points'), token: z.string(), points: z.custom<readonly Point[]>(Array.isArray) }),
    /**
     * A result short enough for a message; null: it is on the server, in this parcel. BullMQ's own events can be missed
     * on Postgres.
     */
    z.object({
      ...{ t: z.literal('done'), token: z.string(), result: z.unknown() },
      parcel: z.string().exactOptional(),
    }),
    z.object({ t: z.literal('note'), token: z.string(), message: z.string() }),
    z.object({ t: z.literal('model'), token: z.string(), model: z.string(), id: z.string() }),
    z.object({ t: z.literal('beyond'), token: z.string(), model: z.string(), id: z.string() }),
    /** A request for a permit to call a model; repeated until it is answered. */
    z.object({
      ...{ t: z.literal('ask'), token: z.string(), worker: z.string(), id: z.number() },
      ask: z.custom<PermitAsk>(isObject),
    }),
    z.object({ t: z.literal('giveUp'), token: z.string(), id: z.number() }),
    z.object({
      ...{ t: z.literal('settle'), token: z.string(), id: z.number() },
      actual: z.custom<Settlement>(isObject),
    }),
  ]),
)

const toWorker = z.lazy(() =>
  z.discriminatedUnion('t', [
    z.object({
      ...{ t: z.literal('stop'), token: z.string() },
      reason: z.object({
        kind: z.enum(['timed_out', 'cancelled', 'cost_limited', 'stopped_early']),
        message: z.string(),
      }),
    }),
    z.object({ t: z.literal('permit'), token: z.string(), id: z.number() }),
    z.object({
      ...{ t: z.literal('refused'), token: z.string(), id: z.number(), message: z.string() },
      limit: z.string().nullable(),
      limit_at: z.number().nullable(),
    }),
  ]),
)

export type WorkerHello = z.infer<typeof workerHello>
export type CoordinatorHello = z.infer<typeof coordinatorHello>
export type Broadcast = z.infer<typeof broadcast>
export type ToCoordinator = z.infer<typeof toCoordinator>
export type ToWorker = z.infer<typeof toWorker>

/** A listener for messages of one kind: others, perhaps of another version, are ignored. */
const only =
  <T>(schema: z.ZodType<T>) =>
  (listener: (message: T) => void) =>
  (message: unknown): void => {
    const parsed = schema.safeParse(message)
    if (parsed.success) listener(parsed.data)
  }

export const onBroadcast = only(broadcast)
export const onCoordinatorMessage = only(toCoordinator)
export const onWorkerMessage = only(toWorker)

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
