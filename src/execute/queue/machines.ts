import { thisMachine } from '../machine.ts'
import { broadcastTopic, type CoordinatorHello, onBroadcast, type WorkerHello } from './messages.ts'
import { openQueueServer } from './server/open-server.ts'
import { QueueWorker, type QueueWorkerOptions } from './worker/queue-worker.ts'

export type { CoordinatorHello, WorkerHello } from './messages.ts'
export type { WorkerEvent } from './worker/queue-worker.ts'

/** Starts a worker for all experiments on a server. */
export async function workOnQueue(
  address: string,
  { labels, ...options }: Omit<QueueWorkerOptions, 'room'> & { readonly labels: readonly string[] },
): Promise<QueueWorker> {
  return new QueueWorker(await openQueueServer(address), { ...options, room: thisMachine(labels) })
}

/** Workers answer within this time unless their machine is very busy, so an empty list takes longer. */
const answerMs = 1_500
const emptyListMs = 6_000

/** The workers and coordinators on a server. Each is asked, so none that has died is listed. */
export async function listMachines(address: string): Promise<{
  readonly workers: readonly WorkerHello[]
  readonly coordinators: readonly CoordinatorHello[]
}> {
  const server = await openQueueServer(address)
  try {
    const workers = new Map<string, WorkerHello>()
    const coordinators = new Map<string, CoordinatorHello>()
    await server.channel.listen(
      broadcastTopic,
      onBroadcast(message => {
        if (message.t === 'worker') workers.set(message.id, message)
        else if (message.t === 'coordinator') coordinators.set(message.id, message)
      }),
    )
    for (let waitedMs = 0; waitedMs < (workers.size > 0 ? answerMs : emptyListMs); waitedMs += answerMs) {
      server.channel.send(broadcastTopic, { t: 'who' })
      await new Promise(resolve => setTimeout(resolve, answerMs))
    }
    const byHost = (a: WorkerHello, b: WorkerHello) =>
      a.machine.host < b.machine.host ? -1 : a.machine.host > b.machine.host ? 1 : a.id < b.id ? -1 : 1
    return { workers: [...workers.values()].sort(byHost), coordinators: [...coordinators.values()] }
  } finally {
    await server.close()
  }
}
