import { basename } from 'node:path'
import { type StepPoint, stepSeries } from '../../analyze/trajectories/aggregates.ts'
import { type InstanceRow, instanceColumns, instanceRecord, instanceRow } from '../../analyze/trajectories/instance.ts'
import { type Evidence, type EvidenceMetric, type Observation, observed } from '../../define/observation.ts'
import type { Series } from '../../define/run.ts'
import type { Trajectory } from '../../models/trajectory/trajectory.ts'
import { type FoundTrajectory, readTrajectories, type UnreadFile } from '../../models/trajectory/trajectory-files.ts'
import type { ReadOptions } from '../../record/evidence/evidence.ts'
import { AssayError } from '../../util/errors.ts'
import { sha256 } from '../../util/hash.ts'
import type { Json, JsonObject } from '../../util/json.ts'

const metrics: readonly EvidenceMetric[] = [
  { name: 'total_cost', goal: 'minimize', primary: true },
  { name: 'submitted', goal: 'maximize', primary: false },
  { name: 'n_turns', goal: null, primary: false },
]

/** What can distinguish agents, in the order in which it is named. */
const factorNames = ['agent', 'model', 'strategy', 'folder'] as const
type Factor = (typeof factorNames)[number]
type Variant = { readonly [factor in Factor]: string | null }

interface Found {
  readonly variant: Variant
  readonly run: Observation
}

/** The trajectories of a folder as an experiment: each file is a run, its instance the block, its row the metrics. */
export function evidenceOfTrajectories(
  folder: string,
  { series }: Pick<ReadOptions, 'series'>,
  onUnread: (file: UnreadFile) => void,
): Evidence {
  const source = basename(folder)
  const found: Found[] = []
  for (const one of readTrajectories(folder)) {
    if ('reason' in one) onUnread(one)
    else found.push({ variant: variantOf(one), run: runOf(one, source, series) })
  }
  if (found.length === 0)
    throw new AssayError('not_found', `${folder} holds no trajectory that can be read`, {
      hint: `\`assay parse ${folder}\` says why.`,
    })
  const factors = factorsOf(found.map(({ variant }) => variant))
  const runs = withReplicates(found, factors)
  return {
    ...{ runs, metrics, blocks: ['task'], factors, levels: {}, baseline: null },
    sources: [{ name: source, path: folder, planned: null, kind: 'table', sha256: digestOf(runs) }],
  }
}

function variantOf({ trajectory, file }: FoundTrajectory): Variant {
  const { name, model, strategy } = trajectory.agent
  return { agent: name, model, strategy: strategyName(strategy), folder: folderOf(file, trajectory) }
}

const strategyName = (strategy: JsonObject | null): string | null => {
  const name = strategy?.strategy
  return typeof name === 'string' ? name : null
}

/** The part of a path that many files share: without the folders for single instances, trials or runs. */
function folderOf(file: string, { id }: Trajectory): string {
  const folders = file.split('/').slice(0, -1)
  if (folders.at(-1) === 'agent') folders.splice(-2)
  else if (folders.at(-1) === id || folders.at(-2) === 'runs') folders.pop()
  return folders.join('/')
}

/** Factors that vary. The folder is only a factor if nothing else distinguishes the same agents. */
function factorsOf(variants: readonly Variant[]): readonly Factor[] {
  const varying = factorNames.filter(name => new Set(variants.map(variant => variant[name])).size > 1)
  const others = varying.filter(name => name !== 'folder')
  const folders = [...Map.groupBy(variants, variant => keyOf(variant, others)).values()]
  const isTold = folders.every(group => new Set(group.map(({ folder }) => folder)).size === 1)
  return isTold ? others : varying
}

const keyOf = (variant: Variant, factors: readonly Factor[]): string =>
  JSON.stringify(factors.map(name => variant[name]))

/** The same instance again under the same variant is a repetition. */
function withReplicates(found: readonly Found[], factors: readonly Factor[]): readonly Observation[] {
  const counts = new Map<string, number>()
  return found.map(({ variant, run }) => {
    const key = JSON.stringify([keyOf(variant, factors), run.block.task ?? null])
    const replicate = (counts.get(key) ?? 0) + 1
    counts.set(key, replicate)
    const params = Object.fromEntries(factors.map((name): [string, Json] => [name, variant[name]]))
    return { ...run, params, replicate }
  })
}

function runOf({ trajectory, file }: FoundTrajectory, source: string, wanted: ReadOptions['series']): Observation {
  const record = instanceRecord(trajectory)
  const row = instanceRow(record)
  const { exit_status, exit_category, repo } = row
  return observed({
    ...{ name: file, source, block: { task: record.instance_id }, cost_usd: row.total_cost },
    columns: { exit_status, exit_category, repo, ...variantOf({ trajectory, file }) },
    ...numbersOf(row),
    series: wanted !== 'all' && wanted.length === 0 ? [] : seriesOf([...stepSeries([record])], wanted),
    notes: trajectory.notes,
  })
}

function numbersOf(row: InstanceRow): Pick<Observation, 'metrics' | 'problems'> {
  const numbers: Record<string, number> = {}
  const problems: Record<string, string> = {}
  for (const column of instanceColumns) {
    const value = row[column]
    if (typeof value === 'number' || typeof value === 'boolean') numbers[column] = Number(value)
    else if (value === null) problems[column] = 'the trajectory does not say'
  }
  return { metrics: numbers, problems }
}

/** For one run, the cumulative sums are those of the instance. */
function seriesOf(points: readonly StepPoint[], wanted: ReadOptions['series']): readonly Series[] {
  const byMetric = new Map<string, { steps: number[]; values: number[] }>()
  for (const { step, metrics } of points)
    for (const [metric, value] of Object.entries(metrics)) {
      const isWanted = wanted === 'all' || wanted.includes(metric)
      if (value === null || !isWanted || metric === 'step' || metric.startsWith('cumulative/')) continue
      const series = byMetric.get(metric) ?? { steps: [], values: [] }
      byMetric.set(metric, series)
      series.steps.push(step)
      series.values.push(value)
    }
  return [...byMetric].map(([metric, series]) => ({ metric, ...series }))
}

/** The same for the same contents of files, wherever they are. */
const digestOf = (runs: readonly Observation[]): string =>
  sha256(JSON.stringify(runs.map(({ name, block, metrics }) => [name, block, metrics])))
