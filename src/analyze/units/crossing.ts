import { levelOf, type Observation } from '../../define/observation.ts'
import { type CrossedCell, meanOf } from '../../stats/index.ts'
import { canonicalJson } from '../../util/json.ts'
import type { Cell } from './cells.ts'

/** A block besides the unit whose levels recur in several units: the same seeds in every task. */
export interface Crossing {
  readonly block: string
  readonly levels: number
  /** The names of the levels in their order, if they are levels of runs. */
  readonly names?: readonly string[]
  /** The means of both arms in each cell of unit and level; units by position. */
  readonly cells: readonly {
    readonly unit: number
    readonly level: number
    readonly control: number
    readonly candidate: number
  }[]
}

/** The same if arms are not paired: each has its own units. */
export interface GroupCrossing {
  readonly block: string
  readonly control: ArmCrossing
  readonly candidate: ArmCrossing
}

export interface ArmCrossing {
  /** How many recur; 1: all units have the same one; 0: none recurs in this arm. */
  readonly levels: number
  readonly cells: readonly { readonly unit: number; readonly level: number; readonly value: number }[]
}

/** How the runs within a unit are distinguished. */
export interface Inner {
  readonly crossed: readonly Crossing[]
  /** Blocks that only number the runs of a unit, or whose levels belong to one unit each. */
  readonly nested: readonly string[]
}

/** Names that number repetitions: rollout 1 of one task has nothing to do with rollout 1 of another. */
const numbering =
  /^(rollout|attempt|replicate|replica|repeat|repetition|trial|sample|try|iteration)s?([_-]?(id|index|idx|number|no))?$/i

export const isNumbering = (block: string): boolean => numbering.test(block)

/**
 * The blocks within pairs besides their unit. Whether a seed shifts all its tasks alike can't be seen from its name: if
 * most levels recur in several units it may, and is assumed to.
 */
export function innerOf(
  pairs: { readonly control: readonly Cell[]; readonly candidate: readonly Cell[] },
  units: readonly string[],
  blocks: readonly string[],
): Inner {
  const places = new Map(units.map((unit, at) => [unit, at]))
  const crossed: Crossing[] = []
  const nested: string[] = []
  for (const block of blocks) {
    const byLevel = new Map<string, Map<number, { control: number[]; candidate: number[] }>>()
    pairs.control.forEach((own, at) => {
      const other = pairs.candidate[at]
      const [run] = [...own.runs, ...(own.cut ?? []), ...(other?.runs ?? []), ...(other?.cut ?? [])]
      const unit = places.get(own.unit)
      if (run === undefined || unit === undefined || other === undefined) return
      const level = canonicalJson(levelOf(run, block))
      const inUnits = byLevel.get(level) ?? new Map<number, { control: number[]; candidate: number[] }>()
      byLevel.set(level, inUnits)
      const cell = inUnits.get(unit) ?? { control: [], candidate: [] }
      inUnits.set(unit, cell)
      cell.control.push(meanOf(own.values))
      cell.candidate.push(meanOf(other.values))
    })
    const levels = [...byLevel.values()]
    if (levels.length < 2) continue
    if (isNumbering(block) || !doRecur(levels)) nested.push(block)
    else
      crossed.push({
        block,
        levels: levels.length,
        names: [...byLevel.keys()],
        cells: levels.flatMap((inUnits, level) =>
          [...inUnits].map(([unit, { control, candidate }]) => ({
            unit,
            level,
            control: meanOf(control),
            candidate: meanOf(candidate),
          })),
        ),
      })
  }
  return { crossed, nested }
}

/** For two groups: the blocks whose levels recur in several units of an arm. */
export function crossedGroupsOf(
  groups: { readonly control: readonly Cell[]; readonly candidate: readonly Cell[] },
  units: { readonly control: readonly string[]; readonly candidate: readonly string[] },
  blocks: readonly string[],
): readonly GroupCrossing[] {
  return blocks
    .filter(block => !isNumbering(block))
    .map(block => ({
      block,
      control: armCrossing(groups.control, units.control, block),
      candidate: armCrossing(groups.candidate, units.candidate, block),
    }))
    .filter(({ control, candidate }) => Math.max(control.levels, candidate.levels) > 1)
}

function armCrossing(cells: readonly Cell[], units: readonly string[], block: string): ArmCrossing {
  const places = new Map(units.map((unit, at) => [unit, at]))
  const byLevel = new Map<string, Map<number, number[]>>()
  for (const { runs, cut = [], unit: name, values } of cells) {
    const [run] = [...runs, ...cut]
    const unit = places.get(name)
    if (run === undefined || unit === undefined) continue
    const level = canonicalJson(levelOf(run, block))
    const inUnits = byLevel.get(level) ?? new Map<number, number[]>()
    byLevel.set(level, inUnits)
    inUnits.set(unit, [...(inUnits.get(unit) ?? []), meanOf(values)])
  }
  const levels = [...byLevel.values()]
  if (levels.length < 2 || !doRecur(levels))
    return { levels: byLevel.size === 1 && !byLevel.has('null') ? 1 : 0, cells: [] }
  return {
    levels: levels.length,
    cells: levels.flatMap((inUnits, level) =>
      [...inUnits].map(([unit, values]) => ({ unit, level, value: meanOf(values) })),
    ),
  }
}

/** The means of an arm's values by unit and level of another block; null if the levels don't recur. */
export function cellsOfValues(
  values: readonly number[],
  units: readonly string[],
  levels: readonly string[],
): readonly CrossedCell[] | null {
  const [rows, columns] = [placesOf(units), placesOf(levels)]
  if (rows.size < 2 || columns.size < 2) return null
  const byPlace = new Map<number, number[]>()
  for (const [at, value] of values.entries()) {
    const place = (columns.get(levels[at] ?? '') ?? 0) * rows.size + (rows.get(units[at] ?? '') ?? 0)
    const own = byPlace.get(place)
    if (own === undefined) byPlace.set(place, [value])
    else own.push(value)
  }
  const cells = [...byPlace].map(([place, own]) => ({
    row: place % rows.size,
    column: Math.floor(place / rows.size),
    value: meanOf(own),
  }))
  const inUnits = [...Map.groupBy(cells, ({ column }) => column).values()].map(({ length }) => ({ size: length }))
  return doRecur(inUnits) ? cells : null
}

const placesOf = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...new Set(names)].map((name, at) => [name, at]))

/**
 * The block that forms the units: the outermost that varies, unless another contains several of its levels each, as a
 * repository contains tasks. Of crossed blocks the one with the most levels, so that their order does not matter.
 */
export function unitBlock(runs: readonly Observation[], varying: readonly string[]): string | undefined {
  const [outermost, ...others] = varying
  if (outermost === undefined) return undefined
  const named = others.filter(block => !isNumbering(block))
  const own = named.length === 0 ? [] : runs.map(run => canonicalJson(levelOf(run, outermost)))
  let [unit, most] = [outermost, new Set(own).size]
  for (const block of named) {
    const inUnits = new Map<string, Set<string>>()
    runs.forEach((run, at) => {
      const level = canonicalJson(levelOf(run, block))
      const units = inUnits.get(level) ?? new Set()
      inUnits.set(level, units.add(own[at] ?? ''))
    })
    const places = [...inUnits.values()]
    // Every unit is in exactly one of them.
    if (places.length < new Set(own).size && places.reduce((sum, { size }) => sum + size, 0) === new Set(own).size)
      return block
    if (places.length > most && doRecur(places)) [unit, most] = [block, places.length]
  }
  return unit
}

/** Whether most levels recur in several units. */
const doRecur = (places: readonly { readonly size: number }[]): boolean =>
  2 * places.filter(({ size }) => size > 1).length >= places.length
