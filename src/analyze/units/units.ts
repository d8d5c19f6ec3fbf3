import { type Evidence, levelOf, type Observation } from '../../define/observation.ts'
import { canonicalJson } from '../../util/json.ts'
import { levelText } from '../../util/words.ts'
import { isNumbering, unitBlock } from './crossing.ts'

/** What is sampled, by the rule that comparisons have: a block (a task, a seed), for its runs are alike; a run itself where there is none. */
export interface Units {
  readonly name: string
  of(run: Observation): string
  /** Of each run of a list. The list is remembered: it is asked about once for every metric. */
  ofAll(runs: readonly Observation[]): readonly string[]
  /** The levels of the other blocks, each of which may come back from unit to unit: a list for each block, remembered too. */
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

/** Of one task or one seed nothing can be said but by its runs. */
function hasSeveral(runs: readonly Observation[], block: string): boolean {
  const [first, ...others] = runs
  if (first === undefined) return false
  const text = canonicalJson(levelOf(first, block))
  return others.some(run => canonicalJson(levelOf(run, block)) !== text)
}
