/** How much work an array task should have, to be worth its start. */
const worthSeconds = 20
/** Before anything is known of the runs, so many are tried by themselves. */
export const probes = 16
/** At least so many tasks, if there are runs enough: nobody knows how many CPUs a cluster has free. */
const spread = 32
const mostInChunk = 200

/** How many runs an array task gets. */
export function chunkSize(runs: number, given: number | undefined, meanSeconds: number | null): number {
  if (given !== undefined) return given
  if (meanSeconds === null) return 1
  const worth = Math.round(worthSeconds / Math.max(meanSeconds, 0.001))
  return Math.max(1, Math.min(worth, mostInChunk, Math.ceil(runs / spread)))
}

/** Arrays of chunks of jobs; no array has `maxArraySize` tasks or more, as Slurm counts. */
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
