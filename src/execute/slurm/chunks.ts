/** How much work makes an array task worth starting. */
const worthSeconds = 20
/** How many runs are tried one by one before anything is known about their duration. */
export const probes = 16
/** At least this many tasks, if there are enough runs: how many CPUs are free in a cluster is unknown. */
const spread = 32
const mostInChunk = 200

/** How many runs an array task gets. */
export function chunkSize(runs: number, given: number | undefined, meanSeconds: number | null): number {
  if (given !== undefined) return given
  if (meanSeconds === null) return 1
  const worth = Math.round(worthSeconds / Math.max(meanSeconds, 0.001))
  return Math.max(1, Math.min(worth, mostInChunk, Math.ceil(runs / spread)))
}

/** Arrays of chunks of jobs; each array has fewer than `maxArraySize` tasks, as Slurm counts. */
export function cutIntoArrays<T>(
  jobs: readonly T[],
  size: number,
  maxArraySize: number,
): readonly (readonly (readonly T[])[])[] {
  return pieces(pieces(jobs, size), Math.max(1, maxArraySize - 1))
}

function pieces<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}
