import { availableParallelism } from 'node:os'
import { type Spawned, type SpawnOptions, spawnGroup } from './spawn-group.ts'
import { SpawnerClient } from './spawner/spawner-client.ts'

/** An experiment of few runs is over before spawners of its own would pay. */
const fewSpawns = 16

/** A spawner can start one program at a time; more of them than cores would only stand in each other's way. */
const mostSpawners = Math.min(4, availableParallelism())

let spawned = 0
let spawners: SpawnerClient[] = []

/** Starts a program in its own group: from here, or through a spawner once there are many to start. */
export function startGroup(options: SpawnOptions): Spawned {
  const least = leastBusy()
  if (least !== undefined) return least.spawn(options)
  if (++spawned === fewSpawns) spawners = Array.from({ length: mostSpawners }, () => new SpawnerClient())
  const { pid, exit } = spawnGroup(options)
  return { started: Promise.resolve(pid), exit }
}

function leastBusy(): SpawnerClient | undefined {
  const ready = spawners.filter(spawner => spawner.isReady)
  return ready.reduce<SpawnerClient | undefined>(
    (least, spawner) => (least === undefined || spawner.unstarted < least.unstarted ? spawner : least),
    undefined,
  )
}

/** Ends the spawners; the next program that is started begins counting anew. */
export function closeSpawners(): void {
  for (const spawner of spawners) spawner.close()
  spawners = []
  spawned = 0
}
