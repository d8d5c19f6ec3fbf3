import { join } from 'node:path'
import { parseTrajectory } from '../../../models/trajectory/trajectory-files.ts'
import { readStartOf } from '../../../util/files.ts'
import type { RunTrajectory } from '../../dataset/turns.ts'
import { limitsAlone, type ViewLimits, type ViewsOfRuns, viewsWithinRoom } from '../fitting-turns.ts'
import type { FilesOfRuns } from '../run-files.ts'
import { type Ended, inOrderOfInterest } from '../run-tasks.ts'
import { trajectoryView } from './trajectory-view.ts'

/** Where a run keeps its trajectory. */
export const trajectoryFile = 'trajectory.json'

/** A larger one is not even read. */
const mostBytes = 64 * 1024 * 1024

/** Where a run's trajectory is: a file inside a folder. */
export interface TrajectoryPlace {
  readonly folder: string
  readonly file: string
}

/** In the run's own folder, unless a list of its files shows that there is none. */
export const placeInFolder = (folder: string | null, files: FilesOfRuns['lists'][number]): TrajectoryPlace | null =>
  folder !== null && (files === null || files.some(({ path }) => path === trajectoryFile))
    ? { folder, file: trajectoryFile }
    : null

/** The trajectories of runs, the most interesting first, until the report is full. */
export function trajectoriesOf(
  runs: readonly Ended[],
  places: readonly (TrajectoryPlace | null)[],
): ViewsOfRuns<RunTrajectory> {
  const order = inOrderOfInterest(
    runs,
    places.map(place => place?.folder ?? null),
  )
  return viewsWithinRoom(places, order, { view: viewIn, isThere: place => sizeOf(place) !== null })
}

/** The same for one run, with more of everything, starting at a turn; null: its folder has none. */
export const wholeTrajectoryIn = (folder: string, first = 1): RunTrajectory | null =>
  viewIn({ folder, file: trajectoryFile }, limitsAlone, first)

function viewIn(place: TrajectoryPlace, limits: ViewLimits, first = 1): RunTrajectory | null {
  const { folder, file } = place
  const bytes = sizeOf(place)
  if (bytes === null) return null
  const tooLarge = `has ${Math.round(bytes / 1e6)} MB, and at most ${Math.round(mostBytes / 1e6)} MB are read`
  if (bytes > mostBytes) return { file, bytes, problem: tooLarge }
  const path = join(folder, file)
  const parsed = parseTrajectory(readStartOf(path, bytes, folder)?.start.toString('utf8') ?? '', path)
  return 'reason' in parsed
    ? { file, bytes, problem: parsed.reason }
    : trajectoryView(parsed.trajectory, { file, bytes }, limits, first)
}

/** null: there is no such file, or a link in its place. */
const sizeOf = ({ folder, file }: TrajectoryPlace): number | null =>
  readStartOf(join(folder, file), 0, folder)?.size ?? null
