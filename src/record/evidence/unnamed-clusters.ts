import { type Evidence, levelOf, type Observation } from '../../define/observation.ts'
import { counted, listed } from '../../util/words.ts'
import { type ArmRow, textOf, withoutCopies } from './copied-rows.ts'

/**
 * Rows of one task are similar, so counting them as independent overstates the evidence; so does counting rows that
 * were pasted twice. If the user did not say what belongs together, a column that does is used as if `--pair-by` had
 * named it, and copies count once.
 */
export function withFoundClusters(evidence: Evidence): Evidence {
  const { runs, factors, sources } = evidence
  if (sources.some(({ kind }) => kind !== 'table') || runs.some(({ columns }) => columns === undefined)) return evidence
  const rows = runs.map(run => ({ run, row: run.columns ?? {}, arm: textOf(factors.map(name => levelOf(run, name))) }))
  const { blocks, notes } = foundBlocks(rows, factors)
  // Copies of rows that belong to a task are averaged with them.
  if (blocks.length > 0) return noted({ ...evidence, blocks, runs: runs.map(run => inBlocks(run, blocks)) }, notes)
  const single = runs.some(({ series }) => series.length > 0) ? { rows, notes: [] } : withoutCopies(rows, factors)
  return noted({ ...evidence, runs: single.rows.map(({ run }) => run) }, [...notes, ...single.notes])
}

const noted = (evidence: Evidence, notes: readonly string[]): Evidence =>
  notes.length === 0 ? evidence : { ...evidence, notes: [...(evidence.notes ?? []), ...notes] }

/** A column that says what a run belongs to is not a metric of it. */
function inBlocks(run: Observation, blocks: readonly string[]): Observation {
  const without = <T>(record: { readonly [name: string]: T }): { readonly [name: string]: T } =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !blocks.includes(name)))
  const block = Object.fromEntries(blocks.map(name => [name, run.columns?.[name] ?? null]))
  return { ...run, block, metrics: without(run.metrics), problems: without(run.problems) }
}

interface FoundBlocks {
  /** The outermost first. */
  readonly blocks: readonly string[]
  readonly notes: readonly string[]
}

/** Names that columns with tasks have, if they can mean nothing else; an id of the row itself is not one. */
const taskName =
  /^(task|instance|case|question|problem|item|example|scenario|query|subject|ticket|issue|pair|block)[ _-]?(id|name|key|no|number|index)?$/i
const seedName = /^(random[ _-]?)?seed$/i

/** Whether a column may say what a row belongs to: its cells are names, however they are spelt. */
export const maybeBlock = (name: string): boolean => taskName.test(name) || seedName.test(name)

function foundBlocks(rows: readonly ArmRow[], factors: readonly string[]): FoundBlocks {
  const columns = new Set(rows.flatMap(({ row }) => Object.keys(row)))
  const names = [...columns].filter(name => !factors.includes(name))
  const tasks = names.filter(name => taskName.test(name))
  const keys = tasks.length > 0 ? tasks : names.filter(name => namesEveryRow(rows, name))
  const blocks: string[] = []
  const notes: string[] = []
  for (const name of [...keys, ...names.filter(one => seedName.test(one))]) {
    const use = useOf(rows, [...blocks, name])
    if (use === 'some')
      notes.push(`some rows of different arms share a ${name}, most do not: --pair-by ${name} pairs those`)
    if (use === 'all') blocks.push(name)
  }
  if (blocks.length > 0) notes.unshift(foundNote(rows, blocks))
  return { blocks, notes }
}

/** Whether each text occurs once in every arm: then the rows were meant to be pairs, whatever the column is called. */
function namesEveryRow(rows: readonly ArmRow[], name: string): boolean {
  if (rows.some(({ row }) => typeof row[name] !== 'string')) return false
  const arms = [...Map.groupBy(rows, ({ arm }) => arm).values()]
  const [first = new Set(), ...others] = arms.map(own => new Set(own.map(({ row }) => row[name])))
  return (
    others.length > 0 &&
    first.size > 1 &&
    arms.every(own => own.length === first.size) &&
    others.every(texts => texts.size === first.size && [...texts].every(text => first.has(text)))
  )
}

/** `all`: the names recur, in several arms or in one. `some`: few rows have a partner in another arm. */
function useOf(rows: readonly ArmRow[], names: readonly string[]): 'all' | 'some' | 'none' {
  if (rows.some(({ row }) => names.some(name => (row[name] ?? null) === null))) return 'none'
  const byKey = Map.groupBy(rows, ({ row }) => textOf(names.map(name => row[name] ?? null)))
  if (byKey.size < 2 || byKey.size === rows.length) return 'none'
  const arms = new Set(rows.map(({ arm }) => arm)).size
  const shared = [...byKey.values()].filter(own => new Set(own.map(({ arm }) => arm)).size > 1)
  const inShared = shared.reduce((sum, own) => sum + own.length, 0)
  // An inner name that no other arm has would leave every row without a partner.
  if (inShared === 0) return arms > 1 && names.length > 1 ? 'none' : 'all'
  return inShared >= rows.length / 2 ? 'all' : names.length > 1 ? 'none' : 'some'
}

function foundNote(rows: readonly ArmRow[], blocks: readonly string[]): string {
  const [outer = ''] = blocks
  const byLevel = Map.groupBy(rows, ({ row }) => textOf(row[outer] ?? null))
  const isShared = [...byLevel.values()].some(own => new Set(own.map(({ arm }) => arm)).size > 1)
  const where = isShared ? ', which different arms share' : ''
  return `rows belong together by ${listed(blocks)}${where}, which was not declared: ${byLevel.size} independent units, not ${counted(rows.length, 'row')} (--pair-by names other columns, --pair-by none counts every row for itself)`
}
