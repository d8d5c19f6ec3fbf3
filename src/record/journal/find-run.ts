import { AssayError } from '../../util/errors.ts'
import type { Journal } from './journal.ts'

/** The run with this name, key, or unambiguous beginning or ending of its name (the hash is enough). */
export function findRun(journal: Journal, wanted: string): { readonly id: number; readonly name: string } {
  const exact = journal.get<{ id: number; name: string }>(
    'SELECT id, name FROM runs WHERE name = ?1 OR key = ?1',
    wanted,
  )
  if (exact) return exact
  const escaped = wanted.replace(/[\\%_]/g, '\\$&')
  const near = journal.all<{ id: number; name: string }>(
    `SELECT id, name FROM runs WHERE name LIKE ?1 ESCAPE '\\' OR name LIKE ?2 ESCAPE '\\' ORDER BY name LIMIT 6`,
    `${escaped}%`,
    `%${escaped}`,
  )
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
