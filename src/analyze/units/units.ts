import { type Evidence, levelOf, type Observation } from '../../define/observation.ts'
import { canonicalJson } from '../../util/json.ts'
import { levelText } from '../../util/words.ts'
import { isNumbering, unitBlock } from './crossing.ts'

/**
 * The sampled unit, by the same rule as in comparisons: a block (a task, a seed), because its runs are alike; without
 * blocks, the run itself.
 */
export interface Units {
  readonly name: string
  of(run: Observation): string
  /** For each run of a list. The list is cached: it is used once for every metric. */
  ofAll(runs: readonly Observation[]): readonly string[]
  /** The other blocks, without those that only number repetitions. */
  readonly inside: readonly string[]
  /** The levels of these blocks, each of which may recur in several units: a list for each block, also cached. */
  insideAll(runs: readonly Observation[]): readonly (readonly string[])[]
}

export function unitsOf(evidence: Evidence): Units {
  const varying = evidence.blocks.filter(block => hasSeveral(evidence.runs, block))
  const name = unitBlock(evidence.runs, varying)
  const of = (run: Observation): string =>
    name === undefined ? canonicalJson([run.source, run.name]) : levelText(levelOf(run, name))
  const known = new WeakMap<readonly Observation[], readonly string[]>()
  const others = varying.filter(block => block !== name && !isNumbering(block))
  const knownInside = new WeakMap<readonly Observation[], readonly (readonly string[])[]>()
  return {
    name: name ?? 'run',
    inside: others,
    of,
    ofAll(runs) {
      const units = known.get(runs) ?? runs.map(of)
      known.set(runs, units)
      return units
    },
    insideAll(runs) {
      const inside = knownInside.get(runs) ?? others.map(block => runs.map(run => canonicalJson(levelOf(run, block))))
      knownInside.set(runs, inside)
      return inside
    },
  }
}

/** With one task or one seed, only its runs can be compared. */
function hasSeveral(runs: readonly Observation[], block: string): boolean {
  const [first, ...others] = runs
  if (first === undefined) return false
  const text = canonicalJson(levelOf(first, block))
  return others.some(run => canonicalJson(levelOf(run, block)) !== text)
}
