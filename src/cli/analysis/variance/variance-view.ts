import {
  blocksText,
  boundsText,
  type RunVariation,
  unitsText,
  type Variance,
} from '../../../analyze/variance/variance.ts'
import { listed, percentText, plainNumber, unitWord } from '../../../util/words.ts'
import type { Style } from '../../views/style.ts'
import { tableLines } from '../../views/table.ts'

const rule = '='.repeat(70)

/** The sentence first; then a section for each statistic, as in Metta's benchmark pipeline. */
export function varianceLines(found: Variance, columns: number, style: Style): readonly string[] {
  const { sentence, metric, variant, statistics, runs, units, left_out, threshold, warnings } = found
  return [
    // Names are not capitalised: `raw` is not `Raw`.
    style.bold(`${sentence.replace(/^[an](?=ll |othing )/, letter => letter.toUpperCase())}.`),
    '',
    rule,
    'VARIANCE ANALYSIS RESULTS',
    rule,
    `Metric: ${metric}`,
    ...(variant === null ? [] : [`Variant: ${variant}`]),
    ...(statistics[0]?.summary ? [`Summary: ${statistics[0].summary}`] : []),
    `Runs analysed: ${runs.length}${left_out.length === 0 ? '' : ` of ${runs.length + left_out.length}`}`,
    ...(units === null ? [] : [`Independent ${unitsText(found)}: ${units.length}`]),
    `Threshold: ${percentText(threshold)}`,
    ...left_out.map(({ run, reason }) => style.yellow(`! left out: ${run}: ${reason}`)),
    ...warnings.map(warning => style.yellow(`! ${warning}`)),
    ...statistics.flatMap(statistic => ['', ...statisticLines(statistic, found, columns, style)]),
  ]
}

function statisticLines(statistic: RunVariation, found: Variance, columns: number, style: Style): readonly string[] {
  const { name, summary } = statistic
  return [
    `${style.bold(`${name} Variance`)}${summary === null ? '' : ` (${summary})`}`,
    ...aligned(factsOf(statistic, found)),
    ...curveTable(statistic, columns),
  ]
}

type Fact = readonly [name: string, text: string]

function aligned(facts: readonly Fact[]): readonly string[] {
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
}

function factsOf(statistic: RunVariation, found: Variance): readonly Fact[] {
  const { threshold, level } = found
  const { cv, ci, mean, precision, runs_for_mean: forMean, first_below: firstBelow, reason, values } = statistic
  const now = precision.find(({ n }) => n === values.length)
  const under = percentText(threshold)
  return [
    [
      `final CV at N=${values.length}`,
      cv === null
        ? `none: ${reason}`
        : `${percentText(cv)}${ci === null ? ` (no interval: ${reason})` : boundsText(ci)}`,
    ],
    [`under ${under}`, underText(statistic, threshold, unitsText(found))],
    ['mean', meanText(mean, now?.half_width ?? null, `${percentText(level)} CI${methodText(statistic, found)}`)],
    ...(statistic.within_sd === null
      ? []
      : [[`between runs of one ${unitWord(found.unit)}`, `sd ${plainNumber(statistic.within_sd)}`] as const]),
    ...(forMean === null
      ? []
      : [
          [
            `mean to ± ${under}`,
            `${forMean.runs} ${unitsText(found)}; ${forMean.to_be_sure} to be 90% sure, since the spread is uncertain too`,
          ] as const,
        ]),
    [
      'for information',
      `“first N with CV < ${under}”, an older rule, says ${firstBelow === null ? 'never' : `N=${firstBelow}; it says so of 45% of 15-run pilots whose true CV is twice that`}`,
    ],
  ]
}

/** Slopes are tiny, and two numbers are easiest to compare with the same power of ten. */
function meanText(mean: number, halfWidth: number | null, interval: string): string {
  const isTiny = [mean, halfWidth ?? mean].some(value => value !== 0 && Math.abs(value) < 1e-4)
  const text = (value: number) => (isTiny ? value.toExponential(2) : plainNumber(value)).replace(/^-/, '−')
  return halfWidth === null ? text(mean) : `${text(mean)} ± ${text(halfWidth)} (${interval})`
}

/** `by t`; if seeds recur in all tasks, the widest of three intervals. */
function methodText({ crossed_with: blocks }: RunVariation, found: Variance): string {
  if (blocks.length === 0) return ' by t'
  const units = unitsText(found)
  const over = blocksText(blocks).flatMap(block => [`over ${block}`, `over ${units} crossed with ${block}`])
  return `, the widest by t ${listed([`over ${units}`, ...over], over.length + 1)}`
}

function underText(
  { cv, enough, would_be_enough: wouldBe, ci, reason, values }: RunVariation,
  threshold: number,
  units: string,
) {
  const within = `not within these ${values.length} ${units}`
  if (reason !== null) return `can't be said: ${reason}`
  if (ci?.high === null) return "can't be said: the mean may be 0, and then there is no CV"
  if (enough !== null) return `from N=${enough} on: the upper bound stays under it`
  if (wouldBe !== null) return `${within}; about ${wouldBe}, if the CV is what it seems`
  if (cv !== null && cv < threshold) return `${within}, and hardly within any number`
  return ci !== null && ci.low > threshold
    ? `no number of ${units} will do: the CV itself is above it`
    : `${within}: the CV seems to be above it, and more ${units} don't lower it`
}

/**
 * By number of runs: the CV with its interval, and how precisely the mean would be known. Beyond the existing runs,
 * only the latter.
 */
function curveTable({ curve, precision, reason, values }: RunVariation, columns: number) {
  if (reason !== null) return []
  const shown = shownSizes(values.length).filter(size => precision.some(({ n }) => n === size))
  const share = (value: number | null | undefined) => (value == null ? '–' : percentText(value))
  const rows = shown.map(size => {
    const point = curve.find(({ n }) => n === size)
    const known = precision.find(({ n }) => n === size)
    return [
      String(size),
      share(point?.cv),
      point === undefined || point.low === null
        ? '–'
        : `${share(point.low)} to ${point.high === null ? '∞' : share(point.high)}`,
      share(known?.relative_standard_error),
      `± ${share(known?.relative_half_width)}`,
    ]
  })
  const head = ['N', 'CV', 'interval', 'standard error', 'mean to']
  return ['', ...tableLines(head, rows, { columns: columns - 2 }).map(line => `  ${line}`)]
}

/** All sizes of a usual pilot; about twenty of a larger one. */
function shownSizes(runs: number): readonly number[] {
  const step = Math.max(1, Math.ceil(runs / 20))
  const within = Array.from({ length: runs - 1 }, (_, index) => index + 2)
  return [...within.filter(n => n % step === 0 || n === runs), Math.ceil(1.5 * runs), 2 * runs]
}
