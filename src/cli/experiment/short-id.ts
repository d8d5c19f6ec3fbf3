import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { readExperiment } from '../../record/journal/experiment-row.ts'
import { experimentsUnder } from '../../record/places.ts'
import { AssayError } from '../../util/errors.ts'
import { suggest } from '../../util/suggest.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import { withJournal } from './with-journal.ts'

/** An experiment that a short id can refer to. */
export interface KnownExperiment {
  readonly id: string
  readonly name: string
  readonly dir: string
}

/**
 * The directory of the experiment with a short id (`3f9a1c2e`; `project/3f9a1c2e` and `entity/project/3f9a1c2e` mean
 * the same): undefined for a word that is not an id. An unknown id is an error that lists the known ones.
 */
export function experimentById(word: string, options: Options, io: Io): string | undefined {
  const [, id] = /^(?:[^/\s]+\/){0,2}([0-9a-z]{6,10})$/.exec(word) ?? []
  if (id === undefined || statSync(resolve(io.cwd, word), { throwIfNoEntry: false }) !== undefined) return undefined
  const known = knownExperiments(options, io)
  const found = known.filter(experiment => experiment.id === id)
  const [only] = found
  if (only !== undefined && found.length === 1) return only.dir
  if (found.length > 1)
    throw new AssayError('usage', `${id} is the id of several directories: ${found.map(({ dir }) => dir).join(', ')}`, {
      hint: 'One is a copy of the other: give the directory instead.',
    })
  // Without a digit it is more likely the name of something.
  if (!/\d/.test(id)) return undefined
  throw unknownId(id, known, rootOf(options, io))
}

/** The experiments below `--out-root`, or else below the working directory, at most four levels down. */
export function knownExperiments(options: Options, io: Io): readonly KnownExperiment[] {
  return experimentsUnder(rootOf(options, io)).flatMap(dir => {
    const known = readKnown(dir)
    return known === undefined ? [] : [known]
  })
}

export const rootOf = ({ outRoot }: Options, { cwd }: Io): string => resolve(cwd, outRoot ?? '.')

/** The words that find an experiment from here again: its id, with its place if that is not searched anyway. */
export function nameFor({ id, dir }: Omit<KnownExperiment, 'name'>, options: Options, io: Io): string {
  const isFoundFromHere = experimentsUnder(io.cwd).includes(dir)
  if (isFoundFromHere) return id
  const root = options.outRoot ?? relative(io.cwd, resolve(dir, '..'))
  return experimentsUnder(resolve(io.cwd, root)).includes(dir) ? `${id} --out-root ${root}` : dir
}

/** An unreadable directory must not hide others. */
function readKnown(dir: string): KnownExperiment | undefined {
  try {
    const row = withJournal(dir, readExperiment)
    return row && { id: row.shortId, name: row.name, dir }
  } catch (error) {
    if (error instanceof AssayError) return undefined
    throw error
  }
}

function unknownId(id: string, known: readonly KnownExperiment[], root: string): AssayError {
  const nearest = suggest(
    id,
    known.map(one => one.id),
  )
  const shown = known.slice(0, mostShown).map(one => `  ${one.id}  ${one.name}`)
  const more = known.length > mostShown ? [`  and ${known.length - mostShown} more: assay sweep list`] : []
  const there = known.length === 0 ? ['There are no experiments there.'] : ['There are:', ...shown, ...more]
  const where = 'To search elsewhere: --out-root <folder>.'
  const hint = [...(nearest === null ? [] : [`did you mean ${nearest}?`]), ...there, where].join('\n')
  return new AssayError('not_found', `no experiment below ${root} has the id ${id}`, { hint })
}

const mostShown = 20
