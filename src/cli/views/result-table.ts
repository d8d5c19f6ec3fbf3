import { isAmount } from '../../analyze/reading.ts'
import { canonicalJson, type Json, type JsonObject } from '../../util/json.ts'
import { naturalOrder } from '../../util/natural-order.ts'
import { levelText, percentText, tellingTexts } from '../../util/words.ts'
import { significant, spreadText } from './number.ts'
import { tableLines } from './table.ts'
import { textWidth } from './text-width.ts'

export interface ResultRow {
  readonly params: JsonObject
  readonly metrics: Readonly<Record<string, number>>
  /** How it ended; default: it completed. Metrics of other runs do not count. */
  readonly state?: string
}

export interface ResultOptions {
  /** Parameters that are blocks: runs that differ only in these are averaged. */
  readonly blocks: readonly string[]
  /** Variants are shown in the order of these levels; a level that is not among them comes last. */
  readonly levels?: Readonly<Record<string, readonly Json[]>>
  /** In the order of the experiment; the primary one comes first. If empty: all metrics, by name. */
  readonly metrics: readonly ResultMetric[]
  /** Whether the best variants come first, as those of a search do. */
  readonly isRanked?: boolean
  readonly columns: number
  readonly head?: (text: string) => string
  readonly best?: (text: string) => string
}

interface ResultMetric {
  readonly name: string
  readonly primary: boolean
  readonly goal?: 'maximize' | 'minimize' | null
}

/**
 * One line per variant: the factors that vary, the number of runs, and mean ± standard deviation of each metric, to the
 * digits that the deviation supports. The best mean of the first metric is marked.
 */
export function resultTable(rows: readonly ResultRow[], options: ResultOptions): string[] {
  const factors = varyingFactors(rows, options)
  const metrics = metricOrder(rows, options.metrics)
  if (rows.length === 0 || metrics.length === 0) return []
  const ranking = rankingOf(metrics[0] ?? '', options)
  const { shown, left } = chosenVariants(inLevelOrder(rows, factors, options.levels), ranking, options)
  const best = bestOf(shown, ranking)
  const rates = new Set(metrics.filter(metric => isRate(metric, rows)))
  const texts = factors.map(factor => tellingTexts(rows.map(({ params }) => params[factor] ?? null)))
  const cells = shown.map(runs => [
    ...factors.map((factor, at) => shownLevel(runs[0]?.params[factor], texts[at] ?? levelText, options)),
    countText(runs),
    ...metrics.map((metric, at) => (at === 0 ? endText(runs) : null) ?? meanText(metric, runs, rates.has(metric))),
  ])
  const { columns, head } = options
  const titles = [...factors, 'n', ...metrics]
  const room = best.length === 0 ? columns : columns - markWidth
  const fitting = Math.max(factors.length + 2, columnsThatFit([titles, ...cells], room))
  const cut = (row: readonly string[]) => row.slice(0, fitting)
  const hidden = titles.length - cut(titles).length
  const lines = tableLines(
    cut(titles),
    cells.map(cut),
    head === undefined ? { columns: room } : { columns: room, head },
  )
  return [
    ...marked(
      lines,
      best.map(runs => shown.indexOf(runs) + 1),
      options,
    ),
    ...noteLines(cells.map(cut), best, ranking),
    ...left,
    ...(hidden > 0
      ? [`and ${hidden} more ${hidden === 1 ? 'metric' : 'metrics'}: \`assay collect\` writes them all`]
      : []),
  ]
}

/** A longer table belongs in a file. */
const mostVariants = 40

const markWidth = 2

type Runs = readonly ResultRow[]

/** What makes variants better or worse; goal null: none is given. */
interface Ranking {
  readonly metric: string
  readonly goal: 'maximize' | 'minimize' | null
}

const rankingOf = (metric: string, { metrics }: ResultOptions): Ranking => ({
  metric,
  goal: metrics.find(({ name }) => name === metric)?.goal ?? null,
})

/** The variants with the best mean: several if they are equal, none if no other could be worse. */
function bestOf(variants: readonly Runs[], ranking: Ranking): readonly Runs[] {
  if (ranking.goal === null) return []
  const ranks = variants.map(runs => rankOf(runs, ranking)).filter(rank => rank !== Number.POSITIVE_INFINITY)
  const first = ranks.reduce((least, rank) => Math.min(least, rank), Number.POSITIVE_INFINITY)
  return ranks.some(rank => rank > first) ? variants.filter(runs => rankOf(runs, ranking) === first) : []
}

/** Smaller is better; a variant without a value comes last. */
function rankOf(runs: Runs, { metric, goal }: Ranking): number {
  const mean = meanOf(valuesOf(runs, metric))
  if (mean === null || Number.isNaN(mean)) return Number.POSITIVE_INFINITY
  return goal === 'maximize' ? -mean : mean
}

/**
 * Variants of a search by rank. Others all in the order of levels; if there are many, the best, or the first if no goal
 * is given.
 */
function chosenVariants(
  variants: readonly Runs[],
  ranking: Ranking,
  { isRanked = false }: ResultOptions,
): { readonly shown: readonly Runs[]; readonly left: readonly string[] } {
  const all = variants.length
  const { metric, goal } = ranking
  if (all <= mostVariants && !(isRanked && goal !== null)) return { shown: variants, left: [] }
  const rest = '`assay collect` writes every run, `assay report` ranks all variants'
  if (goal === null)
    return { shown: variants.slice(0, mostVariants), left: [`the first ${mostVariants} of ${all} variants: ${rest}`] }
  const ranked = variants.map(runs => ({ runs, rank: rankOf(runs, ranking) }))
  const best = ranked.sort((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank)).slice(0, mostVariants)
  return {
    shown: best.map(({ runs }) => runs),
    left: all <= mostVariants ? [] : [`the best ${mostVariants} of ${all} variants by ${metric}: ${rest}`],
  }
}

function marked(lines: readonly string[], best: readonly number[], { best: paint = same }: ResultOptions): string[] {
  if (best.length === 0) return [...lines]
  return lines.map((line, at) => (best.includes(at) ? paint(`* ${line}`) : `  ${line}`))
}

const same = (text: string): string => text

function noteLines(cells: readonly (readonly string[])[], best: readonly Runs[], { metric }: Ranking): string[] {
  const notes = [
    ...(cells.some(row => row.some(cell => cell.includes('±'))) ? ['mean ± standard deviation of n runs'] : []),
    ...(best.length > 0 ? [`* best ${metric}`] : []),
  ]
  return notes.length === 0 ? [] : [notes.join('; ')]
}

const isCompleted = ({ state = 'completed' }: ResultRow): boolean => state === 'completed'

/** `12`, or `10/12` if some have no result. */
function countText(runs: Runs): string {
  const completed = runs.filter(isCompleted).length
  return completed === runs.length ? String(completed) : `${completed}/${runs.length}`
}

/** How all runs of a variant without results ended: `failed`, `timed out`; null: some completed. */
function endText(runs: Runs): string | null {
  if (runs.some(isCompleted)) return null
  const [most] = [...Map.groupBy(runs, ({ state = '' }) => state)].sort(([, a], [, b]) => b.length - a.length)
  return (most?.[0] ?? 'failed').replaceAll('_', ' ')
}

const valuesOf = (runs: Runs, metric: string): readonly number[] =>
  runs.flatMap(run => (isCompleted(run) ? (run.metrics[metric] ?? []) : []))

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** How many columns fit at their full width: a table of truncated words is useless. */
function columnsThatFit(rows: readonly (readonly string[])[], width: number): number {
  let used = 0
  const count = rows[0]?.length ?? 0
  for (let column = 0; column < count; column++) {
    used += Math.max(...rows.map(row => textWidth(row[column] ?? ''))) + 2
    if (used - 2 > width) return column
  }
  return count
}

/**
 * The factors that vary in the rows, or were meant to: a factor does not disappear because all runs of one level
 * failed.
 */
function varyingFactors(rows: readonly ResultRow[], { blocks, levels = {} }: ResultOptions): string[] {
  const names = new Set<string>()
  for (const { params } of rows) for (const name in params) names.add(name)
  const seen = (name: string) => new Set(rows.map(row => canonicalJson(row.params[name] ?? null))).size
  return [...names].filter(name => !blocks.includes(name) && (seen(name) > 1 || (levels[name]?.length ?? 0) > 1))
}

function metricOrder(rows: readonly ResultRow[], specs: ResultOptions['metrics']): string[] {
  const found = new Set<string>()
  for (const row of rows) if (isCompleted(row)) for (const name in row.metrics) found.add(name)
  const named = specs.toSorted((a, b) => Number(b.primary) - Number(a.primary)).map(spec => spec.name)
  const measured = named.filter(name => found.has(name))
  if (measured.length > 0) return measured
  // If nothing completed, the planned metrics are still shown, but no pattern such as `*`.
  return found.size > 0 || rows.some(isCompleted) ? [...found].sort() : named.filter(name => !name.includes('*'))
}

/** The runs of each variant. Runs come in the order they finished; a table must not depend on that. */
function inLevelOrder(rows: Runs, factors: readonly string[], levels: ResultOptions['levels']): readonly Runs[] {
  const listed = factors.map(factor => placesOf(levels?.[factor] ?? []))
  const variants = Map.groupBy(rows, row => canonicalJson(factors.map(factor => row.params[factor] ?? null)))
  const placed = [...variants.values()].map(runs => {
    const own = factors.map(factor => runs[0]?.params[factor])
    // Unlisted levels come after all listed ones.
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
  typeof a === 'number' && typeof b === 'number' ? a - b : naturalOrder(levelText(a ?? '–'), levelText(b ?? '–'))

/** Values drawn by a search have more digits than a person reads. */
function shownLevel(level: Level, write: (level: Json) => string, { isRanked = false }: ResultOptions): string {
  if (level === undefined) return '–'
  return isRanked && typeof level === 'number' ? significant(level) : write(level)
}

/** Yes or no in every run of the table: a share says it, and a deviation says no more. What is 0 or 1 alone may be a number of anything. */
function isRate(metric: string, rows: Runs): boolean {
  const values = new Set(valuesOf(rows, metric))
  return !isAmount(metric) && values.size === 2 && values.has(0) && values.has(1)
}

/** A missing value is missing, never 0, and seen to be missing; one value has no deviation. */
function meanText(metric: string, runs: Runs, isShare: boolean): string {
  const values = valuesOf(runs, metric)
  if (values.length === 0) return '–'
  const completed = runs.filter(isCompleted).length
  const text = isShare ? percentText(meanOf(values) ?? 0) : spreadText(metric, values)
  return `${text}${values.length < completed ? ` (of ${values.length})` : ''}`
}
