import * as Plot from '@observablehq/plot'
import { type Bar, barsChart } from './bars.ts'
import type { ChartOptions, Range } from './chart.ts'
import { frame, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { endsOf, estimateTexts, extentOf, type Measured, padded } from './drawing/interval.ts'
import { intervalRows } from './drawing/interval-rows.ts'
import type { LegendItem } from './drawing/legend.ts'
import { axisLabel, fixed, isDrawable, readable } from './drawing/numbers.ts'
import { baselineLabel } from './drawing/short-labels.ts'
import { colors, fontSize, ink, type SeriesStyle } from './drawing/theme.ts'

export interface EstimateRow extends Measured {
  readonly label: string
  readonly n: number
  readonly isBaseline?: boolean
}

export interface EstimatesData {
  readonly metric: string
  /** The subject: “each arm”; without it, every variant. */
  readonly of?: string
  readonly unit?: string
  /** The meaning of the numbers, e.g. “mean”. */
  readonly statistic?: string
  /** e.g. “95% CI”. */
  readonly intervalLabel?: string
  readonly rows: readonly EstimateRow[]
}

/** Every variant's estimate with its interval, one under the other. */
export function estimatesChart(data: EstimatesData, options: ChartOptions): string {
  const width = options.width ?? 720
  const statistic = data.statistic ?? 'estimate'
  const title = `${data.metric}: ${statistic} of ${data.of ?? 'every variant'}`
  const rows = withOneBaseline(data.rows)
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
      label: row.isBaseline === true ? baselineLabel(row.label) : row.label,
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

/** A line belongs to one row: if several share the baseline's level, none of them is the baseline. */
const withOneBaseline = (rows: readonly EstimateRow[]): readonly EstimateRow[] =>
  rows.filter(row => row.isBaseline === true).length === 1 ? rows : rows.map(row => ({ ...row, isBaseline: false }))

function nothing(rows: readonly EstimateRow[]): string {
  const reasons = rows.filter(row => row.reason).map(row => `${row.label}: ${row.reason}.`)
  return ['There is no estimate to draw.', ...reasons].join(' ')
}

type Verdict = 'better' | 'worse' | 'equivalent' | 'inconclusive'

/** A candidate's value minus the baseline's. */
interface DifferenceRow extends Measured {
  readonly label: string
  /** Pairs, or runs of the candidate when unpaired. */
  readonly n: number
  readonly verdict?: Verdict
}

export interface DifferencesData {
  readonly metric: string
  readonly unit?: string
  readonly baseline: string
  readonly goal?: 'maximize' | 'minimize'
  readonly isPaired?: boolean
  readonly intervalLabel?: string
  /** Differences smaller than this count as equivalent. */
  readonly margin?: number | null
  readonly rows: readonly DifferenceRow[]
}

const looks: Readonly<Record<Verdict, { color: string; symbol: SeriesStyle['symbol']; isHollow: boolean }>> = {
  better: { color: colors.blue, symbol: 'circle', isHollow: false },
  worse: { color: '#d55e00', symbol: 'square', isHollow: false },
  equivalent: { color: '#009e73', symbol: 'diamond', isHollow: false },
  inconclusive: { color: colors.grey, symbol: 'circle', isHollow: true },
}

/** Every candidate against the baseline: the difference with its interval, and 0. */
export function differencesChart(data: DifferencesData, options: ChartOptions): string {
  const width = options.width ?? 720
  const title = `${data.metric}: difference from ${data.baseline}`
  const spread = extentOf(endsOf(data.rows))
  if (spread === null) {
    const reasons = data.rows.filter(row => row.reason).map(row => `${row.label}: ${row.reason}.`)
    return nothingToDraw(title, ['There is no difference to draw.', ...reasons].join(' '), { ...options, width })
  }
  const texts = estimateTexts(data.rows, signed)
  const margin = isDrawable(data.margin) ? data.margin : null
  const chart = intervalRows({
    document: options.document,
    width: innerWidth(width),
    mark: 'dot',
    axis: axisLabel(`difference in ${data.metric}`, data.unit),
    domain: domainOf(extentOf([spread.low, spread.high, margin, margin === null ? null : -margin]) ?? spread),
    headings: [
      `difference${data.intervalLabel === undefined ? '' : ` [${data.intervalLabel}]`}`,
      data.isPaired === false ? 'n' : 'pairs',
    ],
    behind: [
      Plot.rectX(margin === null ? [] : [margin], {
        x1: value => -value,
        x2: value => value,
        fill: colors.grey,
        fillOpacity: 0.14,
      }),
      Plot.ruleX([0], { stroke: ink.text, strokeWidth: 1.5 }),
      ...sides(data.goal),
    ],
    rows: data.rows.map((row, index) => ({
      ...row,
      ...looks[row.verdict ?? 'inconclusive'],
      cells: [texts[index] ?? '', String(row.n)],
    })),
  })
  const described = data.rows.map(
    (row, index) => `${row.label}: ${texts[index]}${row.verdict === undefined ? '' : `, ${row.verdict}`}`,
  )
  const description = `Differences from ${data.baseline}. ${described.join('. ')}.`
  return frame(
    { title, description, legend: legendOf(data.rows, margin, data.unit), panels: [[chart]] },
    { ...options, width },
  )
}

const signed = (value: number, decimals: number | undefined) => `${value > 0 ? '+' : ''}${fixed(value, decimals)}`

/** Room on both sides of 0, for the words there. */
function domainOf({ low, high }: Range): [number, number] {
  const [from, to] = padded({ low: Math.min(low, 0), high: Math.max(high, 0) })
  const side = 0.17 * (to - from)
  return [Math.min(from, -side), Math.max(to, side)]
}

/** Which side of 0 is which. */
function sides(goal: DifferencesData['goal']): Plot.Markish[] {
  if (goal === undefined) return []
  const [left, right] = goal === 'maximize' ? ['← worse', 'better →'] : ['← better', 'worse →']
  const place = {
    x: 0,
    frameAnchor: 'top',
    lineAnchor: 'bottom',
    dy: -6,
    fill: ink.quiet,
    fontSize: fontSize.small,
  } as const
  return [
    Plot.text([left], { ...place, textAnchor: 'end', dx: -8 }),
    Plot.text([right], { ...place, textAnchor: 'start', dx: 8 }),
  ]
}

/** Only the verdicts that occur. */
function legendOf(rows: readonly DifferenceRow[], margin: number | null, unit: string | undefined): LegendItem[] {
  const verdicts = (Object.keys(looks) as Verdict[]).filter(verdict => rows.some(row => row.verdict === verdict))
  const items: LegendItem[] = verdicts.map(verdict => ({ label: verdict, ...looks[verdict], sample: 'dot' }))
  if (margin === null) return items
  const label = `margin of equivalence ±${readable(margin)}${unit === undefined ? '' : ` ${unit}`}`
  return [...items, { label, color: colors.grey, sample: 'band' }]
}

export interface RatiosData {
  readonly title?: string
  readonly metric: string
  /** The denominator of the ratios. */
  readonly baseline: string
  readonly intervalLabel?: string
  readonly ratios: readonly Bar[]
}

/** Each ablation's metric divided by the baseline's in the same block, largest first, with a line at 1. */
export function ratiosChart(data: RatiosData, options: ChartOptions): string {
  const rank = (bar: Bar) => (isDrawable(bar.value) ? bar.value : Number.NEGATIVE_INFINITY)
  const bars = [...data.ratios].sort((a, b) => rank(b) - rank(a) || 0)
  return barsChart(
    {
      title: data.title ?? `${data.metric} relative to ${data.baseline}`,
      metric: `${data.metric}, ratio to ${data.baseline}`,
      panels: [[{ bars }]],
      reference: { value: 1, label: `${data.baseline} (1)` },
      ...(data.intervalLabel === undefined ? {} : { intervalLabel: data.intervalLabel }),
    },
    options,
  )
}
