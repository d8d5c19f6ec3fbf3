import { availableParallelism } from 'node:os'
import { type Spawned, type SpawnOptions, spawnGroup } from './spawn-group.ts'
import { SpawnerClient } from './spawner/spawner-client.ts'

/** Spawners pay for many short programs, not for a few long ones: so many must have been started within a second. */
const manySpawns = 8
const soonMs = 1000

/** A spawner can start one program at a time; more of them than cores would only stand in each other's way. */
const mostSpawners = Math.min(4, availableParallelism())

let startTimes: number[] = []
let spawners: SpawnerClient[] = []

/** Starts a program in its own group: from here, or through a spawner once there are many to start. */
export function startGroup(options: SpawnOptions): Spawned {
  const least = leastBusy()
  if (least !== undefined) return least.spawn(options)
  if (spawners.length === 0 && areManySoon()) spawners = Array.from({ length: mostSpawners }, () => new SpawnerClient())
  try {
    const { pid, exit } = spawnGroup(options)
    return { started: Promise.resolve(pid), exit }
  } catch (error) {
    return { started: Promise.reject(error), exit: new Promise(() => undefined) }
  }
}

function areManySoon(): boolean {
  const now = performance.now()
  startTimes = [...startTimes.filter(time => now - time < soonMs), now]
  return startTimes.length >= manySpawns
}

function leastBusy(): SpawnerClient | undefined {
  const ready = spawners.filter(spawner => spawner.isReady)
  return ready.reduce<SpawnerClient | undefined>(
    (least, spawner) => (least === undefined || spawner.unstarted < least.unstarted ? spawner : least),
    undefined,
  )
}

/** Ends the spawners; the programs that are started next are counted anew. */
export function closeSpawners(): void {
  for (const spawner of spawners) spawner.close()
  spawners = []
  startTimes = []
}
