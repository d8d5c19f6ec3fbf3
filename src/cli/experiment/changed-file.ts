import { relative } from 'node:path'
import { readDefinition } from '../../record/journal/experiment-row.ts'
import { changedConfiguration } from '../../record/places.ts'
import type { Io } from '../io.ts'
import { withJournal } from './with-journal.ts'

/**
 * The file that an experiment directory was made from, if it has changed since: commands on a directory use the last
 * run, and `assay run <file>` uses the file.
 */
export function changedFile(dir: string, { cwd }: Pick<Io, 'cwd'>): string | null {
  const experiment = withJournal(dir, readDefinition)
  const file = experiment === undefined ? null : changedConfiguration(dir, experiment)
  if (file === null) return null
  const fromHere = relative(cwd, file)
  return fromHere.startsWith('..') ? file : fromHere
}
