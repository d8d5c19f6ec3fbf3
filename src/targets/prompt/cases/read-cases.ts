import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { matchFiles, placesText, readSource, resolvePath } from '../../../define/read-files.ts'
import { parseCsv } from '../../../util/csv.ts'
import { AssayError, messageOf, systemCode } from '../../../util/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import type { Assertion } from '../asserts/assert-schema.ts'
import { type TestCase, testCase } from '../spec.ts'
import { expectedOf } from './expected.ts'
import { labelIn } from './label.ts'

export interface Places {
  readonly folder: string
  readonly cwd: string
}

/** The cases of a file, or of all files that match a pattern: CSV with a header, JSONL, or a list in JSON, YAML or TOML. */
export function readCases(written: string, places: Places): readonly TestCase[] {
  const name = written.replace(/^file:\/\//, '')
  if (/^https?:\/\/|^(?:huggingface|az|s3):/.test(name))
    throw wrong(`${name}: cases are read from files here`, 'download it first, and name the file')
  if (!/[*?[\]]/.test(name)) return readFile(name, places)
  const files = matchFiles(name, places)
  if (files.length === 0) throw wrong(`${name}: matches no file in ${placesText(places)}`)
  return files.flatMap(file => readFile(file, places))
}

function readFile(name: string, places: Places): readonly TestCase[] {
  const file = resolvePath(name, places)
  switch (extname(file).toLowerCase()) {
    case '.csv':
      return csvCases(textIn(file, name), name)
    case '.jsonl':
    case '.ndjson':
      return jsonLines(textIn(file, name), name)
    case '.json':
    case '.jsonc':
    case '.yaml':
    case '.yml':
    case '.toml':
      return listed(readSource(file, places.cwd).value, name)
    case '.js':
    case '.mjs':
    case '.cjs':
    case '.ts':
    case '.mts':
    case '.py':
      throw wrong(`${name}: code that makes cases is not run here`, 'run it once, and save what it gives as .jsonl')
    default:
      throw wrong(`${name}: expected a file of cases that ends in .csv, .jsonl, .json, .yaml or .toml`)
  }
}

/** A text file that is named in an experiment. */
export function textIn(file: string, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).replace(/^\uFEFF/, '')
  } catch (error) {
    const what = systemCode(error) === 'ENOENT' ? `no such file: ${file}` : `can't be read: ${messageOf(error)}`
    throw wrong(`${name}: ${what}`)
  }
}

const wrong = (message: string, hint?: string): AssayError =>
  new AssayError('config', message, hint === undefined ? {} : { hint })

/** Columns are variables; `__expected…` are asserts, `__description` and `id` a name. */
function csvCases(text: string, name: string): readonly TestCase[] {
  const [header, ...rows] = parseCsv(text)
  if (header === undefined) throw wrong(`${name}: has no header: its first line names the variables`)
  return rows.map((row, index) => {
    if (row.length !== header.length)
      throw wrong(`${name}: row ${index + 2} has ${row.length} cells, the header ${header.length}`)
    const cells = header.map((column, at) => [column.trim(), row[at] ?? ''] as const)
    const isOwn = ([column]: readonly [string, string]) => column.startsWith('__')
    const asserts = cells.filter(([column, cell]) => /^__expected\d*$/.test(column) && cell.trim() !== '')
    const unknown = cells.find(([column]) => column.startsWith('__') && !ownColumns.test(column))
    if (unknown !== undefined)
      throw wrong(
        `${name}: column "${unknown[0]}" means nothing: only __expected, __expected1, …, __description, __metric, __threshold, __prefix, __suffix and __label do`,
      )
    const where = `${name}: row ${index + 2}`
    const id = cells.find(([column]) => column === '__description' || column === 'id')?.[1]
    return {
      ...(id === undefined || id === '' ? {} : { id }),
      vars: Object.fromEntries(cells.filter(cell => !isOwn(cell))),
      ...(asserts.length === 0 ? {} : { assert: asserts.map(([, cell]) => expectedIn(cell, cells, where)) }),
      ...rowFacts(cells, where),
    }
  })
}

const ownColumns = /^__(expected\d*|description|metric|threshold|prefix|suffix|label)$/

type Cells = readonly (readonly [string, string])[]

/** The cell of one of assay's or promptfoo's own columns in this row; undefined: empty. */
function ownCell(cells: Cells, column: string): string | undefined {
  const cell = cells.find(([name]) => name === `__${column}`)?.[1]
  return cell === undefined || cell.trim() === '' ? undefined : cell
}

function expectedIn(cell: string, cells: Cells, where: string): Assertion {
  const metric = ownCell(cells, 'metric')
  try {
    return { ...expectedOf(cell), ...(metric !== undefined && { metric }) }
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    throw wrong(`${where}: ${error.message}`, error.hint)
  }
}

function rowFacts(cells: Cells, where: string): Pick<TestCase, 'threshold' | 'options' | 'label'> {
  const [threshold, prefix, suffix, said] = ['threshold', 'prefix', 'suffix', 'label'].map(name => ownCell(cells, name))
  const label = said === undefined ? undefined : labelIn(said)
  if (label === null) throw wrong(`${where}: __label: expected pass or fail, got "${said}"`)
  if (threshold !== undefined && !(Number(threshold) >= 0 && Number(threshold) <= 1))
    throw wrong(`${where}: __threshold: expected a number from 0 to 1, got "${threshold}"`)
  const options = { ...(prefix !== undefined && { prefix }), ...(suffix !== undefined && { suffix }) }
  return {
    ...(threshold !== undefined && { threshold: Number(threshold) }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(label !== undefined && { label }),
  }
}

function jsonLines(text: string, name: string): readonly TestCase[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      return [caseOf(JSON.parse(line), `${name}:${index + 1}`)]
    } catch (error) {
      if (error instanceof AssayError) throw error
      throw wrong(`${name}:${index + 1}: ${messageOf(error)}`)
    }
  })
}

function listed(value: Json, name: string): readonly TestCase[] {
  const list = isJsonObject(value) ? (value.tests ?? value.cases) : value
  if (!Array.isArray(list)) throw wrong(`${name}: expected a list of cases`)
  return list.map((item, index) => caseOf(item, `${name}: case ${index + 1}`))
}

/** With `vars` or `assert` it is a case as in an experiment file; anything else is the variables themselves. */
function caseOf(item: Json, where: string): TestCase {
  if (!isJsonObject(item)) throw wrong(`${where}: expected a map, got ${JSON.stringify(item)}`)
  // Lists in a row of data are data; in `vars` a list of texts is several cases, as in promptfoo.
  if (!isJsonObject(item.vars) && !Array.isArray(item.assert))
    return { ...nameIn(item), vars: item, options: { disableVarExpansion: true } }
  const parsed = testCase.safeParse(item)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw wrong(`${where}: ${issue?.path.join('.')}: ${issue?.message}`)
}

const nameIn = ({ id }: JsonObject): { readonly id?: string } =>
  typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}
