import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Experiment } from '../define/experiment.ts'
import { definitionVersion, storedExperiment, storedText } from '../define/stored/stored-experiment.ts'
import { bindTarget, type Target } from '../define/target.ts'
import type { Setting } from '../perform/perform.ts'
import type { Fingerprint } from '../plan/identity.ts'
import { AssayError } from '../util/errors.ts'
import { sha256 } from '../util/hash.ts'
import { withOwnSecrets } from './secret-variables.ts'

/**
 * What a remote worker needs besides its jobs, as plain JSON: sent once, and named by its hash. Paths below the
 * experiment's folder are relative to it, so that the folder's place on the coordinator's machine does not matter.
 */
export interface WorkPackage {
  /** The digest of all the rest: a worker that has a package with this hash has this one. */
  readonly hash: string
  /** The definition with its paths rewritten; only {@link openWork} can read them. */
  readonly experiment: string
  /** The version of the definition's form. */
  readonly version: number
  /** The experiment's directory, relative to its folder. */
  readonly dir: string
  /** Of the files that runs depend on: a worker must have the same ones. */
  readonly fingerprint: Fingerprint
}

export function packWork(
  { experiment, dir }: Pick<Setting, 'experiment' | 'dir'>,
  fingerprint: Fingerprint,
): WorkPackage {
  const { folder } = experiment
  const text = storedText(experiment, (_, value) => (typeof value === 'string' ? withoutFolder(value, folder) : value))
  const packed = {
    experiment: text,
    version: definitionVersion,
    dir: relative(folder, dir) || '.',
    fingerprint,
  }
  return { hash: hashOf(packed), ...packed }
}

/** The same work on a machine with another experiment folder, and perhaps another directory. */
export function openWork(
  given: WorkPackage,
  place: { readonly folder: string; readonly dir?: string },
  targetFor: (experiment: Experiment) => Target,
): Setting {
  if (hashOf(given) !== given.hash)
    throw new AssayError('usage', `the work package ${given.hash} is damaged: its content has another hash`)
  const opened = storedExperiment(given.experiment, given.version, `the work package ${given.hash}`, text =>
    withFolder(text, place.folder),
  )
  const experiment = withOwnSecrets(opened)
  const dir = place.dir ?? resolve(place.folder, given.dir)
  return { ...bindTarget(targetFor(experiment), experiment), dir }
}

const hashOf = ({ experiment, version, dir, fingerprint }: Omit<WorkPackage, 'hash'>): string =>
  sha256(JSON.stringify([experiment, version, dir, fingerprint.hash]))

/** Stands for the experiment's folder. No text written by hand begins with it. */
const mark = '\u0001folder'

function withoutFolder(text: string, folder: string): string {
  if (text === folder) return mark
  const isBelow = isAbsolute(text) && text.startsWith(folder.endsWith(sep) ? folder : folder + sep)
  return isBelow ? `${mark}/${relative(folder, text).split(sep).join('/')}` : text
}

function withFolder(text: string, folder: string): string {
  if (text === mark) return folder
  return text.startsWith(`${mark}/`) ? join(folder, text.slice(mark.length + 1)) : text
}
