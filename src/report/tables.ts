import { dialectNamed } from '../define/dialects/registry.ts'
import type { Experiment } from '../define/experiment.ts'
import type { RunRecord } from '../define/observation.ts'
import { spell } from '../define/spelling/spelling.ts'
import type { Journal } from '../record/journal/journal.ts'
import { reportedPoints } from '../record/read/activity.ts'
import { folderOf } from '../record/read/observations.ts'
import { csvLine } from '../util/csv.ts'
import { isJsonObject, type Json, type JsonObject } from '../util/json.ts'

/** The columns that come first in every table, unless the dialect has its own order; the others follow by name. */
const firstColumns = [
  'run_id',
  'seed',
  'ablation_name',
  'ablation_flags',
  'exit_code',
  'wall_time_s',
  'run_dir',
  'start_time_unix_s',
  'end_time_unix_s',
]

/** One row per attempted run, with its attempts: parameters, block, outcome, times, metrics. A missing metric is blank. */
export function runsTable(experiment: Experiment, dir: string, runs: Iterable<RunRecord>): Table {
  const rows: TableRow[] = []
  const seen = new Set<string>()
  for (const run of runs) {
    if (run.started_at === null) continue
    const row = rowOf(experiment, dir, run)
    for (const column of Object.keys(row)) seen.add(column)
    rows.push(row)
  }
  rows.sort((a, b) => (String(a.run_id) < String(b.run_id) ? -1 : 1))
  const first = dialectNamed(experiment.dialect).columns?.first ?? firstColumns
  const rest = [...seen].filter(column => !first.includes(column)).sort()
  return { columns: [...first.filter(column => seen.has(column)), ...rest], rows }
}

function rowOf(experiment: Experiment, dir: string, run: RunRecord): TableRow {
  const { outcome, block } = run
  const params = withoutAblation(run)
  const problems = Object.entries(run.problems).map(([metric, problem]) => `${metric}: ${problem}`)
  return {
    // A metrics file may repeat parameters and the seed: the column contains what the run was given.
    ...run.metrics,
    ...flat(block),
    ...flat(params),
    run_id: run.name,
    ...(block.seed === undefined && params.seed === undefined ? { seed: run.seed } : { run_seed: run.seed }),
    ...(run.ablation !== null && { ablation_name: run.ablation, ablation_flags: run.flags.join(' ') }),
    ...dialectNamed(experiment.dialect).columns?.of(run),
    replicate: run.replicate,
    state: run.state,
    outcome: outcome?.kind ?? null,
    error_class: outcome?.error_class ?? null,
    ...(outcome?.exit_status !== undefined && { exit_status: outcome.exit_status }),
    // Blank if there was no process, or it did not end by itself.
    exit_code: outcome?.exit_code ?? null,
    attempts: run.attempts.length,
    wall_time_s: run.wall_s,
    cpu_s: run.cpu_s,
    max_rss_bytes: run.max_rss_bytes,
    cost_usd: run.cost_usd,
    cost_assumed: run.cost_usd === null ? null : run.cost_assumed,
    metric_problems: problems.length > 0 ? problems.join('; ') : null,
    run_dir: folderOf(run, dir),
    start_time_unix_s: run.started_at === null ? null : run.started_at / 1000,
    end_time_unix_s: run.ended_at === null ? null : run.ended_at / 1000,
  }
}

/** An ablation has columns of its own. */
function withoutAblation({ params, ablation }: RunRecord): JsonObject {
  if (ablation === null) return params
  const { ablation: _, ...others } = params
  return others
}

/** Objects become columns of their own: `optimizer.lr`. */
function flat(values: JsonObject, prefix = ''): Record<string, Json> {
  const columns: Record<string, Json> = {}
  for (const [name, value] of Object.entries(values))
    if (isJsonObject(value)) Object.assign(columns, flat(value, `${prefix}${name}.`))
    else columns[prefix + name] = value
  return columns
}

/** A cell as text: empty for null, otherwise as the dialect spells it. */
export function cellText(experiment: Experiment, column: string, value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  return dialectNamed(experiment.dialect).columns?.cellText(value) ?? spell(experiment.naming, column, value)
}

/** One row per reported value: run, metric, step, value; in the order of the plan and of the reports. */
export function seriesTable(journal: Journal): Table {
  const rows = Array.from(reportedPoints(journal), ({ run, ...point }) => ({ run_id: run, ...point }))
  return { columns: ['run_id', 'metric', 'step', 'value'], rows }
}

type TableRow = { readonly [column: string]: Json }

/** Rows to write to a file; a cell that a row lacks is blank. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly TableRow[]
}

/** How a cell is spelt; empty for null. */
export type Spell = (column: string, value: Json | undefined) => string

export function csvText({ columns, rows }: Table, spell: Spell): string {
  const lines = rows.map(row => csvLine(columns.map(column => spell(column, row[column]))))
  return csvLine(columns) + lines.join('')
}

/** One JSON document per line, blanks as null. */
export function jsonlText({ columns, rows }: Table): string {
  return rows
    .map(row => `${JSON.stringify(Object.fromEntries(columns.map(column => [column, row[column] ?? null])))}\n`)
    .join('')
}

/**
 * The table as a Parquet file, for pandas, Polars, DuckDB and the like. Numbers are doubles, so that a parameter that
 * is whole in one experiment and not in the next has one type; a column of several kinds is text.
 */
export async function parquetOf({ columns, rows }: Table): Promise<Uint8Array> {
  // Only this format needs it.
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer')
  const columnData = columns.map(name =>
    columnOf(
      name,
      rows.map(row => row[name] ?? null),
    ),
  )
  const bytes = new ByteWriter()
  const schema = schemaFromColumnData({ columnData })
  const file = new ParquetWriter({ writer: bytes, schema, statistics: columns.length <= mostWithStatistics })
  const groups: typeof file.row_groups = []
  for (let start = 0; start < rows.length; start += groups.length === 1 ? firstGroup : laterGroups) {
    const size = Math.min(groups.length === 0 ? firstGroup : laterGroups, rows.length - start)
    const before = bytes.offset
    // The writer walks its whole schema to find a column: with one column at a time, there is nothing to walk.
    const chunks = columnData.flatMap(({ name, data }, at) => {
      file.schema = [{ name: 'root', num_children: 1 }, ...schema.slice(at + 1, at + 2)]
      file.row_groups = []
      file.write({ columnData: [{ name, data: data.slice(start, start + size) }], rowGroupSize: size })
      return file.row_groups.flatMap(({ columns }) => columns)
    })
    groups.push({ columns: chunks, total_byte_size: BigInt(bytes.offset - before), num_rows: BigInt(size) })
  }
  file.schema = schema
  file.row_groups = groups
  file.num_rows = BigInt(rows.length)
  file.finish()
  return new Uint8Array(bytes.getBuffer())
}

/** A reader shows the first rows before it has read the others. */
const firstGroup = 1000
const laterGroups = 100_000

/** Least and greatest values let readers skip groups of rows; with each of them the writer walks the whole schema. */
const mostWithStatistics = 500

function columnOf(name: string, cells: readonly Json[]) {
  const kinds = new Set(cells.filter(cell => cell !== null).map(cell => typeof cell))
  const [kind] = kinds
  if (kinds.size === 1 && kind === 'number') return { name, data: [...cells], type: 'DOUBLE' as const, nullable: true }
  if (kinds.size === 1 && kind === 'boolean')
    return { name, data: [...cells], type: 'BOOLEAN' as const, nullable: true }
  const data = cells.map(cell => (cell === null || typeof cell === 'string' ? cell : JSON.stringify(cell)))
  return { name, data, type: 'STRING' as const, nullable: true }
}
