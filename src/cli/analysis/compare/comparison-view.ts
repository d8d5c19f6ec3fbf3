import {
  type Bounded,
  type Bounds,
  type Comparison,
  intervalOfVerdict,
  type LevelSplit,
} from '../../../analyze/compare/compare.ts'
import {
  chanceText,
  listed,
  percentText,
  plainNumber,
  plural,
  pText,
  unitWord,
  type Writing,
  writingOf,
} from '../../../util/words.ts'
import type { Style } from '../../views/style.ts'
import { tableLines } from '../../views/table.ts'

/** The sentence first; then the details. `partial`: which part of the experiment this is, if it is not complete. */
export function comparisonLines(
  comparisons: readonly Comparison[],
  columns: number,
  style: Style,
  partial: string | null = null,
): readonly string[] {
  return [
    ...comparisons.map(comparison => style.bold(sentenceText(comparison))),
    '',
    ...armsTable(comparisons, columns),
    '',
    ...comparisons.flatMap(comparison => detailLines(comparison, comparisons.length > 1, partial)),
    ...warningLines(comparisons, style),
  ]
}

/** Names are not capitalised: `raw` is not `Raw`. */
const sentenceText = ({ sentence }: Comparison): string => `${sentence.replace(/^no /, 'No ')}.`

function armsTable(comparisons: readonly Comparison[], columns: number): readonly string[] {
  const [first] = comparisons
  if (first === undefined) return []
  const arms = [
    { label: first.control, ...first.arms.control },
    ...comparisons.map(({ candidate, arms: { candidate: arm } }) => ({ label: candidate, ...arm })),
  ]
  const { value } = writingOf(first)
  const rows = arms.map(({ label, n, value: own, sd, ci }) => [
    label,
    String(n),
    own === null ? '–' : value(own),
    sd === null ? '–' : plainNumber(sd),
    ci === null ? '–' : boundsText(ci, value),
  ])
  const level = percentText(first.ci?.level ?? 0.95)
  const title = first.summary === null ? first.metric : `${first.metric} (${first.summary})`
  return tableLines([title, plural(unitWord(first.unit)), first.statistic ?? 'mean', 'sd', `${level} CI`], rows, {
    columns,
  })
}

function detailLines(comparison: Comparison, isOneOfMany: boolean, partial: string | null): readonly string[] {
  const { candidate, control, estimate, ci, p, p_is_bound, test, p_adjusted, correction } = comparison
  const { other_tests, effect, pairing } = comparison
  const writing = writingOf(comparison)
  const { difference } = writing
  const rows: (readonly [string, string])[] = []
  if (estimate !== null)
    rows.push([
      'difference',
      `${difference(estimate)}${ci === null ? '' : `, ${percentText(ci.level)} CI ${boundsText(ci, writing.bound)} (${methodTexts[ci.method] ?? ci.method})`}`,
    ])
  if (comparison.ci_simultaneous !== null)
    rows.push([
      '',
      `${percentText(comparison.ci_simultaneous.level)} CI ${boundsText(comparison.ci_simultaneous, writing.bound)}, so that all intervals hold together (${correction === 'max-t' ? 'max-T' : 'Bonferroni'})`,
    ])
  for (const split of comparison.by_level) rows.push(...levelRows(split, writing))
  if (p !== null)
    rows.push([
      'test',
      `${chanceText(p, p_is_bound)} (${test})${p_adjusted === null ? '' : `, ${chanceText(p_adjusted, p_is_bound)} after ${correctionText[correction]}`}`,
    ])
  else if (ci !== null) rows.push(['test', `no p: ${comparison.p_reason} (${test})`])
  for (const other of other_tests)
    if (other.p !== null)
      rows.push([p === null && ci === null ? 'test' : '', `${chanceText(other.p, other.p_is_bound)} (${other.test})`])
  if (comparison.t_test !== null) rows.push(...tTestRows(comparison.t_test))
  rows.push(...effectRows(effect))
  if (pairing !== null) rows.push(['pairing', pairingText(pairing)])
  if (comparison.design !== null) rows.push(['design', comparison.design.text])
  rows.push(...spreadRows(comparison))
  if (comparison.rliable !== null) rows.push(...rliableRows(comparison.rliable, comparison.unit, writing))
  if (comparison.equivalence !== null)
    rows.push(['within the margin', equivalenceText(comparison.equivalence, comparison, writing)])
  if (comparison.undetectable) rows.push(['could have found', 'no possible difference, 80% of the time'])
  if (comparison.detectable !== null) {
    const { direction, power, difference: size, by } = comparison.detectable
    const going = by === 'width' ? ' (going by the width of the interval alone)' : ''
    const what = { either: 'a difference', above: 'an increase', below: 'a decrease' }[direction]
    rows.push(['could have found', `${what} of about ${difference(size)}, ${percentText(power)} of the time${going}`])
  }
  if (comparison.reason !== null)
    rows.push([comparison.estimate === null ? 'no value' : 'no interval', comparison.reason])
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  const verdict = `${verdictText(comparison)}${partial === null ? '' : ` (${partial})`}`
  const head = isOneOfMany ? `${candidate} against ${control}: ${verdict}` : `verdict: ${verdict}`
  return [head, ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`), '']
}

/** One row for each level: an average may hide that the difference changes sign. */
const levelRows = (
  { factor, p, levels }: LevelSplit,
  { difference, bound }: Writing,
): readonly (readonly [string, string])[] =>
  levels.map(({ label, estimate, ci, verdict }, at) => [
    at === 0 ? `by ${factor}` : '',
    `${label}: ${estimate === null ? 'no value' : difference(estimate)}${ci === null ? '' : `, ${percentText(ci.level)} CI ${boundsText(ci, bound)}`}: ${verdict}${at === 0 ? ` (it is not the same at all of them: ${pText(p)})` : ''}`,
  ])

/** If one of several metrics was to decide, findings on the others are only a reason to look again. */
const verdictText = ({ verdict, exploratory, primary_metric }: Comparison): string =>
  exploratory ? `${verdict}, exploratory (the primary metric is ${primary_metric})` : verdict

const methodTexts: Readonly<Record<string, string>> = {
  t: 't',
  studentized: 'studentised bootstrap',
  wider: 'the wider of t and studentised bootstrap',
  widest: 'the widest of t, studentised permutation and, from 7 units, studentised bootstrap',
  percentile: 'percentile bootstrap',
  basic: 'basic bootstrap',
  bca: 'BCa bootstrap',
  smooth: 'smoothed bootstrap',
  nested: 'nested bootstrap',
  permutation: 'permutation',
  newcombe: 'Newcombe',
  score: 'score test, summed over all outcomes',
}

const correctionText: Readonly<Record<Comparison['correction'], string>> = {
  holm: "Holm's correction",
  hochberg: "Hochberg's correction",
  bonferroni: "Bonferroni's correction",
  bh: 'Benjamini–Hochberg',
  by: 'Benjamini–Yekutieli',
  none: 'no correction',
  'max-t': 'max-T',
}

function tTestRows(found: NonNullable<Comparison['t_test']>): readonly (readonly [string, string])[] {
  const { test, t, df, p, reason, normality, equal_variances } = found
  const doubt = (isDoubtful: boolean): string => (isDoubtful ? ', doubtful' : '')
  return [
    [
      test,
      t === null || df === null || p === null
        ? `no value: ${reason}`
        : `t = ${plainNumber(t)}, df = ${Number(df.toFixed(2))}, ${pText(p)}`,
    ],
    ...normality.map(
      ({ of, w, p: chance, doubtful }) =>
        [
          '',
          w === null || chance === null
            ? `normality of the ${of}: no value`
            : `normality of the ${of}: W = ${plainNumber(w)}, ${pText(chance)} (Shapiro–Wilk)${doubt(doubtful)}`,
        ] as const,
    ),
    ...(equal_variances === null
      ? []
      : [
          [
            '',
            `equal variances: W = ${plainNumber(equal_variances.w)}, ${pText(equal_variances.p)} (Levene)${doubt(equal_variances.doubtful)}; Welch's t does not need them`,
          ] as const,
        ]),
  ]
}

function effectRows({
  standardized,
  cliffs_delta,
  ratio,
  geometric_ratio,
}: Comparison['effect']): readonly (readonly [string, string])[] {
  const parts = [
    ...(standardized === null
      ? []
      : [`${standardized.name === 'd_z' ? 'd_z' : "Hedges' g"} ${plainNumber(standardized.value)}`]),
    ...(cliffs_delta === null ? [] : [`Cliff's delta ${plainNumber(cliffs_delta)}`]),
    ...(ratio === null ? [] : [ratioText('ratio of means', ratio)]),
    ...(geometric_ratio === null ? [] : [ratioText('of geometric means', geometric_ratio)]),
  ]
  return parts.length === 0 ? [] : [['effect', parts.join(', ')]]
}

function ratioText(name: string, { value, low, high }: NonNullable<Comparison['effect']['ratio']>): string {
  return `${name} ${plainNumber(value)}${low === null || high === null ? '' : ` (${plainNumber(low)} to ${plainNumber(high)})`}`
}

function pairingText({ by, correlation, variance_reduction, unmatched }: NonNullable<Comparison['pairing']>): string {
  return [
    `by ${by.join(', ')}`,
    ...(correlation === null ? [] : [`correlation ${plainNumber(correlation)}`]),
    ...(variance_reduction === null
      ? []
      : [
          variance_reduction >= 0
            ? `removed ${percentText(variance_reduction)} of the variance`
            : `added ${percentText(-variance_reduction)} of variance`,
        ]),
    ...(unmatched.length === 0 ? [] : [`${unmatched.length} without a partner`]),
  ].join(', ')
}

/**
 * How much values vary between units and how much between the runs of one unit: that decides whether more runs of each
 * would help.
 */
function spreadRows({ spread, control, candidate, unit }: Comparison): readonly (readonly [string, string])[] {
  if (spread === null) return []
  const word = unitWord(unit)
  const number = (value: number | null): string => (value === null ? '–' : plainNumber(value))
  const arms = [
    [control, spread.control],
    [candidate, spread.candidate],
  ] as const
  return arms.map(([label, { between_sd, within_sd, intraclass_correlation: icc, runs, effective_runs }], at) => [
    at === 0 ? 'spread' : '',
    `${label}: sd ${number(between_sd)} between ${plural(word)}, ${number(within_sd)} between runs of one (ICC ${number(icc)})${effective_runs === null ? '' : `; ${runs} runs are worth ${number(effective_runs)}`}${at === 0 && spread.apart_from.length > 0 ? `; apart from ${listed(spread.apart_from)}` : ''}`,
  ])
}

function rliableRows(
  { aggregates, tasks, probability_of_improvement: improvement }: NonNullable<Comparison['rliable']>,
  unit: string,
  { value, difference, bound }: Writing,
): readonly (readonly [string, string])[] {
  const interval = ({ ci, reason }: Bounded): string =>
    ci === null ? ` (no interval: ${reason})` : `, ${percentText(ci.level)} CI ${boundsText(ci, bound)}`
  const rows = aggregates.map(one => {
    const [ours, theirs, apart] = [one.control, one.candidate, one.difference].map(found => found.value)
    return [
      one.name.replace('_', ' '),
      `${ours == null ? '–' : value(ours)} → ${theirs == null ? '–' : value(theirs)}, difference ${apart == null ? '–' : difference(apart)}${interval(one.difference)}`,
    ] as const
  })
  const chance = improvement.value === null ? '–' : percentText(improvement.value)
  const bounds =
    improvement.ci === null
      ? ` (no interval: ${improvement.reason})`
      : `, ${percentText(improvement.ci.level)} CI ${boundsText(improvement.ci, percentText)}`
  return [
    ['rliable', `over ${tasks} ${plural(unitWord(unit))}, runs drawn within each: what other runs of these may give`],
    ...rows,
    ['P(improvement)', `${chance}${bounds}`],
  ]
}

function equivalenceText(
  found: NonNullable<Comparison['equivalence']>,
  { correction }: Comparison,
  { difference, bound }: Writing,
): string {
  const { margin, equivalent, not_worse } = found
  const ci = intervalOfVerdict(found)
  const finding = equivalent ? 'equivalent' : not_worse ? 'not worse' : 'neither equivalent nor not worse is shown'
  const [p, adjusted] =
    equivalent || !not_worse ? [found.p, found.p_adjusted] : [found.not_worse_p, found.not_worse_p_adjusted]
  // Margins are corrected by Holm's rule when differences are corrected by drawing all candidates together.
  const rule = correctionText[correction === 'max-t' ? 'holm' : correction]
  const chance = p === null ? '' : `, ${pText(p)}${adjusted === null ? '' : `, ${pText(adjusted)} after ${rule}`}`
  const interval = ci === null ? '' : `, ${ci.name} ${boundsText(ci, bound)}`
  return `${finding}: ±${difference(margin)}${interval}${chance}`
}

function boundsText({ low, high }: Bounds, amount: (value: number) => string): string {
  return `${low === null ? '−∞' : amount(low)} to ${high === null ? '∞' : amount(high)}`
}

function warningLines(comparisons: readonly Comparison[], style: Style): readonly string[] {
  const warnings = new Set(comparisons.flatMap(comparison => comparison.warnings))
  return [...warnings].map(warning => style.yellow(`! ${warning}`))
}
