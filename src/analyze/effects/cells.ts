import { type Evidence, levelOf, type Observation } from '../../define/observation.ts'
import { canonicalJson, type Json } from '../../util/json.ts'
import { levelsIn } from '../arms.ts'
import { type Reading, readValue } from '../reading.ts'
import { unitBlock } from '../units/crossing.ts'

/** The mean of each combination of levels, in each independent unit. */
interface Cells {
  readonly factors: readonly string[]
  readonly unit: string
  readonly units: readonly string[]
  /** null where that combination has no value in that unit. */
  at(unit: string, levels: readonly Json[]): number | null
}

/** Repetitions, inner blocks and factors that are not asked about are averaged first: only units are independent. */
export function cellsOf(evidence: Evidence, factors: readonly string[], reading: Reading): Cells {
  const named = evidence.blocks.filter(name => levelsIn(evidence.runs, name).some(level => level !== null))
  const varying = named.filter(name => levelsIn(evidence.runs, name).length > 1)
  const unit = unitBlock(evidence.runs, varying) ?? named[0]
  const unitOf = (run: Observation): string => (unit === undefined ? run.name : String(levelOf(run, unit)))
  const sums = new Map<string, Map<string, { sum: number; n: number }>>()
  for (const run of evidence.runs) {
    const read = readValue(run, reading)
    if (!('value' in read) || !Number.isFinite(read.value)) continue
    const own = sums.get(unitOf(run)) ?? new Map<string, { sum: number; n: number }>()
    sums.set(unitOf(run), own)
    const key = keyOf(factors.map(factor => levelOf(run, factor)))
    const cell = own.get(key) ?? { sum: 0, n: 0 }
    own.set(key, { sum: cell.sum + read.value, n: cell.n + 1 })
  }
  return {
    factors,
    unit: unit ?? 'run',
    units: [...sums.keys()].toSorted(),
    at(name, levels) {
      const cell = sums.get(name)?.get(keyOf(levels))
      return cell === undefined ? null : cell.sum / cell.n
    },
  }
}

const keyOf = (levels: readonly Json[]): string => canonicalJson(levels)

/** Something that varies, and what its levels are compared with. */
export interface EffectFactor {
  readonly name: string
  readonly levels: readonly Json[]
  readonly baseline: Json
  readonly baselineIndex: number
  /** Of factors that always change together, which are one: their own names. Its levels are joint: `sgd+0.9`. */
  readonly members?: readonly string[]
}
