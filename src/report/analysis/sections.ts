import {
  type BatchAnalysis,
  ciText,
  type Finding,
  lastWords,
  type Patterns,
  sentenceText,
  type VariationStatistic,
} from '../../analyze/batch/analyze-batch.ts'
import { type Provenance, provenanceFacts, settingFacts } from '../../analyze/provenance/provenance.ts'
import { amountText, counted, dollars, levelText, percentText, plainNumber, pText } from '../../util/words.ts'

export function head({ experiment, planned_runs, patterns }: BatchAnalysis): Section {
  const { total_runs, successful_runs, failed_runs, censored_runs, unjudged_runs, success_rate } = patterns
  const left = planned_runs === null || planned_runs <= total_runs ? [] : [`**Planned Runs:** ${planned_runs}`]
  return [
    '# Batch Analysis Report',
    '',
    ...[
      `**Experiment:** ${safe(experiment)}`,
      ...left,
      `**Total Runs:** ${total_runs}`,
      `**Successful Runs:** ${successful_runs}`,
      `**Failed Runs:** ${failed_runs}`,
      ...(censored_runs === 0 ? [] : [`**Cut Off, Not Judged:** ${censored_runs}`]),
      ...(unjudged_runs === 0 ? [] : [`**Not Measured, Not Judged:** ${unjudged_runs}`]),
      `**Success Rate:** ${success_rate === null ? 'no run could be judged' : `${(success_rate * 100).toFixed(1)}%${ciText(patterns.success_rate_ci, percentText, ', ')}`}`,
      `**Success means:** ${safe(patterns.success_definition)}`,
    ].map(line => `${line}  `),
  ]
}

export function found(findings: readonly Finding[]): Section {
  const lines = (exploratory: boolean) =>
    findings.filter(finding => finding.exploratory === exploratory).map(finding => `- ${safe(sentenceText(finding))}`)
  const explored = lines(true)
  return [
    '## What was found',
    '',
    ...lines(false),
    ...(explored.length === 0 ? [] : ['', 'Exploratory findings, not yet results:', '', ...explored]),
  ]
}

export function overallMetrics({ metrics }: BatchAnalysis): Section {
  const rows = Object.entries(metrics)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { count, mean, ci, median, stdev, min, max, missing, missing_reasons, reason }]) => {
      const amount = amountText(name)
      const why = count === 0 ? mostFrequent(missing_reasons) : null
      return [
        safe(name),
        `${count}${missing === 0 ? '' : ` (${missing} missing)`}`,
        text(mean, amount),
        ci === null ? `– (${safe(why ?? reason ?? '')})` : bounds(ci, amount),
        text(median, amount),
        text(stdev, plainNumber),
        mean === null ? '–' : `${text(min, amount)} to ${text(max, amount)}`,
      ]
    })
  if (rows.length === 0) return ['## Overall Metrics', '', 'The runs have no metrics.']
  return [
    '## Overall Metrics',
    '',
    'Of the runs that completed, all variants together.',
    '',
    ...markdownTable(['metric', 'runs', 'Mean', 'CI', 'Median', 'Std Dev', 'Range'], rows),
  ]
}

/** The most frequent reason for missing values. */
const mostFrequent = (reasons: { readonly [reason: string]: number }): string | null =>
  Object.entries(reasons).toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null

export function successFactors({ factor_contrasts: contrasts, correction, metric_associations }: Patterns): Section {
  if (contrasts.length === 0)
    return metric_associations.length === 0
      ? []
      : ['## Success Factors', '', 'Nothing to compare: no factor varies, or every run that was judged ended alike.']
  const points = (value: number) => plainNumber(value * 100).replace(/^-/, '−')
  const rows = contrasts
    .toSorted((a, b) => (a.p_adjusted ?? a.p ?? 2) - (b.p_adjusted ?? b.p ?? 2))
    .map(one => [
      safe(`${one.factor}=${levelText(one.level)}`),
      one.with_level.rate === null ? '–' : `${percentText(one.with_level.rate)} of ${one.with_level.n}`,
      one.without.rate === null ? '–' : `${percentText(one.without.rate)} of ${one.without.n}`,
      one.risk_difference === null ? '–' : points(one.risk_difference),
      one.ci === null ? `– (${one.reason ?? ''})` : bounds(one.ci, points),
      one.p === null ? '–' : pText(one.p_adjusted ?? one.p),
      one.is_shown ? one.direction : 'not shown',
      one.matched_on.length === 0 ? 'unmatched runs' : `${one.n} ${one.unit}s`,
    ])
  return [
    '## Success Factors',
    '',
    `Each level against all others${contrasts.length > 1 ? `; p after ${correction} for ${contrasts.length} questions` : ''}. Differences are in percentage points, of runs alike in everything else.`,
    '',
    ...markdownTable(['level', 'with it', 'without', 'difference', 'CI', 'p', '', 'matched on'], rows),
  ]
}

export function bestVariation({ best_variation: best, ranking }: Patterns): Section {
  const by = safe(ranking.metric === 'success' ? 'rate of success' : ranking.metric)
  if (ranking.reason !== null)
    return ['## Best Performing Variation', '', `Nothing can be ranked by ${by}: ${safe(ranking.reason)}.`]
  if (best === null) return []
  const amount = ranking.metric === 'success' ? percentText : amountText(ranking.metric)
  const rows = ranking.variations
    .slice(0, mostRows)
    .map(one => [
      String(one.variation_id),
      safe(one.description),
      text(one.mean, amount),
      one.ci === null ? '–' : bounds(one.ci, amount),
      one.rank_ci === null ? '–' : `${rankText(one.rank_ci.low)} to ${rankText(one.rank_ci.high)}`,
      one.p_best === null ? '–' : share(one.p_best),
      one.variation_id === best.variation_id ? 'best' : one.is_tied_with_best ? 'tied with the best' : '',
    ])
  const how = {
    paired: `${ranking.blocks_used} ${ranking.unit}s drawn again for all variants alike${ranking.blocks_left_out === 0 ? '' : ` (${ranking.blocks_left_out} left out: some variant has no value there)`}`,
    independent: "each variant's runs drawn again by themselves",
    none: 'too few values to say how sure that is',
  }[ranking.method ?? 'none']
  return [
    '## Best Performing Variation',
    '',
    `By ${by}, ${ranking.goal}; ${how}.`,
    '',
    ...markdownTable(['', 'Configuration', 'Mean', 'CI', 'Rank', 'P(best)', ''], rows),
    ...ranksByBlock(ranking),
  ]
}

const rankText = (rank: number): string => String(Number(rank.toFixed(2)))

/** By ranks within each block, which no outlier affects. */
function ranksByBlock({ friedman, unit }: Patterns['ranking']): Section {
  if (friedman === null) return []
  const { p, test, average_ranks, critical_distance, groups } = friedman
  const ranks = average_ranks
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, mostRows)
    .map(({ variation_id, rank }) => `${rankText(rank)} for ${variation_id}`)
  const alike = groups.map(group => group.join(' '))
  return [
    '',
    `By ranks within each ${unit} alone, is there any difference? ${pText(p)} (${test}). Average ranks: ${ranks.join(', ')}; those within ${plainNumber(critical_distance)} of each other can't be distinguished${alike.length === 0 ? '' : `: ${alike.join('; ')}`}.`,
  ]
}

export function variationComparison({ variations, metrics }: BatchAnalysis): Section {
  const names = Object.keys(metrics)
  const all = Object.values(variations)
  const costs = all.some(({ cost }) => cost.total !== null)
  const rows = all.map(one => [
    String(one.variation_id),
    safe(one.description),
    judgedText(one),
    one.success_rate === null ? '–' : `${percentText(one.success_rate)}${inBrackets(one.success_rate_ci, percentText)}`,
    ...(costs ? [costText(one)] : []),
    ...names.slice(0, mostColumns).map(name => metricText(one, name)),
  ])
  const shown = names.slice(0, mostColumns)
  const left = names.length - shown.length
  return [
    '## Variation Comparison',
    '',
    ...markdownTable(
      ['', 'Configuration', 'Runs', 'Success Rate', ...(costs ? ['Cost (Avg Cost/Run)'] : []), ...shown.map(safe)],
      rows.slice(0, mostRows),
    ),
    '',
    'Runs: succeeded / judged, and in brackets those that were not judged. Metrics: mean ± standard deviation (interval of the mean).',
    ...(left > 0 ? [`${left} more metrics are in variation-statistics.json.`] : []),
    ...(rows.length > mostRows ? [`${rows.length - mostRows} more variants are in variation-statistics.json.`] : []),
  ]
}

/** More is for the JSON files. */
const mostColumns = 6

function judgedText({ successful_runs, failed_runs, censored_runs, unjudged_runs }: VariationStatistic): string {
  const left = censored_runs + unjudged_runs
  return `${successful_runs}/${successful_runs + failed_runs}${left === 0 ? '' : ` (${left})`}`
}

function costText({ cost: { total, mean, missing } }: VariationStatistic): string {
  if (total === null || mean === null) return 'not recorded'
  return `${dollars(total)} (${dollars(mean)})${missing === 0 ? '' : `, ${missing} unknown`}`
}

function metricText({ metrics }: VariationStatistic, name: string): string {
  const found = metrics[name]
  if (found === undefined || found.mean === null) return '–'
  const amount = amountText(name)
  const spread = found.stdev === null ? '' : ` ± ${plainNumber(found.stdev)}`
  return `${amount(found.mean)}${spread}${inBrackets(found.ci, amount)}`
}

export function costEfficiency({ patterns, variations }: BatchAnalysis): Section {
  const { cost, cost_efficiency } = patterns
  if (cost.total === null) return ['## Cost Efficiency', '', 'No run recorded a cost, so nothing can be said about it.']
  const rows = cost_efficiency
    .slice(0, mostRows)
    .map(({ variation_id, description, runs_per_dollar, cost_per_success: { value, ci, reason } }) => [
      String(variation_id),
      safe(description),
      plainNumber(runs_per_dollar),
      text(value, dollars),
      ci === null ? `– (${reason ?? ''})` : bounds(ci, dollars),
    ])
  const without = Object.values(variations).length - cost_efficiency.length
  return [
    '## Cost Efficiency',
    '',
    ...markdownTable(['', 'Configuration', 'successes/$', 'Cost per success', 'CI'], rows),
    '',
    'All that was spent counts, on failures and repeated attempts too.',
    ...(without > 0
      ? [`${without} ${without === 1 ? 'variant has' : 'variants have'} no success, or no recorded cost.`]
      : []),
  ]
}

export function failureModes({ failure_modes: modes }: Patterns): Section {
  if (modes.length === 0) return []
  const hasTurns = modes.some(({ by_turn }) => by_turn !== undefined)
  const rows = modes
    .slice(0, mostRows)
    .map(one => [
      safe(one.mode),
      String(one.count),
      ...(hasTurns
        ? [(one.by_turn ?? []).map(({ turn, count }) => `${turn} (${counted(count, 'run')})`).join(', ')]
        : []),
      one.counts_as === 'failure' ? 'failure' : 'not judged',
      safe(lastWords(one) ?? ''),
      one.example_runs.map(name => `\`${name}\``).join(' '),
    ])
  const titles = ['how', 'runs', ...(hasTurns ? ['in turn'] : []), 'counts as', 'last words', 'for example']
  return ['## Failure Modes', '', ...markdownTable(titles, rows)]
}

export function associations({ metric_associations: all }: Patterns): Section {
  const known = all.filter(({ p }) => p !== null)
  if (known.length === 0) return []
  const rows = known
    .toSorted((a, b) => (a.p_adjusted ?? a.p ?? 2) - (b.p_adjusted ?? b.p ?? 2))
    .slice(0, mostRows)
    .map(({ name, probability_higher, ci, p, p_adjusted, n, is_shown }) => [
      safe(name),
      probability_higher === null ? '–' : share(probability_higher),
      ci === null ? '–' : bounds(ci, share),
      `${n.success} / ${n.failure}`,
      p === null ? '–' : pText(p_adjusted ?? p),
      is_shown ? 'yes' : 'not shown',
    ])
  return [
    '## Metrics that go with success',
    '',
    'How often a successful run has the higher value than a failed one; 50% is no relation. Exploratory: these were measured, not set.',
    '',
    ...markdownTable(['metric', 'higher in', 'CI', 'success / failure', 'p', 'related'], rows),
  ]
}

export function method({ alpha, correction, seed }: Patterns): Section {
  return [
    '## How this was computed',
    '',
    `Intervals hold ${percentText(1 - alpha)} of the time. Rates: Wilson. Means: Student's t below 7 independent values, then the wider of t and studentised bootstrap, as in compare; the runs of a block are averaged first. p is corrected by ${correction}. Seed ${seed}: the same journal gives the same page. Runs cut off by a limit are counted, never scored; a missing metric is counted, never 0.`,
  ]
}

/** The names of all runs used are in patterns.json. */
export function origin(provenance: Provenance): Section {
  const excluded = provenance.excluded.slice(0, mostRows)
  const left = provenance.excluded.length - excluded.length
  const settings = settingFacts(provenance).map(({ name, text: fact }) => `${name} ${fact}`)
  return [
    '## Provenance',
    '',
    ...provenanceFacts({ ...provenance, excluded }).map(({ name, text: fact }) => `- ${safe(name)}: ${safe(fact)}`),
    ...(left > 0 ? [`- excluded: ${left} more, in patterns.json`] : []),
    `- settings: ${safe(settings.join('; '))}`,
  ]
}

/** Lines of Markdown; empty: there is nothing to say. */
type Section = readonly string[]

/** More is for the JSON files. */
const mostRows = 50

const text = (value: number | null, amount: (value: number) => string): string => (value === null ? '–' : amount(value))
const bounds = (
  { low, high }: { readonly low: number | null; readonly high: number | null },
  amount: (value: number) => string,
) => `${low === null ? '−∞' : amount(low)} to ${high === null ? '∞' : amount(high)}`
const inBrackets = (ci: Parameters<typeof bounds>[0] | null, amount: (value: number) => string): string =>
  ci === null ? '' : ` (${bounds(ci, amount)})`
const share = (value: number): string => percentText(Number(value.toPrecision(12)))

/** A table of GitHub's Markdown; cells must be `safe`. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)]
}

/** Text from outside, escaped: no markup, no table borders, one line. */
export const safe = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*|[\]]|<(?=[a-z/!?])/gi, character => `\\${character}`)
