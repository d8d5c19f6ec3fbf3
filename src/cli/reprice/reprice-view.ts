import type { ArmAnswer } from '../../analyze/reprice/reprice.ts'
import { dollars, percentText } from '../../util/words.ts'
import { significant } from '../views/number.ts'
import { tableLines } from '../views/table.ts'

/** One row for each arm, and the result of each comparison with the baseline. */
export function repriceLines(
  arms: readonly ArmAnswer[],
  { width, head }: { readonly width: number; readonly head: (text: string) => string },
): readonly string[] {
  const rows = arms.map(arm => [
    arm.arm,
    arm.mean_cost_usd === null ? 'unknown' : dollars(arm.mean_cost_usd),
    arm.ci?.low == null || arm.ci.high == null ? '' : `${dollars(arm.ci.low)} to ${dollars(arm.ci.high)}`,
    changeText(arm),
    thousands(arm.mean_input_tokens),
    arm.cached_share === null ? '' : percentText(arm.cached_share),
    thousands(arm.longest_prompt),
    arm.overflows === 0 ? '' : `${arm.overflows} of ${arm.instances}`,
    arm.pays_from_turn === null ? '' : `turn ${arm.pays_from_turn}`,
  ])
  const names = [
    'strategy',
    'cost per instance',
    '95% interval',
    'change',
    'input tokens',
    'cached',
    'longest prompt',
    'did not fit',
    'pays from',
  ]
  const isUsed = names.map((_, column) => column < 2 || rows.some(row => row[column] !== ''))
  const used = (cells: readonly string[]): readonly string[] => cells.filter((_, column) => isUsed[column])
  return [
    ...tableLines(used(names), rows.map(used), { columns: width, head }),
    '',
    ...arms.flatMap(({ comparison }) => (comparison === null ? [] : [comparison.sentence])),
  ]
}

function changeText({ comparison }: ArmAnswer): string {
  const ratio = comparison?.effect.ratio?.value
  if (ratio === undefined) return ''
  return `${ratio < 1 ? '−' : '+'}${percentText(Math.abs(ratio - 1))}`
}

const thousands = (tokens: number): string =>
  tokens < 1000 ? significant(tokens, 3) : `${significant(tokens / 1000, 3)}k`
