import { chanceText } from '../../../analyze/compare/chance-text.ts'
import type { Comparison } from '../../../analyze/compare/comparison.ts'
import { amountText, percentText, writingOf } from '../../../analyze/numbers.ts'
import { counted, unitWord } from '../../../analyze/words.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { totalsOf } from '../totals.ts'
import type { View } from '../view.ts'

/** A number of the verdict, large enough to be found again. */
export interface Tile {
  readonly name: string
  readonly value: string
  readonly more: string
}

/** How much, how sure, on how many; and what all runs cost and took, whatever is looked at. */
export function tilesOf(dataset: Dataset, { filter }: Pick<View, 'filter'>, about: Comparison | null): readonly Tile[] {
  const { cost_usd, budget_usd, wall_s } = totalsOf(dataset)
  const money = amountText('cost_usd')
  const count = dataset.evidence.runs.length
  const despite = filter.trim() === '' ? '' : ', whatever the filter'
  const whose = `${count === 1 ? 'the one run' : `all ${count} runs`}${despite}`
  const budget = budget_usd === null ? '' : `of ${money(budget_usd)}, `
  return [
    ...(about === null ? [] : comparisonTiles(about)),
    ...(cost_usd === null ? [] : [{ name: 'Cost', value: money(cost_usd), more: `${budget}${whose}` }]),
    ...(wall_s === null
      ? []
      : [{ name: 'Time', value: durationText(wall_s), more: count === 1 ? whose : `${whose}, one after another` }]),
  ]
}

function comparisonTiles(about: Comparison): readonly Tile[] {
  const { difference, bound } = writingOf(about)
  const { estimate, ci, p, p_adjusted, p_is_bound, n, unit, correction, candidate, control } = about
  const range =
    ci === null
      ? (about.reason ?? 'no interval')
      : `${percentText(ci.level)} CI ${ci.low === null ? '−∞' : bound(ci.low)} to ${ci.high === null ? '∞' : bound(ci.high)}`
  const chance = p_adjusted ?? p
  const test = p_adjusted === null ? about.test : `corrected (${correction})`
  return [
    {
      name: `Difference: ${candidate} − ${control}`,
      value: estimate === null ? '–' : difference(estimate),
      more: range,
    },
    n.pairs === null
      ? { name: 'Units', value: String(n.candidate), more: `against ${counted(n.control, unitWord(unit))}` }
      : { name: 'Pairs', value: String(n.pairs), more: counted(n.pairs, unitWord(unit)) },
    {
      name: 'p',
      value: chance === null ? '–' : withoutName(chance, p_is_bound),
      more: [test, ...otherTests(about)].join('; '),
    },
  ]
}

/** Tests that assume less, and may say another thing. */
const otherTests = ({ other_tests, p_adjusted }: Comparison): readonly string[] =>
  other_tests.flatMap(({ test, p, p_is_bound }) =>
    p === null ? [] : [`${withoutName(p, p_is_bound)} by ${test}${p_adjusted === null ? '' : ', uncorrected'}`],
  )

const withoutName = (p: number, isBound: boolean): string => chanceText(p, isBound).replace(/^p (= )?/, '')

function durationText(seconds: number): string {
  if (seconds < 59.5) return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`
  // Rounded first: 119.7 s are 2 min 0 s, not 1 min 60 s.
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
