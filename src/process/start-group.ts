import { availableParallelism } from 'node:os'
import { recur } from './recur.ts'
import { type Spawned, type SpawnOptions, spawnGroup } from './spawn-group.ts'
import { SpawnerClient } from './spawner/spawner-client.ts'

/** Spawners pay for many short programs, not for a few long ones: so many must have been started within a second. */
const manySpawns = 8
const soonMs = 1000

/** So many that are still to come are taken for short ones; the first of them then need not be started from here. */
const manyExpected = 64

/** Spawners that were not needed for so long are ended: the programs are long ones after all. */
const idleMs = 10_000

/** A spawner can start one program at a time; more of them than cores would only stand in each other's way. */
const mostSpawners = Math.min(4, availableParallelism())

let startTimes: number[] = []
let spawners: SpawnerClient[] = []
let lastStart = 0
let forgetIdle: () => void = () => undefined

/** So many programs are about to be started. */
export function expectGroups(count: number): void {
  if (count >= manyExpected) openSpawners()
}

/** Starts a program in its own group: from here, or through a spawner once there are many to start. */
export function startGroup(options: SpawnOptions): Spawned {
  lastStart = performance.now()
  if (areManySoon()) openSpawners()
  const least = leastBusy()
  if (least !== undefined) return least.spawn(options)
  try {
    const { pid, exit } = spawnGroup(options)
    return { started: Promise.resolve(pid), exit }
  } catch (error) {
    return { started: Promise.reject(error), exit: new Promise(() => undefined) }
  }
}

function areManySoon(): boolean {
  if (spawners.length > 0) return false
  startTimes = [...startTimes.filter(time => lastStart - time < soonMs), lastStart]
  return startTimes.length >= manySpawns
}

function openSpawners(): void {
  if (spawners.length > 0) return
  lastStart = performance.now()
  spawners = Array.from({ length: mostSpawners }, () => new SpawnerClient())
  forgetIdle = recur(idleMs, () => {
    if (performance.now() - lastStart >= idleMs && spawners.every(({ isIdle }) => isIdle)) closeSpawners()
    return idleMs
  })
}

function leastBusy(): SpawnerClient | undefined {
  const there = spawners.filter(({ isLost }) => !isLost)
  return there.reduce<SpawnerClient | undefined>(
    (least, spawner) => (least === undefined || spawner.unstarted < least.unstarted ? spawner : least),
    undefined,
  )
}

/** Ends the spawners; the programs that are started next are counted anew. */
export function closeSpawners(): void {
  forgetIdle()
  for (const spawner of spawners) spawner.close()
  spawners = []
  startTimes = []
}
