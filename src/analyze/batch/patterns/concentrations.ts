import { levelOf } from '../../../define/observation.ts'
import { valueOrNull, whenAvailable } from '../../../stats/estimate.ts'
import { fisherExactTest } from '../../../stats/index.ts'
import { canonicalJson, type Json } from '../../../util/json.ts'
import { adjustedP } from '../../adjust.ts'
import type { Batch } from '../batch.ts'
import { contrastedFactors } from './factor-contrasts.ts'
import type { FailedRuns } from './failure-modes.ts'

/** A failure mode that is concentrated at one level of a factor. */
export interface Concentration {
  readonly mode: string
  readonly factor: string
  readonly level: Json
  readonly with_level: { readonly count: number; readonly of: number }
  readonly without: { readonly count: number; readonly of: number }
  readonly p: number
  readonly p_adjusted: number | null
  readonly exploratory: true
}

/** Below this number, chance decides where a mode occurs. */
const fewest = 3

/**
 * Where failures are concentrated, among all tested pairs of a mode and a level; only those that survive the
 * correction.
 */
export function concentrations(batch: Batch, modes: readonly FailedRuns[]): readonly Concentration[] {
  // Success factors already report that a rule is missed more at some levels than at others.
  const frequent = modes.filter(({ mode, runs }) => runs.length >= fewest && mode.outcome !== 'completed')
  const factors = contrastedFactors(batch)
  const tried = frequent.flatMap(({ mode, runs }) => {
    const its = new Set(runs)
    return factors.flatMap(({ factor, levels }) => {
      const counted = levels.map(level => {
        const text = canonicalJson(level)
        const withLevel = { count: 0, of: 0 }
        const without = { count: 0, of: 0 }
        for (const run of batch.evidence.runs) {
          const own = levelOf(run, factor)
          if (own === null) continue
          const side = canonicalJson(own) === text ? withLevel : without
          side.of++
          if (its.has(run)) side.count++
        }
        return { mode: mode.mode, factor, level, with_level: withLevel, without, p: pOf(withLevel, without) }
      })
      // Two levels are one question, not two.
      return levels.length === 2 ? counted.filter(isMoreHere).slice(0, 1) : counted
    })
  })
  const adjusted = adjustedP(
    tried.map(({ p }) => p),
    batch.correction,
  )
  return tried.flatMap(({ p, ...one }, index) => {
    const p_adjusted = adjusted[index] ?? null
    return p !== null && isMoreHere(one) && (p_adjusted ?? p) <= batch.alpha
      ? [{ ...one, p, p_adjusted, exploratory: true as const }]
      : []
  })
}

const isMoreHere = ({ with_level: own, without: rest }: Pick<Concentration, 'with_level' | 'without'>): boolean =>
  own.count / own.of > rest.count / rest.of

function pOf(own: { count: number; of: number }, rest: { count: number; of: number }): number | null {
  const test = fisherExactTest({ successes: own.count, n: own.of }, { successes: rest.count, n: rest.of })
  return valueOrNull(whenAvailable(test, ({ twoSided }) => twoSided))
}
