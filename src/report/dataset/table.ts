import { canonicalJson, type Json } from '../../util/json.ts'
import type { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'
import { type NumberCode, readNumbers, writeNumbers } from './numbers.ts'
import type { Steps } from './steps.ts'

export type Row = { readonly [column: string]: Json | undefined }

/** A table without its cells: those are in the bytes, column by column. */
export interface TableHead {
  readonly rows: number
  readonly columns: readonly ColumnHead[]
}

interface ColumnHead {
  readonly name: string
  /** Some rows lack it. */
  readonly isSparse: boolean
  readonly code: NumberCode | Choices
}

/** A value that is not a number is an index into these. */
interface Choices {
  readonly kind: 'choice'
  readonly values: readonly Json[]
}

/** Rows as columns: what a row lacks is absent again when they are read. */
export function writeTable(rows: readonly Row[], writer: ByteWriter): TableHead {
  const names = new Set<string>()
  for (const row of rows) for (const name of Object.keys(row)) if (row[name] !== undefined) names.add(name)
  return { rows: rows.length, columns: [...names].map(name => writeColumn(name, rows, writer)) }
}

export function* readTable({ rows, columns }: TableHead, reader: ByteReader): Steps<{ [column: string]: Json }[]> {
  const table = Array.from({ length: rows }, (): { [column: string]: Json } => ({}))
  for (const column of columns) {
    const places = column.isSparse ? readPlaces(rows, reader) : null
    const cells = readCells(column.code, places?.length ?? rows, reader)
    for (let index = 0; index < cells.length; index++)
      setCell(table[places?.[index] ?? index] ?? {}, column.name, cells[index] ?? null)
    yield
  }
  return table
}

/** Assigning to `__proto__` would not make a property. */
function setCell(row: { [column: string]: Json }, name: string, value: Json): void {
  if (name === '__proto__')
    Object.defineProperty(row, name, { value, enumerable: true, writable: true, configurable: true })
  else row[name] = value
}

function writeColumn(name: string, rows: readonly Row[], writer: ByteWriter): ColumnHead {
  const places: number[] = []
  const cells: Json[] = []
  for (const [at, row] of rows.entries()) {
    const cell = Object.hasOwn(row, name) ? row[name] : undefined
    if (cell === undefined) continue
    places.push(at)
    cells.push(cell)
  }
  const isSparse = places.length < rows.length
  if (isSparse) writePlaces(places, writer)
  if (cells.every(cell => typeof cell === 'number'))
    return { name, isSparse, code: writeNumbers(cells as number[], writer) }
  const choices = new Map<string, { readonly index: number; readonly value: Json }>()
  for (const cell of cells) {
    const key = keyOf(cell)
    const choice = choices.get(key) ?? { index: choices.size, value: spelled(cell) }
    choices.set(key, choice)
    writer.count(choice.index)
  }
  return { name, isSparse, code: { kind: 'choice', values: [...choices.values()].map(({ value }) => value) } }
}

function readCells(code: ColumnHead['code'], count: number, reader: ByteReader): readonly Json[] {
  if (code.kind !== 'choice') return readNumbers(code, count, reader)
  const values = code.values.map(unspelled)
  return Array.from({ length: count }, () => values[reader.count()] ?? null)
}

/** As distances from one to the next. */
function writePlaces(places: readonly number[], writer: ByteWriter): void {
  writer.count(places.length)
  let last = -1
  for (const place of places) {
    writer.count(place - last - 1)
    last = place
  }
}

function readPlaces(rows: number, reader: ByteReader): readonly number[] {
  let last = -1
  return Array.from({ length: Math.min(rows, reader.count()) }, () => {
    last += reader.count() + 1
    return last
  })
}

/** JSON has no NaN and no infinity; a user's table may contain them as text. */
const oddNumber = '\u0000number'

const isOdd = (value: Json): value is number => typeof value === 'number' && !Number.isFinite(value)
const keyOf = (value: Json): string =>
  typeof value === 'string' ? `"${value}` : isOdd(value) ? `${oddNumber}${value}` : canonicalJson(value)
const spelled = (value: Json): Json => (isOdd(value) ? `${oddNumber}${value}` : value)
const unspelled = (value: Json): Json =>
  typeof value === 'string' && value.startsWith(oddNumber) ? Number(value.slice(oddNumber.length)) : value
