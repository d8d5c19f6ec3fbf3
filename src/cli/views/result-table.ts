import { canonicalJson } from '../../util/canonical-json.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import { significant } from './number.ts'
import { tableLines } from './table.ts'
import { textWidth } from './text-width.ts'

export interface ResultRow {
  readonly params: JsonObject
  readonly metrics: Readonly<Record<string, number>>
}

export interface ResultOptions {
  /** Parameters that are blocks: runs that differ only in these are averaged. */
  readonly blocks: readonly string[]
  /** Variants are shown in the order of these levels; a level that is not among them comes last. */
  readonly levels?: Readonly<Record<string, readonly Json[]>>
  /** In the order of the experiment; the primary one comes first. Without any: all there are, by name. */
  readonly metrics: readonly { readonly name: string; readonly primary: boolean }[]
  readonly columns: number
  readonly head?: (text: string) => string
}

/** One line per variant: the factors that vary, how many runs, and mean ± standard deviation of each metric. */
export function resultTable(rows: readonly ResultRow[], options: ResultOptions): string[] {
  const factors = varyingFactors(rows, options)
  const metrics = metricOrder(rows, options.metrics)
  if (rows.length === 0 || metrics.length === 0) return []
  const variants = Map.groupBy(rows, row => canonicalJson(factors.map(factor => row.params[factor] ?? null)))
  const inOrder = [...variants.values()].sort((a, b) => compareLevels(factors, options.levels, a[0], b[0]))
  const cells = inOrder.slice(0, mostVariants).map(runs => [
    ...factors.map(factor => levelText(runs[0]?.params[factor])),
    String(runs.length),
    ...metrics.map(metric =>
      meanText(
        runs.flatMap(run => run.metrics[metric] ?? []),
        runs.length,
      ),
    ),
  ])
  const { columns, head } = options
  const titles = [...factors, 'n', ...metrics]
  const fitting = Math.max(factors.length + 2, columnsThatFit([titles, ...cells], columns))
  const cut = (row: readonly string[]) => row.slice(0, fitting)
  const hidden = titles.length - cut(titles).length
  return [
    ...tableLines(cut(titles), cells.map(cut), head === undefined ? { columns } : { columns, head }),
    ...(cells.some(row => cut(row).some(cell => cell.includes('±'))) ? ['mean ± standard deviation of n runs'] : []),
    ...(inOrder.length > cells.length ? [`and ${inOrder.length - cells.length} more variants`] : []),
    ...(hidden > 0
      ? [`and ${hidden} more ${hidden === 1 ? 'metric' : 'metrics'}: \`assay collect\` writes them all`]
      : []),
  ]
}

/** A longer table belongs in a file. */
const mostVariants = 40

/** How many columns have room at their full width: a table of cut words tells nothing. */
function columnsThatFit(rows: readonly (readonly string[])[], width: number): number {
  let used = 0
  const count = rows[0]?.length ?? 0
  for (let column = 0; column < count; column++) {
    used += Math.max(...rows.map(row => textWidth(row[column] ?? ''))) + 2
    if (used - 2 > width) return column
  }
  return count
}

/** What varies in the rows, or was meant to: a factor does not disappear because all runs of one level failed. */
function varyingFactors(rows: readonly ResultRow[], { blocks, levels = {} }: ResultOptions): string[] {
  const names = new Set(rows.flatMap(row => Object.keys(row.params)))
  const seen = (name: string) => new Set(rows.map(row => canonicalJson(row.params[name] ?? null))).size
  return [...names].filter(name => !blocks.includes(name) && (seen(name) > 1 || (levels[name]?.length ?? 0) > 1))
}

function metricOrder(rows: readonly ResultRow[], specs: ResultOptions['metrics']): string[] {
  const found = [...new Set(rows.flatMap(row => Object.keys(row.metrics)))].sort()
  const named = specs.toSorted((a, b) => Number(b.primary) - Number(a.primary)).map(spec => spec.name)
  return named.some(name => found.includes(name)) ? named.filter(name => found.includes(name)) : found
}

/** Runs come in the order they finished; a table must not depend on that. */
function compareLevels(
  factors: readonly string[],
  levels: ResultOptions['levels'],
  a: ResultRow | undefined,
  b: ResultRow | undefined,
): number {
  for (const factor of factors) {
    const listed = (levels?.[factor] ?? []).map(canonicalJson)
    const place = (row: ResultRow | undefined) => listed.indexOf(canonicalJson(row?.params[factor] ?? null))
    const order = rank(place(a)) - rank(place(b)) || compareTwo(a?.params[factor], b?.params[factor])
    if (order !== 0) return order
  }
  return 0
}

/** What is not listed comes after everything that is. */
const rank = (place: number): number => (place < 0 ? Number.MAX_SAFE_INTEGER : place)

type Level = ResultRow['params'][string] | undefined

const compareTwo = (a: Level, b: Level): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : levelText(a).localeCompare(levelText(b), 'en', { numeric: true })

function levelText(level: Level): string {
  if (level === undefined) return '–'
  return typeof level === 'string' ? level : canonicalJson(level)
}

/** A missing value is missing, never 0, and seen to be missing; one value has no deviation. */
function meanText(values: readonly number[], runs: number): string {
  if (values.length === 0) return '–'
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const fewer = values.length < runs ? ` (of ${values.length})` : ''
  if (values.length === 1) return `${significant(mean)}${fewer}`
  // The mean of equal numbers may be off by a bit in the last place, which is no deviation.
  if (values.every(value => value === values[0])) return `${significant(values[0] ?? 0)} ± 0${fewer}`
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return `${significant(mean)} ± ${significant(Math.sqrt(squares / (values.length - 1)), 2)}${fewer}`
}
