import { canonicalJson, type Json, type JsonObject } from '../../util/json.ts'
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
  readonly metrics: readonly {
    readonly name: string
    readonly primary: boolean
    readonly goal?: 'maximize' | 'minimize' | null
  }[]
  readonly columns: number
  readonly head?: (text: string) => string
}

/** One line per variant: the factors that vary, how many runs, and mean ± standard deviation of each metric. */
export function resultTable(rows: readonly ResultRow[], options: ResultOptions): string[] {
  const factors = varyingFactors(rows, options)
  const metrics = metricOrder(rows, options.metrics)
  if (rows.length === 0 || metrics.length === 0) return []
  const { shown, left } = chosenVariants(inLevelOrder(rows, factors, options.levels), metrics[0] ?? '', options)
  const cells = shown.map(runs => [
    ...factors.map(factor => levelText(runs[0]?.params[factor])),
    String(runs.length),
    ...metrics.map(metric => meanText(valuesOf(runs, metric), runs.length)),
  ])
  const { columns, head } = options
  const titles = [...factors, 'n', ...metrics]
  const fitting = Math.max(factors.length + 2, columnsThatFit([titles, ...cells], columns))
  const cut = (row: readonly string[]) => row.slice(0, fitting)
  const hidden = titles.length - cut(titles).length
  return [
    ...tableLines(cut(titles), cells.map(cut), head === undefined ? { columns } : { columns, head }),
    ...(cells.some(row => cut(row).some(cell => cell.includes('±'))) ? ['mean ± standard deviation of n runs'] : []),
    ...left,
    ...(hidden > 0
      ? [`and ${hidden} more ${hidden === 1 ? 'metric' : 'metrics'}: \`assay collect\` writes them all`]
      : []),
  ]
}

/** A longer table belongs in a file. */
const mostVariants = 40

type Runs = readonly ResultRow[]

/** All of them; of many the best by the first metric, or the first ones where nobody said which way is better. */
function chosenVariants(
  variants: readonly Runs[],
  metric: string,
  { metrics }: ResultOptions,
): { readonly shown: readonly Runs[]; readonly left: readonly string[] } {
  const all = variants.length
  if (all <= mostVariants) return { shown: variants, left: [] }
  const rest = '`assay collect` writes every run, `assay report` ranks all variants'
  const goal = metrics.find(({ name }) => name === metric)?.goal ?? null
  if (goal === null)
    return { shown: variants.slice(0, mostVariants), left: [`the first ${mostVariants} of ${all} variants: ${rest}`] }
  const sign = goal === 'maximize' ? -1 : 1
  const ranked = variants.map(runs => ({ runs, rank: sign * (meanOf(valuesOf(runs, metric)) ?? Number.NaN) }))
  // A variant without a value comes last, whichever way is better.
  const place = (rank: number) => (Number.isNaN(rank) ? Number.POSITIVE_INFINITY : rank)
  const best = ranked.sort((a, b) => place(a.rank) - place(b.rank) || 0).slice(0, mostVariants)
  return {
    shown: best.map(({ runs }) => runs),
    left: [`the best ${mostVariants} of ${all} variants by ${metric}: ${rest}`],
  }
}

const valuesOf = (runs: Runs, metric: string): readonly number[] => runs.flatMap(run => run.metrics[metric] ?? [])

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

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
  const names = new Set<string>()
  for (const { params } of rows) for (const name in params) names.add(name)
  const seen = (name: string) => new Set(rows.map(row => canonicalJson(row.params[name] ?? null))).size
  return [...names].filter(name => !blocks.includes(name) && (seen(name) > 1 || (levels[name]?.length ?? 0) > 1))
}

function metricOrder(rows: readonly ResultRow[], specs: ResultOptions['metrics']): string[] {
  const found = new Set<string>()
  for (const { metrics } of rows) for (const name in metrics) found.add(name)
  const named = specs.toSorted((a, b) => Number(b.primary) - Number(a.primary)).map(spec => spec.name)
  const measured = named.filter(name => found.has(name))
  return measured.length > 0 ? measured : [...found].sort()
}

/** The runs of each variant. Runs come in the order they finished; a table must not depend on that. */
function inLevelOrder(rows: Runs, factors: readonly string[], levels: ResultOptions['levels']): readonly Runs[] {
  const listed = factors.map(factor => placesOf(levels?.[factor] ?? []))
  const variants = Map.groupBy(rows, row => canonicalJson(factors.map(factor => row.params[factor] ?? null)))
  const placed = [...variants.values()].map(runs => {
    const own = factors.map(factor => runs[0]?.params[factor])
    // What is not listed comes after everything that is.
    const places = own.map((level, at) => listed[at]?.get(canonicalJson(level ?? null)) ?? Number.MAX_SAFE_INTEGER)
    return { runs, own, places }
  })
  const compare = (a: (typeof placed)[number], b: (typeof placed)[number]): number => {
    for (const at of factors.keys()) {
      const order = (a.places[at] ?? 0) - (b.places[at] ?? 0) || compareTwo(a.own[at], b.own[at])
      if (order !== 0) return order
    }
    return 0
  }
  return placed.sort(compare).map(({ runs }) => runs)
}

const placesOf = (levels: readonly Json[]): ReadonlyMap<string, number> =>
  new Map(levels.map((level, place) => [canonicalJson(level), place]))

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
  const mean = meanOf(values) ?? 0
  const fewer = values.length < runs ? ` (of ${values.length})` : ''
  if (values.length === 1) return `${significant(mean)}${fewer}`
  // The mean of equal numbers may be off by a bit in the last place, which is no deviation.
  if (values.every(value => value === values[0])) return `${significant(values[0] ?? 0)} ± 0${fewer}`
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return `${significant(mean)} ± ${significant(Math.sqrt(squares / (values.length - 1)), 2)}${fewer}`
}
