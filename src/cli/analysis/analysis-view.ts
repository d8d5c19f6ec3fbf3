import { type BatchAnalysis, sentenceText, type VariationStatistic } from '../../analyze/batch/analyze-batch.ts'
import { amountText, dollars, levelText, percentText } from '../../util/words.ts'
import type { Style } from '../views/style.ts'
import { tableLines } from '../views/table.ts'

/** The files contain more. */
const mostVariants = 20

/** The findings in sentences, and a row for each variant. */
export function analysisLines(analysis: BatchAnalysis, columns: number, style: Style): readonly string[] {
  const { findings } = analysis.patterns
  const explored = findings.filter(({ exploratory }) => exploratory)
  const [first, ...others] = findings.filter(({ exploratory }) => !exploratory)
  return [
    ...(first === undefined ? [] : [style.bold(sentenceText(first))]),
    ...others.map(finding => `- ${sentenceText(finding)}`),
    ...(explored.length === 0
      ? []
      : ['', 'exploratory:', ...explored.map(finding => style.dim(`- ${sentenceText(finding)}`))]),
    ...unfinished(analysis).map(line => style.yellow(line)),
    ...withoutNumbers(analysis).map(line => style.yellow(line)),
    '',
    ...variantTable(analysis, columns, style),
  ]
}

function unfinished({ planned_runs, patterns: { total_runs } }: BatchAnalysis): readonly string[] {
  const left = (planned_runs ?? 0) - total_runs
  return left > 0 ? ['', `! partial: ${left} of ${planned_runs} planned runs have not ended yet`] : []
}

/** Most metrics may well be missing from some runs; text or NaN in the place of a number is a mistake somewhere. */
function withoutNumbers({ metrics, patterns: { ranking } }: BatchAnalysis): readonly string[] {
  return Object.entries(metrics).flatMap(([name, { count, missing, missing_reasons: reasons }]) => {
    const listedReasons = Object.keys(reasons).filter(
      reason => name === ranking.metric || reason.startsWith('not a number') || reason.startsWith('the value is'),
    )
    if (listedReasons.length === 0 || count === 0) return []
    const runs = listedReasons.reduce((sum, reason) => sum + (reasons[reason] ?? 0), 0)
    const more = listedReasons.length > 3 ? `; and ${listedReasons.length - 3} more reasons` : ''
    return `! left out of ${name}: ${runs} of ${count + missing} runs (${listedReasons.slice(0, 3).join('; ')}${more})`
  })
}

/** One column for each varying factor: in a single column they would not fit. */
function varyingFactors(all: readonly VariationStatistic[]): readonly string[] {
  const names = new Set(all.flatMap(({ levels }) => Object.keys(levels)))
  return [...names].filter(name => new Set(all.map(({ levels }) => levelText(levels[name] ?? null))).size > 1)
}

function variantTable({ variations, patterns }: BatchAnalysis, columns: number, style: Style): readonly string[] {
  const all = Object.values(variations)
  const { metric } = patterns.ranking
  const factors = varyingFactors(all)
  const hasCosts = patterns.cost.total !== null
  const rows = all
    .slice(0, mostVariants)
    .map(one => [
      ...(factors.length === 0 ? [one.description] : factors.map(name => factorText(one, name))),
      `${one.successful_runs}/${one.successful_runs + one.failed_runs}`,
      rateText(one),
      ...(metric === 'success' ? [] : [meanText(one, metric)]),
      ...(hasCosts ? [costText(one)] : []),
    ])
  const head = [
    ...(factors.length === 0 ? ['variant'] : factors),
    'succeeded',
    'rate',
    ...(metric === 'success' ? [] : [metric]),
    ...(hasCosts ? ['per success'] : []),
  ]
  const left = all.length - rows.length
  return [
    ...tableLines(head, rows, { columns, head: style.bold }),
    ...(left > 0 ? [`… and ${left} more in variation-statistics.json`] : []),
  ]
}

const factorText = ({ levels }: VariationStatistic, name: string): string => {
  const level = levels[name]
  return level === undefined ? '' : levelText(level)
}

function rateText({ success_rate, success_rate_ci: ci }: VariationStatistic): string {
  if (success_rate === null) return '–'
  return `${percentText(success_rate)}${ci === null ? '' : ` (${bare(ci.low ?? 0)} to ${bare(ci.high ?? 1)})`}`
}

function meanText({ metrics }: VariationStatistic, metric: string): string {
  const found = metrics[metric]
  if (found === undefined || found.mean === null) return '–'
  const amount = amountText(metric)
  const { ci } = found
  return `${amount(found.mean)}${ci === null || ci.low === null || ci.high === null ? '' : ` (${amount(ci.low)} to ${amount(ci.high)})`}`
}

const costText = ({ cost_per_success: { value } }: VariationStatistic): string =>
  value === null ? '–' : dollars(value)
const bare = (share: number): string => percentText(share).replace('%', '')
