import { type Evidence, type EvidenceRun, levelOf } from '../plan/evidence.ts'
import { canonicalJson } from '../util/canonical-json.ts'
import { AssayError } from '../util/errors.ts'
import { type Arm, levelsIn } from './arms.ts'
import type { Missing } from './choices.ts'
import { type Reading, readValue } from './reading.ts'

/** The numbers of two arms, one per independent unit. */
export interface Samples {
  readonly control: readonly number[]
  readonly candidate: readonly number[]
  /** By what the two belong together, position by position; null: they don't. */
  readonly pairedBy: readonly string[] | null
  /** What an independent unit is: a task, a seed, a run. */
  readonly unit: string
  /** The units' own names: of the pairs, else of the control's units. */
  readonly keys: readonly string[]
  readonly dropped: Dropped
}

export interface Dropped {
  readonly control: readonly DroppedRun[]
  readonly candidate: readonly DroppedRun[]
  /** Pairs of which one side is missing. */
  readonly unmatched: readonly string[]
}

export interface DroppedRun {
  readonly run: string
  readonly reason: string
}

/**
 * Two arms as samples. Runs are first averaged over replicates and over whatever else varies alike in both arms, then
 * over all but the outermost block: the seeds of a task are not independent tasks.
 */
export function samplesOf(
  evidence: Evidence,
  arms: { readonly control: Arm; readonly candidate: Arm },
  reading: Reading,
  wish: { readonly isPaired: boolean; readonly missing: Missing },
): Samples {
  const blocks = evidence.blocks.filter(name => levelsIn(evidence.runs, name).some(level => level !== null))
  const compared = new Set([...Object.keys(arms.control.levels), ...Object.keys(arms.candidate.levels)])
  const shared = sharedFactors(evidence, arms, compared)
  const names = [...blocks, ...shared].filter(name => !compared.has(name))
  const [unitName] = blocks.filter(name => !compared.has(name))
  const place = (run: EvidenceRun): Place => ({
    key: canonicalJson(names.map(name => levelOf(run, name))),
    unit: unitName === undefined ? run.name : String(levelOf(run, unitName)),
  })
  const control = valuesByKey(arms.control, reading, place, wish.missing)
  const candidate = valuesByKey(arms.candidate, reading, place, wish.missing)
  const dropped = { control: control.dropped, candidate: candidate.dropped }
  const isPaired = wish.isPaired && unitName !== undefined && canPair(control.cells, candidate.cells)
  if (!isPaired)
    return {
      control: unitMeans([...control.cells.values()]).values,
      candidate: unitMeans([...candidate.cells.values()]).values,
      pairedBy: null,
      unit: unitName ?? 'run',
      keys: unitMeans([...control.cells.values()]).units,
      dropped: { ...dropped, unmatched: [] },
    }
  return { ...paired(control.cells, candidate.cells, wish.missing, dropped), pairedBy: names, unit: unitName }
}

interface Place {
  readonly key: string
  readonly unit: string
}

interface Cell {
  readonly unit: string
  readonly values: number[]
}

type Cells = ReadonlyMap<string, Cell>

const canPair = (control: Cells, candidate: Cells): boolean => [...control.keys()].some(key => candidate.has(key))

/** Factors, not compared, of which both arms have the same levels: a pair has the same one on both sides. */
function sharedFactors(
  evidence: Evidence,
  { control, candidate }: { readonly control: Arm; readonly candidate: Arm },
  compared: ReadonlySet<string>,
): readonly string[] {
  const levels = (arm: Arm, factor: string): string =>
    canonicalJson(
      levelsIn(arm.runs, factor)
        .map(level => canonicalJson(level))
        .toSorted(),
    )
  return evidence.factors.filter(
    factor => !compared.has(factor) && levels(control, factor) === levels(candidate, factor),
  )
}

function valuesByKey(
  { runs }: Arm,
  reading: Reading,
  place: (run: EvidenceRun) => Place,
  missing: Missing,
): { readonly cells: Cells; readonly dropped: readonly DroppedRun[] } {
  const cells = new Map<string, Cell>()
  const dropped: DroppedRun[] = []
  for (const run of runs) {
    const read = readValue(run, reading)
    const isNumber = 'value' in read && Number.isFinite(read.value)
    if (!isNumber) {
      const reason = 'problem' in read ? read.problem : `the value is ${read.value}`
      // A number that is not one is a mistake somewhere, unless somebody says what to do with it.
      if (missing === 'refuse' || (missing === 'failed' && !('problem' in read))) throw noValue(run, reason)
      dropped.push({ run: run.name, reason })
      if (missing !== 'zero') continue
    }
    const { key, unit } = place(run)
    const cell = cells.get(key) ?? { unit, values: [] }
    cell.values.push(isNumber ? read.value : 0)
    cells.set(key, cell)
  }
  return { cells, dropped }
}

function noValue(run: EvidenceRun, reason: string): AssayError {
  return new AssayError('usage', `${run.name} has no value: ${reason}`, {
    hint: '--missing omit leaves such runs out and counts them, --missing zero counts them as 0',
  })
}

function paired(
  control: Cells,
  candidate: Cells,
  missing: Missing,
  dropped: Omit<Dropped, 'unmatched'>,
): Pick<Samples, 'control' | 'candidate' | 'keys' | 'dropped'> {
  const all = [...new Set([...control.keys(), ...candidate.keys()])]
  const unmatched = all.filter(key => !control.has(key) || !candidate.has(key))
  const used = missing === 'zero' ? all : all.filter(key => control.has(key) && candidate.has(key))
  const absent = (cell: Cell | undefined, other: Cell | undefined): Cell =>
    cell ?? { unit: other?.unit ?? '', values: [0] }
  const ofControl = unitMeans(used.map(key => absent(control.get(key), candidate.get(key))))
  const ofCandidate = unitMeans(used.map(key => absent(candidate.get(key), control.get(key))))
  const order = ofControl.units
    .map((_, index) => index)
    .toSorted((a, b) => byName(ofControl.units[a], ofControl.units[b]))
  const at = (values: readonly number[]) => order.map(index => values[index] ?? Number.NaN)
  return {
    control: at(ofControl.values),
    candidate: at(ofCandidate.values),
    keys: order.map(index => ofControl.units[index] ?? ''),
    dropped: { ...dropped, unmatched },
  }
}

/** Each unit counts once, whatever it holds: the mean of the means of its cells. */
function unitMeans(cells: readonly Cell[]): { readonly units: readonly string[]; readonly values: readonly number[] } {
  const byUnit = Map.groupBy(cells, cell => cell.unit)
  return {
    units: [...byUnit.keys()],
    values: [...byUnit.values()].map(own => mean(own.map(cell => mean(cell.values)))),
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The order of code points, as every language sorts identifiers. */
const byName = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0)
