import type { BarsData } from '../../src/charts/bars.ts'
import type { DistributionsData } from '../../src/charts/distributions.ts'
import type { PowerCurveData, VariancePanelsData } from '../../src/charts/enough-runs.ts'
import type { DifferencesData, EstimatesData, RatiosData } from '../../src/charts/estimates.ts'
import type { LearningCurvesData } from '../../src/charts/learning-curves.ts'
import type { ParetoData } from '../../src/charts/pareto.ts'
import type { RadialData } from '../../src/charts/radial.ts'
import type { ParallelData, SearchHistoryData } from '../../src/charts/search.ts'
import type { BootstrapDistributionData, QqData } from '../../src/charts/shapes.ts'
import { normalCdf, normalQuantile } from '../../src/stats/distributions/normal.ts'

/** Numbers that look random and are the same everywhere. */
export function wobble(index: number): number {
  const x = Math.sin(index * 12.9898 + 4.1414) * 43758.5453
  return x - Math.floor(x)
}

const normal = (index: number) => normalQuantile(0.001 + 0.998 * wobble(index))
const count = <T>(n: number, make: (index: number) => T): T[] => Array.from({ length: n }, (_, index) => make(index))

export const variance: VariancePanelsData = {
  metric: 'overview/reward',
  threshold: 0.05,
  band: '95% confidence interval',
  auc: {
    label: 'AUC',
    enough: 11,
    points: count(15, index => {
      const n = index + 1
      if (n === 1) return { n, cv: null }
      const cv = 0.034 + 0.012 * normal(n) * Math.exp(-n / 6)
      return {
        n,
        cv,
        interval: { low: cv * (1 - 0.9 / Math.sqrt(n)), high: cv * (1 + 1.1 / Math.sqrt(n - 1) + 6 / n ** 3) },
      }
    }),
  },
  slope: {
    label: 'slope',
    enough: null,
    points: count(15, index => {
      const n = index + 1
      if (n === 1 || n === 6) return { n, cv: null }
      const cv = 0.11 + 0.05 * normal(n + 40) * Math.exp(-n / 5)
      return {
        n,
        cv,
        interval: { low: cv * (1 - 0.9 / Math.sqrt(n)), high: cv * (1 + 1.6 / Math.sqrt(n - 1) + 14 / n ** 3) },
      }
    }),
  },
}

export const learning: LearningCurvesData = {
  metric: 'overview/reward',
  stepLabel: 'environment steps',
  band: '95% pointwise confidence band',
  curves: ['vit_reset', 'trxl'].map((label, arm) => ({
    label,
    n: 15,
    points: count(41, index => {
      const mean =
        (arm === 0 ? 0.62 : 0.74) * (1 - Math.exp(-index / (arm === 0 ? 9 : 13))) + 0.01 * normal(index + 90 * arm)
      const half = 0.03 + 0.02 * Math.sin(index / 14)
      const isGap = arm === 1 && index > 21 && index < 25
      return {
        step: index * 5e7,
        mean: isGap ? null : mean,
        interval: isGap ? null : { low: mean - half, high: mean + half },
      }
    }),
    runs: count(4, run =>
      count(41, index => ({
        step: index * 5e7,
        value:
          (arm === 0 ? 0.62 : 0.74) * (1 - Math.exp(-index / (arm === 0 ? 9 : 13))) +
          0.06 * normal(index + 7 * run + 300 * arm),
      })),
    ),
  })),
}

export const bootstrap: BootstrapDistributionData = {
  metric: 'cost per task',
  unit: 'USD',
  label: 'observation_masking − raw',
  resampled: count(5000, index => -0.24 + 0.041 * normal(index)),
  estimate: -0.24,
  interval: { low: -0.32, high: -0.16 },
  intervalLabel: '95% BCa interval',
}

export const qq: QqData = {
  metric: 'solved',
  unit: 'points',
  sample: { label: 'hybrid − raw', values: count(60, index => 2.1 + 1.4 * normal(index) + (index % 17 === 0 ? 3 : 0)) },
}

export const radial: RadialData = {
  baseline: 'raw',
  intervalLabel: '95% intervals',
  axes: [
    { metric: 'solved', goal: 'maximize' },
    { metric: 'cost_usd', goal: 'minimize' },
    { metric: 'wall_s', goal: 'minimize' },
    { metric: 'turns', goal: 'minimize' },
    { metric: 'format_score', goal: 'maximize' },
  ],
  variants: [
    {
      label: 'observation_masking',
      ratios: [
        { value: 1.02, interval: { low: 0.96, high: 1.08 } },
        { value: 0.52, interval: { low: 0.46, high: 0.6 } },
        { value: 0.8, interval: { low: 0.7, high: 0.93 } },
        { value: 0.98, interval: { low: 0.9, high: 1.08 } },
        { value: 1.1, interval: { low: 0.95, high: 1.3 } },
      ],
    },
    {
      label: 'llm_summary',
      ratios: [
        { value: 0.97, interval: { low: 0.9, high: 1.04 } },
        { value: 0.66, interval: { low: 0.6, high: 0.75 } },
        { value: 1.25, interval: { low: 1.1, high: 1.5 } },
        { value: 1.18, interval: { low: 1.05, high: 1.32 } },
        { value: null, reason: 'the baseline is 0' },
      ],
    },
  ],
}

export const estimates: EstimatesData = {
  metric: 'solved',
  unit: '%',
  statistic: 'mean',
  intervalLabel: '95% CI',
  rows: [
    { label: 'raw', value: 53.4, interval: { low: 49, high: 57.7 }, n: 500, isBaseline: true },
    { label: 'observation_masking', value: 54.8, interval: { low: 50.4, high: 59.1 }, n: 500 },
    {
      label: 'llm_summary, hp_sum_n=21, hp_sum_keep_m=10, model=deepseek-chat',
      value: 53.8,
      interval: { low: 49.4, high: 58.1 },
      n: 500,
    },
    { label: 'hybrid', value: 57.4, interval: { low: 53, high: 61.7 }, n: 498 },
    { label: 'broken', value: null, reason: 'all runs failed', n: 0 },
    { label: 'single', value: 51, interval: null, n: 1 },
  ],
}

export const differences: DifferencesData = {
  metric: 'cost per task',
  unit: 'USD',
  baseline: 'raw',
  goal: 'minimize',
  intervalLabel: '95% CI',
  margin: 0.05,
  rows: [
    { label: 'observation_masking', value: -0.24, interval: { low: -0.32, high: -0.16 }, n: 500, verdict: 'better' },
    { label: 'llm_summary', value: -0.06, interval: { low: -0.15, high: 0.031 }, n: 500, verdict: 'inconclusive' },
    { label: 'raw, other prompt', value: 0.004, interval: { low: -0.03, high: 0.038 }, n: 500, verdict: 'equivalent' },
    { label: 'two models', value: 0.19, interval: { low: 0.09, high: 0.29 }, n: 497, verdict: 'worse' },
    { label: 'broken', value: null, reason: 'no pairs', n: 0 },
  ],
}

export const power: PowerCurveData = {
  target: 0.8,
  alpha: 0.05,
  unit: 'pairs',
  curves: [0.8, 0.5, 0.3].map((effect, index) => {
    const points = count(40, at => ({ n: 2 + 2 * at, power: normalCdf(effect * Math.sqrt(2 + 2 * at) - 1.96) }))
    const needed = points.find(point => point.power >= 0.8)?.n ?? null
    const withBand = points.map(point => ({
      ...point,
      interval: { low: Math.max(0, point.power - 0.05), high: Math.min(1, point.power + 0.05) },
    }))
    return { label: `d = ${effect}`, points: index === 2 ? withBand : points, needed }
  }),
}

export const pareto: ParetoData = {
  cost: { label: 'cost per task', unit: 'USD' },
  score: { label: 'solved', unit: '%' },
  points: [
    {
      label: 'raw',
      cost: 1.29,
      score: 53.4,
      scoreInterval: { low: 49, high: 57.7 },
      costInterval: { low: 1.2, high: 1.38 },
      isBaseline: true,
    },
    {
      label: 'observation_masking',
      cost: 0.61,
      score: 54.8,
      scoreInterval: { low: 50.4, high: 59.1 },
      costInterval: { low: 0.57, high: 0.66 },
    },
    {
      label: 'llm_summary',
      cost: 0.64,
      score: 53.8,
      scoreInterval: { low: 49.4, high: 58.1 },
      costInterval: { low: 0.6, high: 0.69 },
    },
    {
      label: 'hybrid',
      cost: 0.59,
      score: 57.4,
      scoreInterval: { low: 53, high: 61.7 },
      costInterval: { low: 0.55, high: 0.63 },
    },
    { label: 'small model', cost: 0.11, score: 31.2 },
    { label: 'small model, masked', cost: 0.09, score: 28.4 },
    { label: 'large model', cost: 1.9, score: 62.5 },
    { label: 'no score', cost: 0.2, score: null },
  ],
}

export const bars: BarsData = {
  title: 'Makespan by policy',
  metric: 'makespan',
  unit: 'ms',
  intervalLabel: '95% CI',
  panels: [5, 50].map(size =>
    ['p50', 'p95', 'p99'].map((heading, at) => ({
      heading: `${heading}, ${size} workflows`,
      bars: ['fifo', 'full', 'round_robin'].map((label, index) => {
        const value = size * 1000 * (1.2 + 0.4 * at + 0.5 * wobble(index + size))
        return { label, value, interval: { low: value * 0.93, high: value * 1.08 } }
      }),
    })),
  ),
}

export const ratios: RatiosData = {
  title: 'Effect of ablations on makespan p95 (policy full)',
  metric: 'makespan p95',
  baseline: 'baseline',
  intervalLabel: '95% CI',
  ratios: [
    { label: 'no_hedging', value: 1.31, interval: { low: 1.18, high: 1.45 } },
    { label: 'baseline', value: 1, isBaseline: true },
    { label: 'no_escalation', value: 1.04, interval: { low: 0.95, high: 1.13 } },
    { label: 'no_dag_priority', value: 0.97, interval: { low: 0.9, high: 1.05 } },
    { label: 'nothing', value: null, reason: 'no baseline in these blocks' },
  ],
}

export const otherSample = { label: 'raw', values: count(45, index => 1.8 + 1.2 * normal(index + 500)) }

export const distributions: DistributionsData = {
  metric: 'score',
  rows: [
    { label: 'raw', isBaseline: true, values: count(40, index => 50 + 8 * normal(index + 300)) },
    { label: 'observation_masking', values: count(300, index => 56 + 9 * normal(index + 400)), missing: 3 },
    { label: 'a few', values: [48, 52.5, 61] },
    { label: 'none at all', values: [], missing: 12 },
  ],
}

const trials = count(24, index => {
  const rate = 10 ** (-5 + 5 * wobble(index + 700))
  const kind = wobble(index + 740) > 0.5 ? 'adam' : 'sgd'
  const momentum = kind === 'sgd' ? Math.round(100 * wobble(index + 780)) / 100 : null
  return { rate, kind, momentum, loss: index === 5 ? null : (Math.log10(rate) + 2) ** 2 / 4 + wobble(index + 820) }
})

export const searchHistory: SearchHistoryData = {
  metric: 'loss',
  goal: 'minimize',
  points: trials.map(({ loss }, index) => {
    const known = trials.slice(0, index + 1).flatMap(trial => trial.loss ?? [])
    return { number: index + 1, value: loss, best: known.length === 0 ? null : Math.min(...known) }
  }),
}

export const parallel: ParallelData = {
  goal: 'minimize',
  axes: [
    { name: 'rate', kind: 'number', min: 1e-5, max: 1, isLog: true },
    { name: 'kind', kind: 'choice', levels: ['sgd', 'adam'] },
    { name: 'momentum', kind: 'number', min: 0, max: 1, isLog: false },
    { name: 'loss', kind: 'number', min: 0, max: 3.5, isLog: false },
  ],
  rows: trials.map(({ rate, kind, momentum, loss }, index) => ({
    label: `variant ${index + 1}`,
    values: [rate, kind, momentum, loss],
  })),
}

export const yesOrNo: DistributionsData = {
  metric: 'solved',
  rows: [
    { label: 'raw', isBaseline: true, values: count(200, index => (wobble(index + 900) > 0.6 ? 1 : 0)) },
    { label: 'masked', values: count(40, index => (wobble(index + 1200) > 0.3 ? 1 : 0)) },
    { label: 'one run', values: [1] },
  ],
}
