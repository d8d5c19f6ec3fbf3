import { AssayError } from '../../util/errors.ts'
import { number, type RowOf, text } from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'

/** The run with this name, this key, or an unambiguous beginning or end of its name (the hash is enough). */
export function findRun(journal: Journal, wanted: string): { readonly id: number; readonly name: string } {
  const exact = journal.get(foundColumns, 'SELECT id, name FROM runs WHERE name = ?1 OR key = ?1', wanted)
  if (exact) return exact
  // The complete part before the hash is more than a beginning: seed-1 is not the beginning of seed-10.
  const whole = beginningWith(journal, `${wanted}__`)
  if (whole.length === 1 && whole[0]) return whole[0]
  const near = beginningWith(journal, wanted)
  if (near.length === 0) near.push(...endingWith(journal, wanted))
  const [only] = near
  if (only && near.length === 1) return only
  if (near.length > 1)
    throw new AssayError(
      'usage',
      `"${wanted}" fits several runs: ${near.map(run => run.name).join(', ')}${near.length > 5 ? ', …' : ''}`,
      {
        hint: 'Give the whole name, or the twelve characters at its end.',
      },
    )
  throw new AssayError('not_found', `there is no run "${wanted}" in this experiment`, {
    hint: '`assay plan` lists the runs and their names.',
  })
}

const foundColumns = {
  id: number,
  name: text,
}

type Found = RowOf<typeof foundColumns>

const beginningWith = (journal: Journal, start: string): Found[] =>
  journal.all(
    foundColumns,
    'SELECT id, name FROM runs WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name LIMIT 6',
    start,
  )

const endingWith = (journal: Journal, end: string): Found[] =>
  journal.all(foundColumns, 'SELECT id, name FROM runs WHERE substr(name, -length(?1)) = ?1 ORDER BY name LIMIT 6', end)

/** Some names of runs, to guess what a mistyped name meant. */
export const someRunNames = (journal: Journal, most: number): readonly string[] =>
  journal.all({ name: text }, 'SELECT name FROM runs ORDER BY id LIMIT ?', most).map(({ name }) => name)
