import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { makeFolders } from '../../util/files.ts'

export const journalFile = (dir: string): string => join(dir, 'journal.db')

/**
 * Where an experiment's files are: `<out_root>/<name>`, or its newest dated series. `again` names a new series:
 * `<name>@2026-11-15`, then `<name>@2026-11-15.2`, …
 */
export function experimentDirectory(
  experiment: Experiment,
  options: { readonly cwd: string; readonly again?: boolean; readonly now: number },
): string {
  const root = resolve(options.cwd, experiment.out_root)
  const name = directoryName(experiment.name)
  return join(root, options.again ? nextSeries(root, name, options.now) : (newestSeries(root, name) ?? name))
}

/** The original's rule, so that its directories are found: other characters become `_`, none at the ends. */
export function directoryName(name: string): string {
  const clean = name.replace(/[^\p{L}\p{N}\-_.]/gu, '_').replace(/^_+|_+$/g, '')
  return clean === '' || /^\.+$/.test(clean) ? 'experiment' : clean
}

function nextSeries(root: string, name: string, now: number): string {
  const first = `${name}@${new Date(now).toISOString().slice(0, 10)}`
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? first : `${first}.${number}`
    if (!existsSync(join(root, candidate))) return candidate
  }
}

function newestSeries(root: string, name: string): string | undefined {
  // A file in its place is refused later, when the directory is made.
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return undefined
  const numbered = readdirSync(root).flatMap(entry => {
    const match = entry.startsWith(`${name}@`)
      ? /^(\d{4}-\d{2}-\d{2})(?:\.(\d+))?$/.exec(entry.slice(name.length + 1))
      : null
    return match ? [{ entry, day: match[1] ?? '', number: Number(match[2] ?? 1) }] : []
  })
  numbered.sort((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1))
  return numbered.at(-1)?.entry
}

/** Makes the directory, or says plainly why it can't be written. */
export function makeExperimentDirectory(dir: string): void {
  try {
    makeFolders(join(dir, 'runs'))
    accessSync(dir, constants.W_OK)
  } catch (error) {
    throw new AssayError('cannot_write', `can't write to ${dir}: ${messageOf(error)}`, {
      cause: error,
      hint: 'Choose another place with --out-root.',
    })
  }
}

/** Keeps the configuration as it was given beside the results. */
export function keepConfiguration(dir: string, experiment: Experiment): void {
  if (experiment.file === null) {
    writeFileSync(join(dir, 'experiment.json'), `${JSON.stringify(experiment, null, 2)}\n`)
    return
  }
  const kept = keptFile(dir, experiment.file)
  if (resolve(experiment.file) !== resolve(kept)) copyFileSync(experiment.file, kept)
}

const keptFile = (dir: string, file: string): string => join(dir, `experiment${extname(file)}`)

/** The file that the experiment was read from, if it is not any more what was kept of it; null also where one of them is gone. */
export function changedConfiguration(dir: string, { file }: Pick<Experiment, 'file'>): string | null {
  if (file === null) return null
  const kept = keptFile(dir, file)
  if (!existsSync(file) || !existsSync(kept)) return null
  return readFileSync(file).equals(readFileSync(kept)) ? null : file
}

/** Whether a path given by a user is an experiment directory (or the journal in one). */
export function asExperimentDirectory(path: string): string | undefined {
  const dir = basename(path) === 'journal.db' ? dirname(path) : path
  return existsSync(journalFile(dir)) ? resolve(dir) : undefined
}
