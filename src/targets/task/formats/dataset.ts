import { statSync } from 'node:fs'
import * as z from 'zod'
import { AssayError } from '../../../util/errors.ts'
import { parseSettings } from './parse-settings.ts'
import { TaskFolder } from './task-folder.ts'

/** A task set's description of itself. */
export interface Dataset {
  readonly name: string
  readonly description: string
  /** The tasks listed in its dataset.toml, by name; null: it lists none, so all in the folder are meant. */
  readonly listed: readonly string[] | null
  /** A metric.py: `-i rewards.jsonl -o out.json`, one reward object or null per line. */
  readonly metric: string | null
}

const datasetSchema = z.lazy(() =>
  z.looseObject({
    dataset: z.looseObject({ name: z.string().optional(), description: z.string().optional() }).prefault({}),
    tasks: z.array(z.looseObject({ name: z.string() })).optional(),
  }),
)

/** null if the folder has neither a dataset.toml nor a metric.py, or is not a folder. */
export function readDataset(dir: string): Dataset | null {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) return null
  const folder = new TaskFolder(dir)
  const metric = folder.hasFile('metric.py') ? folder.path('metric.py') : null
  if (!folder.hasFile('dataset.toml'))
    return metric === null ? null : { name: folder.name, description: '', listed: null, metric }
  const source = folder.readSettings('dataset.toml')
  const settings = source === null ? null : parseSettings(datasetSchema, source, folder)
  if (settings === null) throw new AssayError('config', folder.problems.join('\n'))
  return {
    name: settings.dataset.name ?? folder.name,
    description: settings.dataset.description ?? '',
    listed: settings.tasks?.map(({ name }) => name) ?? null,
    metric,
  }
}
