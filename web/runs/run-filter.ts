import { compileTest } from '../../src/plan/select/filter-evidence.ts'
import type { Json } from '../../src/util/json.ts'
import type { RunColumn } from './run-columns.ts'
import type { KnownRun } from './run-index.ts'

/** `policy=full`, `score > 0.5 and seed < 3` on any column; without such signs, runs in which the words occur. */
export function runFilter(text: string, columns: readonly RunColumn[]): (run: KnownRun) => boolean {
  const wanted = text.trim()
  if (wanted === '') return () => true
  if (!/[=<>!]| (and|or|in) /.test(wanted)) return containing(wanted, columns)
  const fields = new Map(columns.map(column => [column.name, column]))
  const test = compileTest(wanted, new Set([...fields.keys(), 'name']))
  return run => test(scopeOf(run, fields))
}

/** Only the requested columns are read. */
const scopeOf = (run: KnownRun, fields: ReadonlyMap<string, RunColumn>): { readonly [name: string]: Json } =>
  new Proxy({} as { readonly [name: string]: Json }, {
    get: (_, name) => (name === 'name' ? run.run.name : (fields.get(String(name))?.cell(run) ?? null)),
    has: (_, name) => fields.has(String(name)),
  })

function containing(words: string, columns: readonly RunColumn[]): (run: KnownRun) => boolean {
  const wanted = words.toLowerCase().split(/\s+/)
  return run => {
    // The whole name, because the table may show only a part of it.
    const text = [run.run.name, ...columns.map(column => column.text(run))].join(' ').toLowerCase()
    return wanted.every(word => text.includes(word))
  }
}
