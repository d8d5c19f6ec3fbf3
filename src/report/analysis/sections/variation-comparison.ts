import type { BatchAnalysis } from '../../../analyze/batch/analyze-batch.ts'
import { dollars } from '../../../analyze/batch/patterns/findings.ts'
import type { VariationStatistic } from '../../../analyze/batch/variation-statistics.ts'
import { amountText, percentText, plainNumber } from '../../../analyze/numbers.ts'
import { markdownTable, safe } from '../markdown.ts'
import { inBrackets, mostRows, type Section } from './section.ts'

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
