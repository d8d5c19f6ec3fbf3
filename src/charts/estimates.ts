import * as Plot from '@observablehq/plot'
import type { ChartOptions } from './chart.ts'
import { frame, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { endsOf, estimateTexts, extentOf, type Measured, padded } from './drawing/interval.ts'
import { intervalRows } from './drawing/interval-rows.ts'
import { axisLabel, isDrawable } from './drawing/numbers.ts'
import { colors } from './drawing/theme.ts'

export interface EstimateRow extends Measured {
  readonly label: string
  readonly n: number
  readonly isBaseline?: boolean
}

export interface EstimatesData {
  readonly metric: string
  /** Of what: “each arm”; without it, of every variant. */
  readonly of?: string
  readonly unit?: string
  /** What the numbers are, e.g. “mean”. */
  readonly statistic?: string
  /** e.g. “95% CI”. */
  readonly intervalLabel?: string
  readonly rows: readonly EstimateRow[]
}

/** Every variant's estimate with its interval, one under the other. */
export function estimatesChart(
  data: EstimatesData,
  options: ChartOptions & { readonly order?: 'given' | 'ascending' | 'descending' },
): string {
  const width = options.width ?? 720
  const statistic = data.statistic ?? 'estimate'
  const title = `${data.metric}: ${statistic} of ${data.of ?? 'every variant'}`
  const rows = inOrder(withOneBaseline(data.rows), options.order ?? 'given')
  const spread = extentOf(endsOf(rows))
  if (spread === null) return nothingToDraw(title, nothing(rows), { ...options, width })
  const texts = estimateTexts(rows)
  const baseline = rows.find(row => row.isBaseline === true && isDrawable(row.value))
  const chart = intervalRows({
    document: options.document,
    width: innerWidth(width),
    mark: 'dot',
    axis: axisLabel(data.metric, data.unit),
    domain: padded(spread),
    headings: [`${statistic}${data.intervalLabel === undefined ? '' : ` [${data.intervalLabel}]`}`, 'n'],
    behind:
      baseline === undefined
        ? []
        : [Plot.ruleX([baseline.value], { stroke: colors.grey, strokeDasharray: '2 3', strokeWidth: 1.4 })],
    rows: rows.map((row, index) => ({
      ...row,
      label: row.isBaseline === true ? `${row.label} (baseline)` : row.label,
      color: row.isBaseline === true ? colors.grey : colors.blue,
      symbol: row.isBaseline === true ? 'square' : 'circle',
      isBold: row.isBaseline === true,
      cells: [texts[index] ?? '', String(row.n)],
    })),
  })
  const description = rows.map((row, index) => `${row.label}: ${texts[index]}, n = ${row.n}`).join('. ')
  return frame(
    { title, description: `${axisLabel(data.metric, data.unit)}. ${description}.`, panels: [[chart]] },
    { ...options, width },
  )
}

/** A line belongs to one row: where several share the baseline's level, none of them is the baseline. */
const withOneBaseline = (rows: readonly EstimateRow[]): readonly EstimateRow[] =>
  rows.filter(row => row.isBaseline === true).length === 1 ? rows : rows.map(row => ({ ...row, isBaseline: false }))

function nothing(rows: readonly EstimateRow[]): string {
  const reasons = rows.filter(row => row.reason).map(row => `${row.label}: ${row.reason}.`)
  return ['There is no estimate to draw.', ...reasons].join(' ')
}

/** Variants without a value come last, whatever the order. */
function inOrder(rows: readonly EstimateRow[], order: 'given' | 'ascending' | 'descending'): readonly EstimateRow[] {
  if (order === 'given') return rows
  const sign = order === 'ascending' ? 1 : -1
  const rank = (row: EstimateRow) => (isDrawable(row.value) ? sign * row.value : Number.POSITIVE_INFINITY)
  return [...rows].sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
}
