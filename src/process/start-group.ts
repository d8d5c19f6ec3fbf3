import { type Spawned, type SpawnOptions, spawnGroup } from './spawn-group.ts'
import { SpawnerClient } from './spawner/spawner-client.ts'

/** An experiment of few runs is over before a spawner of its own would pay. */
const fewSpawns = 16

let spawned = 0
let spawner: SpawnerClient | null = null

/** Starts a program in its own group: from here, or through the spawner once there are many to start. */
export function startGroup(options: SpawnOptions): Spawned {
  if (spawner?.isReady) return spawner.spawn(options)
  if (++spawned === fewSpawns) spawner = new SpawnerClient()
  const { pid, exit } = spawnGroup(options)
  return { started: Promise.resolve(pid), exit }
}

/** Ends the spawner; the next program that is started begins counting anew. */
export function closeSpawner(): void {
  spawner?.close()
  spawner = null
  spawned = 0
}
