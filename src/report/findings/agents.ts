import { defaultDrawing } from '../../analyze/choices.ts'
import { readingOf } from '../../analyze/reading.ts'
import { rolloutOf } from '../../analyze/scores/scores.ts'
import { Aggregates } from '../../analyze/trajectories/aggregates.ts'
import {
  type InstanceRecord,
  inOrder,
  instanceRow,
  isAgentRun,
  runInstance,
} from '../../analyze/trajectories/instance.ts'
import { type VariantMetric, variantMetrics, variantsOf } from '../../analyze/variants.ts'
import type { Observation } from '../../define/observation.ts'
import { AssayError, type OrReason, orReason } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { filtered, type View } from './view.ts'

/** How agents did, variant by variant, and its development instance by instance. */
export interface AgentFindings {
  readonly rows: readonly AgentRow[]
  /** Of the variants with the most instances, at most as many as can be distinguished. */
  readonly curves: readonly AgentCurves[]
  /** All exit statuses of agents here, in the order in which they are tested. */
  readonly exits: readonly string[]
  /** The unit of the curves over turns: series that were thinned have no single turns. */
  readonly points: 'turns' | 'instances'
  /** Of intervals. */
  readonly level: number
}

export interface AgentRow {
  readonly label: string
  readonly n_instances: number
  readonly n_submitted: number
  /** Ended runs that say nothing about an agent. */
  readonly without: number
  readonly submission_rate: number | null
  /** Scored runs, and how many of them passed; null: nothing was scored. */
  readonly solved: { readonly n: number; readonly passed: number; readonly rate: number } | null
  readonly cost: Pick<VariantMetric, 'mean' | 'ci' | 'reason'>
  readonly total_cost: number | null
  readonly avg_turns: number | null
  readonly turn_median: number | null
  readonly avg_api_calls: number | null
  readonly cache_hit_rate: number | null
  readonly summary_cost_fraction: number | null
  readonly exits: { readonly [category: string]: number }
}

export interface AgentCurves {
  readonly label: string
  /** After each instance, in the order in which they ended. */
  readonly instances: readonly InstancePoint[]
  /** Over all turns of all instances in that order. */
  readonly turns: readonly TurnPoint[]
}

export interface InstancePoint {
  readonly n_instances: number
  readonly total_cost: number | null
  readonly submission_rate: number | null
  /** Of the instances scored so far; null: none. */
  readonly solve_rate: number | null
}

export interface TurnPoint {
  readonly global_step: number
  readonly cost: number | null
}

const mostCurves = 8
/** More points than pixels are useless. */
const mostPoints = 400
const mostResampledRuns = 5000

/** Whether there is anything to say about agents: otherwise the page has no such section. */
export const hasAgents = ({ evidence }: Pick<Dataset, 'evidence'>): boolean => evidence.runs.some(isAgentRun)

export function agentFindingsOf(dataset: Dataset, view: Pick<View, 'filter' | 'alpha'>): OrReason<AgentFindings> {
  return orReason(() => {
    const evidence = filtered(dataset.evidence, view.filter)
    if (!evidence.runs.some(isAgentRun))
      throw new AssayError('usage', 'there are no agents: no run has the metrics n_turns and total_cost')
    const variants = variantsOf(evidence)
    const level = 1 - view.alpha
    const drawing = evidence.runs.length <= mostResampledRuns ? defaultDrawing : null
    const costs = variantMetrics(evidence, variants, readingOf(evidence, { metric: 'total_cost' }), { level, drawing })
    const known = variants.map(({ label, runs }, at) => ({ label, runs, works: worksOf(runs), cost: costs[at] }))
    const rows = known.map(({ label, runs, works, cost }) => rowOf(label, runs.length, works, cost))
    const thinned = dataset.kept.series_points
    const points =
      thinned !== null && known.some(({ works }) => works.some(({ record }) => record.n_turns > thinned))
        ? 'instances'
        : 'turns'
    const drawn = known
      .filter(({ works }) => works.length > 0)
      .toSorted((a, b) => b.works.length - a.works.length)
      .slice(0, mostCurves)
    return {
      rows,
      curves: known.filter(one => drawn.includes(one)).map(({ label, works }) => curvesOf(label, works, points)),
      exits: exitsOf(known.flatMap(({ works }) => works)),
      points,
      level,
    }
  })
}

/** In the order in which statuses are tested. */
function exitsOf(works: readonly Work[]): readonly string[] {
  const aggregates = new Aggregates()
  for (const { record } of works) aggregates.add(instanceRow(record))
  return aggregates.exits().map(([category]) => category)
}

/** An agent's run, with whether it solved its task. */
interface Work {
  readonly record: InstanceRecord
  readonly passed: boolean | null
}

/** In the order in which they ended. */
function worksOf(runs: readonly Observation[]): readonly Work[] {
  const works = runs.flatMap(run => {
    const record = runInstance(run)
    return record === null ? [] : [{ ...record, record, passed: rolloutOf(run, []).passed }]
  })
  return inOrder(works).map(({ record, passed }) => ({ record, passed }))
}

function rowOf(label: string, ended: number, works: readonly Work[], cost: VariantMetric | undefined): AgentRow {
  const aggregates = new Aggregates()
  for (const { record } of works) aggregates.add(instanceRow(record))
  const all = aggregates.metrics()
  const number = (name: string): number | null => all[name] ?? null
  const scored = works.filter(({ passed }) => passed !== null)
  const passed = scored.filter(work => work.passed === true).length
  return {
    label,
    n_instances: works.length,
    n_submitted: number('n_submitted') ?? 0,
    without: ended - works.length,
    submission_rate: number('submission_rate'),
    solved: scored.length === 0 ? null : { n: scored.length, passed, rate: passed / scored.length },
    cost: costOf(cost),
    total_cost: number('total_cost'),
    avg_turns: number('avg_turns'),
    turn_median: number('turn_median'),
    avg_api_calls: number('avg_api_calls'),
    cache_hit_rate: number('cache_hit_rate'),
    summary_cost_fraction: number('summary_cost_fraction'),
    exits: Object.fromEntries(aggregates.exits()),
  }
}

/** A list price is never below 0, and neither is its mean, whatever a formula for other numbers says. */
function costOf(cost: VariantMetric | undefined): AgentRow['cost'] {
  if (cost === undefined) return { mean: null, ci: null, reason: 'no data' }
  const { mean, ci, reason } = cost
  return { mean, ci: ci === null ? null : { ...ci, low: ci.low === null ? null : Math.max(0, ci.low) }, reason }
}

function curvesOf(label: string, works: readonly Work[], points: AgentFindings['points']): AgentCurves {
  return {
    label,
    instances: thin([...instancesOf(works)]),
    turns: thin(points === 'turns' ? turnsOf(works) : endsOf(works)),
  }
}

/** Running sums: one pass, whatever the number of instances. */
function* instancesOf(works: readonly Work[]): Generator<InstancePoint> {
  let [n, submitted, scored, passed] = [0, 0, 0, 0]
  let cost: number | null = 0
  for (const work of works) {
    const row = instanceRow(work.record)
    n++
    submitted += Number(row.submitted)
    scored += Number(work.passed !== null)
    passed += Number(work.passed === true)
    cost = cost === null || row.total_cost === null ? null : cost + row.total_cost
    yield {
      n_instances: n,
      total_cost: cost,
      submission_rate: submitted / n,
      solve_rate: scored === 0 ? null : passed / scored,
    }
  }
}

/** Like `cumulative/cost` of `stepSeries`, without the other sums: there may be a million turns. */
function turnsOf(works: readonly Work[]): readonly TurnPoint[] {
  const points: TurnPoint[] = []
  let [global_step, cost]: [number, number | null] = [0, 0]
  for (const { record } of works)
    for (const { usage, cost_usd } of record.steps) {
      global_step++
      if (usage === null) continue
      cost = cost === null || cost_usd === null ? null : cost + cost_usd
      points.push({ global_step, cost })
    }
  return points
}

/** If single turns are unknown: after each instance. */
function endsOf(works: readonly Work[]): readonly TurnPoint[] {
  let [global_step, cost]: [number, number | null] = [0, 0]
  return works.map(({ record: { n_turns, agent } }) => {
    global_step += n_turns
    cost = cost === null || agent.cost_usd === null ? null : cost + agent.cost_usd
    return { global_step, cost }
  })
}

/** Evenly, always with the first and the last. */
function thin<T>(points: readonly T[]): readonly T[] {
  if (points.length <= mostPoints) return points
  return Array.from(
    { length: mostPoints },
    (_, at) => points[Math.round((at * (points.length - 1)) / (mostPoints - 1))],
  ).filter(point => point !== undefined)
}
