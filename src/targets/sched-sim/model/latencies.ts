import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseCsv } from '../../../util/csv.ts'
import { AssayError, messageOf } from '../../../util/errors.ts'
import { didYouMean } from '../../../util/suggest.ts'

/** A column of numbers in a CSV file; `where`: only from rows with these cells. */
export function readColumn(
  file: string,
  column: string,
  { folder, where = {} }: { readonly folder: string; readonly where?: Readonly<Record<string, string>> | undefined },
): readonly number[] {
  const [header = [], ...rows] = parseCsv(readText(resolve(folder, file), file))
  const indexOf = (name: string): number => {
    const index = header.indexOf(name)
    if (index >= 0) return index
    const hint = didYouMean(name, header) ?? `it has ${header.join(', ')}`
    throw new AssayError('config', `${file}: there is no column "${name}"`, { hint })
  }
  const wanted = Object.entries(where).map(([name, cell]) => ({ index: indexOf(name), cell }))
  const at = indexOf(column)
  const cells = rows.filter(row => wanted.every(({ index, cell }) => row[index] === cell)).map(row => row[at] ?? '')
  if (cells.length === 0) throw new AssayError('config', `${file}: no row has the wanted cells`)
  return cells.map((cell, index) => {
    const value = Number(cell)
    if (cell.trim() !== '' && Number.isFinite(value) && value >= 0) return value
    throw new AssayError('config', `${file}: expected a number, 0 or more, in column "${column}", got "${cell}"`, {
      facts: { row: index + 1 },
    })
  })
}

function readText(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new AssayError('config', `${file}: can't be read: ${messageOf(error)}`, { cause: error })
  }
}
