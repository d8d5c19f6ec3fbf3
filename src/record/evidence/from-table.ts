import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { type Evidence, type Observation, observed } from '../../define/observation.ts'
import type { Series } from '../../define/run.ts'
import { parseCsv } from '../../util/csv.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { sha256 } from '../../util/hash.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { didYouMean } from '../../util/suggest.ts'
import { maybeBlock } from './unnamed-clusters.ts'

/** What the columns of a table mean. */
export interface TableColumns {
  /** Columns that identify the arms. */
  readonly group: readonly string[]
  /** Columns that pair the rows of different arms, the outermost first; null: not given. */
  readonly pairBy: readonly string[] | null
  /** With these two, a row is a point of a series, not a run. */
  readonly run: string | null
  readonly step: string | null
}

type Row = Readonly<Record<string, Json>>

interface Columns extends TableColumns {
  readonly pairBy: readonly string[]
}

/** A CSV or JSONL file, or its `text` alone: each row is a run, or with `run` and `step` columns a point of a run's series. */
export function evidenceOfTable(file: string, wish: TableColumns, text?: string): Evidence {
  const keys = new Set([...wish.group, ...(wish.pairBy ?? []), wish.run])
  const bytes = text === undefined ? bytesOf(file) : Buffer.from(text)
  const isKey = (name: string): boolean => keys.has(name) || (wish.pairBy === null && maybeBlock(name))
  const rows = readRows(file, bytes.toString('utf8'), isKey)
  const known = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const named = [...wish.group, ...(wish.pairBy ?? []), wish.run, wish.step].filter(name => name !== null)
  for (const name of named) if (!known.includes(name)) throw noColumn(file, name, known)
  const name = basename(file)
  const columns = { ...wish, pairBy: wish.pairBy ?? [] }
  const runs =
    columns.run === null
      ? rows.map((row, index) => runOfRow(row, index, name, columns))
      : runsOfPoints(rows, name, columns)
  return {
    runs,
    metrics: [],
    blocks: columns.pairBy,
    factors: columns.group,
    levels: {},
    baseline: null,
    sources: [{ name, path: file, planned: null, kind: 'table', sha256: sha256(bytes) }],
  }
}

function noColumn(file: string, name: string, known: readonly string[]): AssayError {
  const hint = didYouMean(name, known) ?? `it has ${known.join(', ')}`
  return new AssayError('usage', `${file} has no column "${name}"`, { hint })
}

function runOfRow(row: Row, index: number, source: string, columns: Columns): Observation {
  const label = row.run_id ?? row.name ?? row.id
  return {
    ...emptyRun(source, typeof label === 'string' ? label : `row ${index + 1}`, row, columns),
    metrics: numbersIn(row, columns),
    problems: problemsIn(row, columns),
  }
}

function runsOfPoints(rows: readonly Row[], source: string, columns: Columns): Observation[] {
  const { run = '', step = '' } = { run: columns.run ?? '', step: columns.step ?? '' }
  const byRun = Map.groupBy(rows, row => String(row[run] ?? ''))
  return [...byRun].map(([name, points]) => {
    const sorted = points.toSorted((a, b) => Number(a[step]) - Number(b[step]))
    return { ...emptyRun(source, name, points[0] ?? {}, columns), series: seriesOf(sorted, step, columns) }
  })
}

function seriesOf(points: readonly Row[], step: string, columns: Columns): Series[] {
  const names = new Set(points.flatMap(point => Object.keys(numbersIn(point, columns))))
  names.delete(step)
  return [...names].map(metric => {
    const known = points.filter(point => isNumeric(point[metric] ?? null))
    return { metric, steps: known.map(point => Number(point[step])), values: known.map(point => Number(point[metric])) }
  })
}

function emptyRun(source: string, name: string, row: Row, { group, pairBy }: Columns): Observation {
  const pick = (names: readonly string[]): JsonObject =>
    Object.fromEntries(names.map(column => [column, row[column] ?? null]))
  return observed({ name, source, params: pick(group), block: pick(pairBy), columns: row })
}

const isNumeric = (value: Json): boolean => typeof value === 'number' || typeof value === 'boolean'

/** A cell that is blank or text is not a number, and never 0. */
function problemsIn(row: Row, columns: Columns): Record<string, string> {
  const numbers = numbersIn(row, columns)
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      if (numbers[name] !== undefined) return []
      return [[name, value === null ? 'blank' : `not a number: ${JSON.stringify(value)}`]]
    }),
  )
}

function numbersIn(row: Row, { group, pairBy, run, step }: Columns): Record<string, number> {
  const others = new Set([...group, ...pairBy, run, step])
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      if (others.has(name)) return []
      return isNumeric(value) ? [[name, Number(value)]] : []
    }),
  )
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new AssayError('not_found', `${file}: can't be read: ${messageOf(error)}`, { cause: error })
  }
}

function readRows(file: string, text: string, isKey: (name: string) => boolean): readonly Row[] {
  const rows = ['.jsonl', '.ndjson'].includes(extname(file)) ? jsonLines(file, text) : csvRows(text, isKey)
  if (rows.length === 0) throw new AssayError('usage', `${file} has no rows`)
  return rows
}

function csvRows(text: string, isKey: (name: string) => boolean): readonly Row[] {
  const [header = [], ...rows] = parseCsv(text.replace(/^\uFEFF/, ''))
  return rows.map(row =>
    Object.fromEntries(
      header.map((name, index) => [name, isKey(name) ? keyValue(row[index] ?? '') : cellValue(row[index] ?? '')]),
    ),
  )
}

/** Numbers are numbers, NaN included: dropping it here would hide it. True and false are as Python and JSON write them. */
function cellValue(text: string): Json {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (/^nan$/i.test(trimmed)) return Number.NaN
  if (/^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true'
  const number = Number(trimmed)
  return Number.isNaN(number) ? text : number
}

/** Values that identify rows stay as they are written: 3.1 and 3.10, 7 and 007 are different names. */
function keyValue(text: string): Json {
  const value = cellValue(text)
  return typeof value === 'number' && String(value) !== text.trim() ? text.trim() : value
}

function jsonLines(file: string, text: string): readonly Row[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      const value = JSON.parse(line) as Json
      if (isJsonObject(value)) return [value]
    } catch {
      // Reported below, like a line that is not an object.
    }
    throw new AssayError('usage', `${file}:${index + 1}: expected one JSON object a line`)
  })
}
