import { levelOf, type Observation } from '../../define/observation.ts'
import type { OutcomeKind } from '../../define/outcome.ts'
import { AssayError } from '../../util/errors.ts'
import { canonicalJson } from '../../util/json.ts'
import { levelText } from '../../util/words.ts'
import type { Arm } from '../arms.ts'
import type { Missing } from '../choices.ts'
import { type Reading, readValue } from '../reading.ts'

/** The values measured in one cell: one setting of the blocks and of the factors that both arms have. */
export interface Cell {
  readonly unit: string
  /** Its position, in words. */
  readonly where: string
  readonly values: number[]
  readonly runs: Observation[]
  /** How many runs here gave no value. */
  missing: number
  /** The runs that failed or were cut off, if these count as worse than every value. */
  readonly cut?: Observation[]
}

export type Cells = ReadonlyMap<string, Cell>

export interface DroppedRun {
  readonly run: string
  readonly reason: string
  /** It is not left out, but counts as worse than every value. */
  readonly counts_as?: 'worst'
}

type Place = Pick<Cell, 'unit' | 'where'> & { readonly key: string }

/** The name of a run's unit. If no block groups runs, each run is a unit. */
export const unitNamesBy =
  (unitName: string | undefined) =>
  (run: Observation): string =>
    unitName === undefined ? canonicalJson([run.source, run.name]) : levelText(levelOf(run, unitName))

export function placesBy(names: readonly string[], unitName: string | undefined): (run: Observation) => Place {
  const unitOf = unitNamesBy(unitName)
  return run => {
    const levels = names.map(name => levelOf(run, name))
    const unit = unitOf(run)
    if (unitName === undefined) return { key: unit, unit, where: run.name }
    const words = names.map((name, index) => `${name}=${levelText(levels[index] ?? null)}`)
    return {
      key: canonicalJson(levels),
      unit,
      where: names.length === 1 ? levelText(levels[0] ?? null) : words.join(' '),
    }
  }
}

export const haveCommonKey = (control: Cells, candidate: Cells): boolean =>
  [...control].some(([key, cell]) => hasValue(cell) && hasValue(candidate.get(key)))

export function cellsOf(
  { runs }: Arm,
  reading: Reading,
  placeOf: (run: Observation) => Place,
  missing: Missing,
): { readonly cells: Cells; readonly dropped: readonly DroppedRun[] } {
  const cells = new Map<string, Cell>()
  const dropped: DroppedRun[] = []
  for (const run of runs) {
    const { key, unit, where } = placeOf(run)
    const cell = cells.get(key) ?? { unit, where, values: [], runs: [], missing: 0, cut: [] }
    cells.set(key, cell)
    const read = readValue(run, reading)
    if ('value' in read && Number.isFinite(read.value)) {
      cell.values.push(read.value)
      cell.runs.push(run)
      continue
    }
    const reason = 'problem' in read ? read.problem : `the value is ${read.value}`
    // A value that is not a number is an error, unless `--missing` says how to treat it.
    const isMistake =
      (!('problem' in read) || isTextForNumber(run, read.problem)) && missing !== 'omit' && missing !== 'zero'
    if (missing === 'refuse' || isMistake) throw noValue(run, reason)
    const isWorst = missing === 'worst-rank' && ownFault.includes(run.outcome.kind)
    dropped.push({ run: run.name, reason, ...(isWorst && { counts_as: 'worst' as const }) })
    if (missing === 'zero') {
      cell.values.push(0)
      cell.runs.push(run)
    } else if (isWorst) cell.cut?.push(run)
    else cell.missing++
  }
  return { cells, dropped }
}

/** Outcomes caused by the run itself: unlike an infrastructure error or a Ctrl-C. */
const ownFault: readonly OutcomeKind[] = ['failed', 'timed_out', 'cost_limited']

/** A blank cell of a table is missing; text in place of a number is an error, like NaN. */
const isTextForNumber = ({ columns, outcome }: Observation, problem: string): boolean =>
  columns !== undefined && outcome.kind === 'completed' && problem.startsWith('not a number')

function noValue(run: Observation, reason: string): AssayError {
  return new AssayError('usage', `${run.name} has no value: ${reason}`, {
    hint: '--missing omit leaves such runs out and counts them, --missing zero counts them as 0',
  })
}

/** A cell counts as a pair if both arms have a value in it; with `zero`, if one has. */
export function pairsOf(control: Cells, candidate: Cells, missing: Missing) {
  const all = [...new Set([...control.keys(), ...candidate.keys()])]
  const isWhole = (key: string) => hasValue(control.get(key)) && hasValue(candidate.get(key))
  const isHalf = (key: string) => !isWhole(key) && (hasValue(control.get(key)) || hasValue(candidate.get(key)))
  const used = all.filter(key => isWhole(key) || (missing === 'zero' && isHalf(key)))
  const orZero = (cell: Cell | undefined, other: Cell | undefined): Cell =>
    cell ?? { unit: other?.unit ?? '', where: other?.where ?? '', values: [0], runs: [], missing: 0 }
  return {
    control: used.map(key => orZero(control.get(key), candidate.get(key))),
    candidate: used.map(key => orZero(candidate.get(key), control.get(key))),
    unmatched: all.filter(isHalf).map(key => control.get(key)?.where ?? candidate.get(key)?.where ?? key),
    leftOut: all.length - used.length,
  }
}

export const hasValue = (cell: Cell | undefined): boolean => cell !== undefined && cell.values.length > 0

export const filled = (cells: Cells): readonly Cell[] => [...cells.values()].filter(hasValue)

/** Runs that failed, or were cut off, count as worse than every value. */
export function rankLast(arms: readonly Cells[], worst: number): void {
  for (const cells of arms)
    for (const { cut = [], values, runs } of cells.values())
      for (const run of cut) {
        values.push(worst)
        runs.push(run)
      }
}
