import { type Evidence, levelOf, type Observation } from '../../define/observation.ts'
import { canonicalJson, type Json } from '../../util/json.ts'
import { levelsIn } from '../arms.ts'
import { type Reading, readValue } from '../reading.ts'
import { unitBlock } from '../units/crossing.ts'

/** The mean of each combination of levels, in each independent unit. */
export interface Cells {
  readonly factors: readonly string[]
  readonly unit: string
  readonly units: readonly string[]
  /** Blocks besides the unit: the seeds of a task. */
  readonly inner: readonly string[]
  /** null if that combination has no value in that unit. */
  at(unit: string, levels: readonly Json[]): number | null
  /** The parts of a unit, one for each combination of the inner blocks' levels. */
  partsOf(unit: string): readonly Part[]
}

interface Part {
  /** One of its runs: all have the same levels of the inner blocks. */
  readonly run: Observation
  at(levels: readonly Json[]): number | null
}

type Means = Map<string, { sum: number; n: number }>

interface Unit {
  readonly means: Means
  readonly parts: Map<string, { readonly run: Observation; readonly means: Means }>
}

/**
 * Repetitions, inner blocks and factors that are not part of the question are averaged first: only units are
 * independent.
 */
export function cellsOf(evidence: Evidence, factors: readonly string[], reading: Reading): Cells {
  const named = evidence.blocks.filter(name => levelsIn(evidence.runs, name).some(level => level !== null))
  const varying = named.filter(name => levelsIn(evidence.runs, name).length > 1)
  const unit = unitBlock(evidence.runs, varying) ?? named[0]
  const unitOf = (run: Observation): string => (unit === undefined ? run.name : String(levelOf(run, unit)))
  const inner = varying.filter(name => name !== unit)
  const units = new Map<string, Unit>()
  for (const run of evidence.runs) {
    const read = readValue(run, reading)
    if (!('value' in read) || !Number.isFinite(read.value)) continue
    const own = units.get(unitOf(run)) ?? { means: new Map(), parts: new Map() }
    units.set(unitOf(run), own)
    const key = keyOf(factors.map(factor => levelOf(run, factor)))
    count(own.means, key, read.value)
    if (inner.length === 0) continue
    const place = keyOf(inner.map(block => levelOf(run, block)))
    const part = own.parts.get(place) ?? { run, means: new Map() }
    own.parts.set(place, part)
    count(part.means, key, read.value)
  }
  return {
    factors,
    unit: unit ?? 'run',
    units: [...units.keys()].toSorted(),
    inner,
    at: (name, levels) => meanIn(units.get(name)?.means, levels),
    partsOf: name =>
      [...(units.get(name)?.parts.values() ?? [])].map(({ run, means }) => ({
        run,
        at: levels => meanIn(means, levels),
      })),
  }
}

function count(means: Means, key: string, value: number): void {
  const cell = means.get(key) ?? { sum: 0, n: 0 }
  means.set(key, { sum: cell.sum + value, n: cell.n + 1 })
}

function meanIn(means: Means | undefined, levels: readonly Json[]): number | null {
  const cell = means?.get(keyOf(levels))
  return cell === undefined ? null : cell.sum / cell.n
}

const keyOf = (levels: readonly Json[]): string => canonicalJson(levels)

/** A factor, and the baseline of its levels. */
export interface EffectFactor {
  readonly name: string
  readonly levels: readonly Json[]
  readonly baseline: Json
  readonly baselineIndex: number
  /** For factors that always change together, and so count as one: their own names. Its levels are joint: `sgd+0.9`. */
  readonly members?: readonly string[]
}
