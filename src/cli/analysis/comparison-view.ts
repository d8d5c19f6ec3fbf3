import type { Bounds, Comparison } from '../../analyze/compare/comparison.ts'
import { amountText, percentText, plainNumber, pText } from '../../analyze/numbers.ts'
import type { Style } from '../views/style.ts'
import { tableLines } from '../views/table.ts'

/** The sentence first; then what it rests on, for those who want to know. */
export function comparisonLines(comparisons: readonly Comparison[], columns: number, style: Style): readonly string[] {
  return [
    ...comparisons.map(comparison => style.bold(sentenceText(comparison))),
    '',
    ...armsTable(comparisons, columns),
    '',
    ...comparisons.flatMap(comparison => detailLines(comparison, comparisons.length > 1)),
    ...warningLines(comparisons, style),
  ]
}

const sentenceText = ({ sentence }: Comparison): string => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`

function armsTable(comparisons: readonly Comparison[], columns: number): readonly string[] {
  const [first] = comparisons
  if (first === undefined) return []
  const arms = [
    { label: first.control, ...first.arms.control },
    ...comparisons.map(({ candidate, arms: { candidate: arm } }) => ({ label: candidate, ...arm })),
  ]
  const amount = amountText(first.metric)
  const rows = arms.map(({ label, n, mean, sd, ci }) => [
    label,
    String(n),
    mean === null ? '–' : amount(mean),
    sd === null ? '–' : plainNumber(sd),
    ci === null ? '–' : boundsText(ci, amount),
  ])
  const level = percentText(first.ci?.level ?? 0.95)
  const title = first.summary === null ? first.metric : `${first.metric} (${first.summary})`
  return tableLines([title, first.unit === 'run' ? 'runs' : `${first.unit}s`, 'mean', 'sd', `${level} CI`], rows, {
    columns,
  })
}

function detailLines(comparison: Comparison, isOneOfMany: boolean): readonly string[] {
  const { candidate, control, metric, estimate, ci, p, test, p_adjusted, correction, other_tests, effect, pairing } =
    comparison
  const amount = amountText(metric)
  const rows: (readonly [string, string])[] = []
  if (estimate !== null)
    rows.push([
      'difference',
      `${amount(estimate)}${ci === null ? '' : `, ${percentText(ci.level)} CI ${boundsText(ci, amount)} (${ci.method})`}`,
    ])
  if (p !== null)
    rows.push([
      'p',
      [pText(p), test, ...(p_adjusted === null ? [] : [`${pText(p_adjusted)} after ${correction}`])].join(', '),
    ])
  for (const other of other_tests) if (other.p !== null) rows.push(['', `${pText(other.p)}, ${other.test}`])
  rows.push(...effectRows(effect))
  if (pairing !== null) rows.push(['pairing', pairingText(pairing)])
  if (comparison.equivalence !== null) rows.push(['within the margin', equivalenceText(comparison.equivalence, amount)])
  if (comparison.detectable !== null)
    rows.push([
      'could have found',
      `${amount(comparison.detectable.difference)} with ${percentText(comparison.detectable.power)} power`,
    ])
  if (comparison.reason !== null) rows.push(['no interval', comparison.reason])
  const width = Math.max(...rows.map(([name]) => name.length))
  const head = isOneOfMany
    ? [`${candidate} against ${control}: ${comparison.verdict}`]
    : [`verdict: ${comparison.verdict}`]
  return [...head, ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`), '']
}

function effectRows({
  standardized,
  cliffs_delta,
  ratio,
}: Comparison['effect']): readonly (readonly [string, string])[] {
  const parts = [
    ...(standardized === null
      ? []
      : [`${standardized.name === 'd_z' ? 'd_z' : "Hedges' g"} ${plainNumber(standardized.value)}`]),
    ...(cliffs_delta === null ? [] : [`Cliff's delta ${plainNumber(cliffs_delta)}`]),
    ...(ratio === null
      ? []
      : [
          `ratio of means ${plainNumber(ratio.value)}${ratio.low === null || ratio.high === null ? '' : ` (${plainNumber(ratio.low)} to ${plainNumber(ratio.high)})`}`,
        ]),
  ]
  return parts.length === 0 ? [] : [['effect', parts.join(', ')]]
}

function pairingText({ by, correlation, variance_reduction, unmatched }: NonNullable<Comparison['pairing']>): string {
  return [
    `by ${by.join(', ')}`,
    ...(correlation === null ? [] : [`correlation ${plainNumber(correlation)}`]),
    ...(variance_reduction === null
      ? []
      : [`took away ${percentText(Math.max(0, variance_reduction))} of the variance`]),
    ...(unmatched.length === 0 ? [] : [`${unmatched.length} without a partner`]),
  ].join(', ')
}

function equivalenceText(
  { margin, ci, equivalent, not_worse }: NonNullable<Comparison['equivalence']>,
  amount: (value: number) => string,
): string {
  const finding = equivalent ? 'equivalent' : not_worse ? 'not worse' : 'not shown'
  return `${finding} (± ${amount(margin)}; ${percentText(ci.level)} CI ${boundsText(ci, amount)})`
}

function boundsText({ low, high }: Bounds, amount: (value: number) => string): string {
  return `${low === null ? '−∞' : amount(low)} to ${high === null ? '∞' : amount(high)}`
}

function warningLines(comparisons: readonly Comparison[], style: Style): readonly string[] {
  const warnings = new Set(comparisons.flatMap(comparison => comparison.warnings))
  return [...warnings].map(warning => style.yellow(`! ${warning}`))
}
