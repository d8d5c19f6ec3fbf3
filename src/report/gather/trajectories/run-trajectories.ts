import { join } from 'node:path'
import { parseTrajectory } from '../../../models/trajectory/read-trajectories.ts'
import { readStartOf } from '../../../util/files.ts'
import type { RunTrajectory } from '../../dataset/trajectory.ts'
import type { FilesOfRuns } from '../run-files.ts'
import { type Ended, inOrderOfInterest } from '../run-tasks.ts'
import { trajectoryView, type ViewLimits } from './trajectory-view.ts'

/** Where a run keeps its trajectory. */
export const trajectoryFile = 'trajectory.json'

/** Characters of trajectories in a whole report. */
const mostOfAll = 1_500_000

/** Of one run, in a report: the fewer there are, the more of each. */
const leastOfOne = 24_000
const mostOfOne = 150_000

/** A page of one that is looked at alone. */
const alone: ViewLimits = { text: 40_000, room: 3_000_000, turns: 1000, endShare: 0 }

/** A larger one is not even read. */
const mostBytes = 64 * 1024 * 1024

export interface TrajectoriesOfRuns {
  readonly views: readonly (RunTrajectory | null)[]
  /** How many runs have a trajectory, as far as that was looked for. */
  readonly found: number
}

/** Where a run's trajectory is: a file inside a folder. */
export interface TrajectoryPlace {
  readonly folder: string
  readonly file: string
}

/** In the run's own folder, unless a list of its files says that there is none. */
export const placeInFolder = (folder: string | null, files: FilesOfRuns['lists'][number]): TrajectoryPlace | null =>
  folder !== null && (files === null || files.some(({ path }) => path === trajectoryFile))
    ? { folder, file: trajectoryFile }
    : null

/** The trajectories of runs, the most interesting first, until there is no room for more. */
export function trajectoriesOf(
  runs: readonly Ended[],
  places: readonly (TrajectoryPlace | null)[],
): TrajectoriesOfRuns {
  const order = inOrderOfInterest(
    runs,
    places.map(place => place?.folder ?? null),
  )
  const limits = inReport(order.length)
  const views = new Map<number, RunTrajectory>()
  let room = mostOfAll
  let found = 0
  for (const at of order) {
    const place = places[at] ?? null
    if (place === null) continue
    if (room <= 0) {
      if (sizeOf(place) !== null) found++
      continue
    }
    const view = viewIn(place, limits)
    if (view === null) continue
    found++
    views.set(at, view)
    room -= JSON.stringify(view).length
  }
  return { views: runs.map((_, at) => views.get(at) ?? null), found }
}

function inReport(count: number): ViewLimits {
  const room = Math.min(mostOfOne, Math.max(leastOfOne, mostOfAll / Math.max(1, count)))
  return { text: Math.round(Math.min(2000, Math.max(400, room / 60))), room, turns: 400, endShare: 1 / 3 }
}

/** The same of one run, with more of everything, from a turn on; null: its folder has none. */
export const wholeTrajectoryIn = (folder: string, first = 1): RunTrajectory | null =>
  viewIn({ folder, file: trajectoryFile }, alone, first)

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
