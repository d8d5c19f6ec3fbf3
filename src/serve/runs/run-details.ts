import { worksOnTasks } from '../../define/experiment.ts'
import { readDefinition } from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { runFolder } from '../../record/places.ts'
import { plannedRun, runNamed } from '../../record/read/observations.ts'
import type { RunStory, RunTrajectory } from '../../report/dataset/turns.ts'
import { liveRun, liveStory, liveTrajectory } from '../../report/live.ts'
import { AssayError } from '../../util/errors.ts'
import { folderInside } from '../security/file-inside.ts'
import type { RunDetails } from '../wire.ts'

export const runDetails = (journal: Journal, root: string, dir: string, name: string): RunDetails => {
  const record = runNamed(journal, name)
  const definition = readDefinition(journal)
  const isTask = definition != null && worksOnTasks(definition.target)
  return liveRun(record, folderInside(root, runFolder(dir, record.name)), { isTask })
}

/** The work of the run's agent, from this turn on; null: it has no trajectory. */
export const runTrajectory = (...place: TurnsPlace): RunTrajectory | null => turnsOf(liveTrajectory, ...place)

/** The story of the run's scenario, likewise. */
export const runStory = (...place: TurnsPlace): RunStory | null => turnsOf(liveStory, ...place)

type TurnsPlace = readonly [journal: Journal, root: string, dir: string, name: string, first: number]

function turnsOf<T>(
  read: (folder: string, first: number) => T | null,
  ...[journal, root, dir, name, first]: TurnsPlace
): T | null {
  if (first < 1) throw new AssayError('usage', `from: turns are counted from 1, got ${first}`)
  const folder = folderInside(root, folderOfRun(journal, dir, name))
  return folder === null ? null : read(folder, first)
}

/** The folder of a run that the journal knows by exactly this name. */
export const folderOfRun = (journal: Journal, dir: string, name: string): string =>
  runFolder(dir, plannedRun(journal, name).name)
