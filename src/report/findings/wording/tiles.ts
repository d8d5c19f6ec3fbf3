import { chanceText } from '../../../analyze/compare/chance-text.ts'
import type { Comparison } from '../../../analyze/compare/comparison.ts'
import { amountText, percentText, writingOf } from '../../../analyze/numbers.ts'
import { counted, unitWord } from '../../../analyze/words.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { totalsOf } from '../totals.ts'

/** A number of the verdict, large enough to be found again. */
export interface Tile {
  readonly name: string
  readonly value: string
  readonly more: string
}

/** How much, how sure, on how many, at what cost. */
export function tilesOf(dataset: Dataset, about: Comparison | null): readonly Tile[] {
  const { cost_usd, budget_usd, wall_s } = totalsOf(dataset)
  const money = amountText('cost_usd')
  return [
    ...(about === null ? [] : comparisonTiles(about)),
    ...(cost_usd === null
      ? []
      : [
          {
            name: 'Cost',
            value: money(cost_usd),
            more: budget_usd === null ? 'all runs' : `of ${money(budget_usd)}`,
          },
        ]),
    ...(wall_s === null ? [] : [{ name: 'Time', value: durationText(wall_s), more: 'all runs, one after another' }]),
  ]
}

function comparisonTiles(about: Comparison): readonly Tile[] {
  const { difference, bound } = writingOf(about)
  const { estimate, ci, p, p_adjusted, n, unit, correction } = about
  const range =
    ci === null
      ? (about.reason ?? 'no interval')
      : `${percentText(ci.level)} CI ${ci.low === null ? '−∞' : bound(ci.low)} to ${ci.high === null ? '∞' : bound(ci.high)}`
  const chance = p_adjusted ?? p
  return [
    { name: 'Difference', value: estimate === null ? '–' : difference(estimate), more: range },
    n.pairs === null
      ? { name: 'Units', value: String(n.candidate), more: `against ${counted(n.control, unitWord(unit))}` }
      : { name: 'Pairs', value: String(n.pairs), more: counted(n.pairs, unitWord(unit)) },
    {
      name: 'p',
      value: chance === null ? '–' : chanceText(chance, about.p_is_bound).replace(/^p (= )?/, ''),
      more: p_adjusted === null ? about.test : `corrected (${correction})`,
    },
  ]
}

function durationText(seconds: number): string {
  if (seconds < 59.5) return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`
  // Rounded first: 119.7 s are 2 min 0 s, not 1 min 60 s.
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
