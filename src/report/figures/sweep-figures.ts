import { levelsOf } from '../../analyze/arms.ts'
import { defaultDrawing } from '../../analyze/choices.ts'
import { numberSummary } from '../../analyze/variants.ts'
import { drawChart } from '../../charts/draw-chart.ts'
import { type Evidence, levelOf, type Observation } from '../../define/observation.ts'
import { canonicalJson, type Json } from '../../util/json.ts'
import { levelText, percentText, plainNumber } from '../../util/words.ts'
import { drawnIn, type Figure, rangeOf, times, unitOf, valueWriting } from './figure.ts'

const percentiles = ['makespan_p50_ms', 'makespan_p95_ms', 'makespan_p99_ms'] as const
const level = 0.95

/** The charts of Cascade's report, under its names. */
export const sweepFigureIds = ['makespan_by_policy', 'cost_by_policy', 'ablation_deltas_full_p95_ratio'] as const

/** A chart that these runs have no numbers for, and what is missing. */
export interface LeftOut {
  readonly chart: (typeof sweepFigureIds)[number]
  readonly reason: string
}

/** Those of `wanted` that can be drawn. */
export const sweepFigures = (evidence: Evidence, wanted: readonly string[] = sweepFigureIds): readonly Figure[] =>
  sweepCharts(evidence)
    .filter(chart => 'draw' in chart)
    .filter(({ id }) => wanted.includes(id))

export const leftOutCharts = (evidence: Evidence, wanted: readonly string[] = sweepFigureIds): readonly LeftOut[] =>
  sweepCharts(evidence)
    .filter(chart => 'reason' in chart)
    .filter(({ chart }) => wanted.includes(chart))

function sweepCharts(evidence: Evidence): readonly (Figure | LeftOut)[] {
  const ablation = ablationOf(evidence)
  const runs = evidence.runs.filter(({ outcome }) => outcome.kind === 'completed')
  if (!evidence.factors.includes('policy'))
    return sweepFigureIds.map(chart => leftOut(chart, 'nothing that varies is called policy'))
  // Without a baseline there is nothing to leave out.
  const base = runs.filter(run => ablation === null || levelOf(run, ablation) === 'baseline')
  const shown = base.length > 0 ? base : runs
  return [makespanFigure(evidence, shown), costFigure(evidence, shown), deltasFigure(runs, ablation)]
}

const leftOut = (chart: LeftOut['chart'], reason: string): LeftOut => ({ chart, reason })

/** The sweep's own table calls it `ablation_name`. */
const ablationOf = ({ factors }: Evidence): string | null =>
  factors.find(name => name === 'ablation' || name === 'ablation_name') ?? null

function makespanFigure(evidence: Evidence, runs: readonly Observation[]): Figure | LeftOut {
  const metrics = percentiles.filter(metric => runs.some(run => run.metrics[metric] !== undefined))
  if (metrics.length === 0) return leftOut('makespan_by_policy', `no completed run has ${percentiles.join(' or ')}`)
  const title = 'Makespan by policy'
  const cells = sizesOf(evidence).flatMap(size =>
    metrics.flatMap(metric =>
      policiesOf(evidence).map(policy => ({ size, metric, policy, ...meanOf(runsOf(runs, size, policy), metric) })),
    ),
  )
  const drawn = drawnIn(
    percentiles[0],
    false,
    cells.map(({ value }) => value),
  )
  const of = (size: Json, metric: string) => cells.filter(cell => cell.size === size && cell.metric === metric)
  return {
    id: 'makespan_by_policy',
    title,
    caption: `Mean over seeds with its ${percentText(level)} confidence interval, without ablations; a row for each size of workload.`,
    draw: options =>
      drawChart(
        'bars',
        {
          title,
          metric: 'makespan',
          ...unitOf(drawn),
          intervalLabel: `${percentText(level)} CI`,
          panels: sizesOf(evidence).map(size =>
            metrics.map(metric => ({
              heading: `${metric.replace(/^makespan_|_ms$/g, '')}${sizeText(size)}`,
              bars: of(size, metric).map(({ policy, value, interval }) => ({
                label: levelText(policy),
                value: times(value, drawn.factor),
                interval: rangeOf(interval, drawn.factor),
              })),
            })),
          ),
        },
        options,
      ),
    table: tableOf(cells, 'makespan_ms'),
  }
}

function costFigure(evidence: Evidence, runs: readonly Observation[]): Figure | LeftOut {
  const metric = 'cost_mean'
  if (!runs.some(run => run.metrics[metric] !== undefined))
    return leftOut('cost_by_policy', `no completed run has ${metric}`)
  const title = 'Cost by policy'
  // Workloads of different sizes are not averaged: their costs differ, whatever the policy.
  const cells = sizesOf(evidence).flatMap(size =>
    policiesOf(evidence).map(policy => ({ size, metric, policy, ...meanOf(runsOf(runs, size, policy), metric) })),
  )
  return {
    id: 'cost_by_policy',
    title,
    caption: `Mean cost of a workflow over seeds with its ${percentText(level)} confidence interval, without ablations.`,
    draw: options =>
      drawChart(
        'bars',
        {
          title,
          metric: 'cost of a workflow',
          ...unitOf(drawnIn(metric)),
          intervalLabel: `${percentText(level)} CI`,
          panels: [
            sizesOf(evidence).map(size => ({
              heading: sizeText(size).replace(/^, /, ''),
              bars: cells
                .filter(cell => cell.size === size)
                .map(({ policy, value, interval }) => ({ label: levelText(policy), value, interval })),
            })),
          ],
        },
        options,
      ),
    table: tableOf(cells, metric),
  }
}

/** For the policy `full`: each ablated run divided by the run without ablation that is the same in everything else. */
function deltasFigure(runs: readonly Observation[], ablation: string | null): Figure | LeftOut {
  const metric = 'makespan_p95_ms'
  const without = (reason: string) => leftOut('ablation_deltas_full_p95_ratio', reason)
  if (ablation === null) return without('there are no ablations')
  const full = runs.filter(run => levelOf(run, 'policy') === 'full' && run.metrics[metric] !== undefined)
  const bases = new Map(full.filter(isBase).map(run => [keyOf(run), run]))
  if (full.length === 0) return without(`no completed run of the policy full has ${metric}`)
  if (bases.size === 0) return without(`no completed run of the ablation baseline has ${metric}`)
  const ratios = full.flatMap(run => {
    const base = bases.get(keyOf(run))?.metrics[metric]
    const value = run.metrics[metric]
    if (isBase(run) || base === undefined || base === 0 || value === undefined) return []
    return [
      { name: levelText(levelOf(run, ablation)), ratio: value / base, unit: canonicalJson(run.block.seed ?? null) },
    ]
  })
  if (ratios.length === 0)
    return without('no completed run of an ablation has a baseline that is the same in everything else')
  const bars = [...Map.groupBy(ratios, ({ name }) => name)].map(([label, own]) => {
    const { mean, ci } = numberSummary(
      own.map(({ ratio }) => ratio),
      own.map(({ unit }) => unit),
      { level, drawing: defaultDrawing, isRate: false },
    )
    return { label, value: mean, interval: rangeOf(ci), n: own.length }
  })
  const title = 'Ablations of full: p95 makespan as a multiple of the baseline'
  return {
    id: 'ablation_deltas_full_p95_ratio',
    title,
    caption: `Each run over the one without ablation that is the same in everything else; the mean of these ratios with its ${percentText(level)} confidence interval.`,
    draw: options =>
      drawChart(
        'ratios',
        {
          title,
          metric: 'p95 makespan',
          baseline: 'baseline',
          intervalLabel: `${percentText(level)} CI`,
          ratios: bars,
        },
        options,
      ),
    table: {
      columns: [
        { name: 'ablation' },
        { name: 'pairs', write: String },
        { name: 'mean ratio', write: plainNumber },
        { name: 'low', write: plainNumber },
        { name: 'high', write: plainNumber },
      ],
      rows: bars.map(({ label, n, value, interval }) => [
        label,
        n,
        value,
        interval?.low ?? null,
        interval?.high ?? null,
      ]),
    },
  }

  function isBase(run: Observation): boolean {
    return ablation !== null && levelOf(run, ablation) === 'baseline'
  }

  /** Everything but the ablation. */
  function keyOf({ params, block, replicate }: Observation): string {
    const others = Object.entries(params).filter(([name]) => name !== ablation)
    return canonicalJson([Object.fromEntries(others), block, replicate])
  }
}

interface MeanCell {
  readonly size: Json
  readonly metric: string
  readonly policy: Json
  readonly n: number
  readonly value: number | null
  readonly interval: { readonly low: number; readonly high: number } | null
}

function meanOf(runs: readonly Observation[], metric: string): Pick<MeanCell, 'n' | 'value' | 'interval'> {
  const known = runs.filter(run => run.metrics[metric] !== undefined)
  const { mean, ci } = numberSummary(
    known.map(run => run.metrics[metric] ?? 0),
    known.map(run => canonicalJson(run.block.seed ?? run.name)),
    { level, drawing: defaultDrawing, isRate: false },
  )
  return { n: known.length, value: mean, interval: rangeOf(ci) }
}

/** Sorted by name, as in Cascade's report. */
const policiesOf = (evidence: Evidence): readonly Json[] =>
  levelsOf(evidence, 'policy').toSorted((a, b) => (levelText(a) < levelText(b) ? -1 : 1))

const sizesOf = (evidence: Evidence): readonly Json[] =>
  evidence.factors.includes('workflows')
    ? levelsOf(evidence, 'workflows').toSorted((a, b) => Number(a) - Number(b))
    : [null]

const runsOf = (runs: readonly Observation[], size: Json, policy: Json): readonly Observation[] =>
  runs.filter(run => levelOf(run, 'policy') === policy && (size === null || levelOf(run, 'workflows') === size))

const sizeText = (size: Json): string => (size === null ? '' : `, ${levelText(size)} workflows`)

const tableOf = (cells: readonly MeanCell[], name: string): Figure['table'] => ({
  columns: [
    { name: 'workflows' },
    { name: 'metric' },
    { name: 'policy' },
    { name: 'n', write: String },
    { name: 'mean', write: valueWriting(name) },
    { name: 'low', write: valueWriting(name) },
    { name: 'high', write: valueWriting(name) },
  ],
  rows: cells.map(({ size, metric, policy, n, value, interval }) => [
    size === null ? null : levelText(size),
    metric,
    levelText(policy),
    n,
    value,
    interval?.low ?? null,
    interval?.high ?? null,
  ]),
})
