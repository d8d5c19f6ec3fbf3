import { basename, dirname } from 'node:path'
import { resolvePath } from '../../define/read-files.ts'
import { readDefinition } from '../../record/journal/experiment-row.ts'
import { asExperimentDirectory } from '../../record/places.ts'
import { datasetMetrics, metricOfTask, type Rewards } from '../../targets/task/dataset-metric.ts'
import { AssayError } from '../../util/errors.ts'
import { withJournal } from '../experiment/with-journal.ts'
import type { SeriesRun } from './read-series.ts'

/** The output of a task set's metric.py for one variant. */
export interface DatasetMetrics {
  readonly dataset: string
  readonly variant: string
  /** The rollouts that it was given: scored ones, and those that ended with an error as null. */
  readonly n: number
  readonly values: Readonly<Record<string, number>>
  /** Why there are no values; null if there are. */
  readonly problem: string | null
}

/** For each set of tasks with a metric.py, and each variant. */
export async function datasetMetricsOf(
  dir: string,
  runs: readonly SeriesRun[],
  cwd: string,
): Promise<readonly DatasetMetrics[]> {
  const folder = asExperimentDirectory(dir) === undefined ? cwd : (withJournal(dir, readDefinition)?.folder ?? cwd)
  const scripts = new Map(
    [...new Set(runs.map(({ task }) => task))].map(task => [task, metricOfTask(resolvePath(task, { folder, cwd }))]),
  )
  const counted = runs.filter(({ task, standing }) => (scripts.get(task) ?? null) !== null && standing !== 'unscored')
  const groups = Map.groupBy(counted, ({ task, variant }) => JSON.stringify([scripts.get(task), variant]))
  const all: DatasetMetrics[] = []
  for (const own of groups.values()) {
    const [{ task = '', variant = '' } = {}] = own
    const script = scripts.get(task) ?? ''
    const about = { dataset: basename(dirname(script)), variant, n: own.length }
    all.push({ ...about, ...(await valuesOf(script, own.map(rewardsOf))) })
  }
  return all
}

const rewardsOf = ({ rewards, score }: SeriesRun): Rewards =>
  score === null ? null : Object.keys(rewards).length === 0 ? { reward: score } : rewards

async function valuesOf(
  script: string,
  rewards: readonly Rewards[],
): Promise<Pick<DatasetMetrics, 'values' | 'problem'>> {
  try {
    return { values: await datasetMetrics(script, rewards), problem: null }
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    return { values: {}, problem: error.message }
  }
}
