import { AssayError } from '../../util/errors.ts'
import type { PlanPart } from '../plan-part.ts'
import { remembering } from '../remembering.ts'
import { assembler } from './assemble.ts'
import { enumerate } from './enumerate.ts'
import { type Grid, gridsOf } from './grids.ts'
import { nothingLeft } from './nothing-left.ts'
import { type Report, throwError } from './problems.ts'
import { type Rules, rulesOf } from './rules.ts'
import type { Variant } from './variant.ts'

/** All variants of an experiment in listed order, each available by its index. */
export interface Variants {
  readonly count: number
  at(index: number): Variant
  /** The range of adjacent variants that differ only in the ablation. */
  neighbours(index: number): { readonly start: number; readonly size: number }
}

export function variantsOf(experiment: PlanPart, report: Report = throwError): Variants {
  const grids = gridsOf(experiment)
  const rules = rulesOf(experiment, report)
  const varying = varyingNames(grids)
  const parts: readonly Part[] = grids.map((grid, index) => {
    const part = isPlain(grid, rules, index) ? wholeGrid(grid) : listedCells(grid, rules, grids.slice(0, index))
    const make = assembler(grid, rules, varying)
    const cell = new Uint32Array(grid.axes.length)
    const at = (place: number): Variant => {
      part.read(place, cell)
      return make(cell)
    }
    return { ...part, at }
  })
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  if (count > Number.MAX_SAFE_INTEGER) throw tooMany(count)
  if (count === 0) report(nothingLeft(grids, rules))
  return {
    count,
    at: remembering(count, index => locate(parts, index, (part, place) => part.at(place))),
    neighbours: index => locate(parts, index, (part, place, start) => neighboursIn(part, place, start)),
  }
}

interface Cells {
  readonly grid: Grid
  readonly count: number
  /** Fills in the row of each axis. */
  read(index: number, cell: Uint32Array): void
}

interface Part extends Cells {
  at(index: number): Variant
}

/** Whether every cell is a distinct variant: then cells are computed, and nothing is stored. */
function isPlain(grid: Grid, rules: Rules, index: number): boolean {
  if (index > 0 || rules.conditions.length + rules.requirements.length > 0) return false
  const set = new Set([...rules.ablations.values()].flatMap(ablation => Object.keys(ablation.set)))
  return grid.axes.every(axis => {
    const all = 2 ** axis.columns.length - 1
    const repeats = Array.from({ length: axis.size }, (_, row) => row).some(row => axis.firstRow(row, all) !== row)
    return !repeats && !axis.columns.some(({ name }) => set.has(name))
  })
}

function wholeGrid(grid: Grid): Cells {
  const sizes = grid.axes.map(({ size }) => size)
  return {
    grid,
    count: sizes.reduce((product, size) => product * size, 1),
    read(index, cell) {
      let rest = index
      for (let axis = sizes.length - 1; axis >= 0; axis--) {
        const size = sizes[axis] ?? 1
        cell[axis] = rest % size
        rest = Math.floor(rest / size)
      }
    },
  }
}

function listedCells(grid: Grid, rules: Rules, earlier: readonly Grid[]): Cells {
  const table = enumerate(grid, rules, earlier)
  return { grid, count: table.count, read: (index, cell) => table.read(index, cell) }
}

function neighboursIn({ grid, count, read }: Cells, place: number, start: number) {
  const ablationAxis = grid.axes.findIndex(({ columns }) => columns[0]?.name === 'ablation')
  if (ablationAxis < 0) return { start: start + place, size: 1 }
  const cellAt = (index: number): string => {
    const cell = new Uint32Array(grid.axes.length)
    read(index, cell)
    return cell.with(ablationAxis, 0).join()
  }
  const here = cellAt(place)
  let first = place
  let end = place + 1
  while (first > 0 && cellAt(first - 1) === here) first -= 1
  while (end < count && cellAt(end) === here) end += 1
  return { start: start + first, size: end - first }
}

function locate<T>(parts: readonly Part[], index: number, use: (part: Part, place: number, start: number) => T): T {
  let start = 0
  for (const part of parts) {
    if (index < start + part.count) return use(part, index - start, start)
    start += part.count
  }
  throw new AssayError('internal', `there is no variant ${index}; there are ${start}`)
}

/** The names that have more than one level in some grid, or levels of their own in an included one. */
function varyingNames(grids: readonly Grid[]): ReadonlySet<string> {
  const seen = new Map<string, Set<string>>()
  for (const [name, json] of grids.flatMap(levelsByName)) seen.set(name, (seen.get(name) ?? new Set()).add(json))
  return new Set([...seen].filter(([, levels]) => levels.size > 1).map(([name]) => name))
}

const levelsByName = ({ axes, constants }: Grid): readonly (readonly [string, string])[] => [
  ...axes.flatMap(({ columns }) =>
    columns.flatMap(({ name, levels }) => levels.map(({ json }) => [name, json] as const)),
  ),
  ...Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)] as const),
]

const tooMany = (count: number) =>
  new AssayError('config', `the factors have ${count.toExponential(1)} combinations, more than can be counted`, {
    hint: 'Remove factors or levels, or tie factors together with zip or when.',
  })
