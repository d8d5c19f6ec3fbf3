import type { Dataset } from '../../src/report/dataset/dataset.ts'
import { agentFindingsOf } from '../../src/report/findings/agents.ts'
import { armSamplesOf, comparisonsOf, curvesOf, factorEffectsOf } from '../../src/report/findings/comparisons.ts'
import { searchFindingsOf } from '../../src/report/findings/search.ts'
import { taskFindingsOf } from '../../src/report/findings/task-scores.ts'
import { profileOf, variantRowsOf, variationOf } from '../../src/report/findings/variants.ts'
import type { View } from '../../src/report/findings/view.ts'
import { pairOf } from './pair.ts'

/** What takes long enough to be done beside the page. Plain data in, plain data out. */
export const tasks = {
  comparisons: (dataset: Dataset, view: View) => comparisonsOf(dataset, view),
  samples: (dataset: Dataset, view: View, candidate: string) => armSamplesOf(dataset, view, candidate),
  variants: (dataset: Dataset, view: View) => variantRowsOf(dataset, view),
  effects: (dataset: Dataset, view: View) => factorEffectsOf(dataset, view),
  curves: (dataset: Dataset, view: View, metric: string) => curvesOf(dataset, view, metric),
  variation: (dataset: Dataset, view: View) => variationOf(dataset, view),
  profile: (dataset: Dataset, view: View) => profileOf(dataset, view),
  pair: (dataset: Dataset, view: View, labels: string) => pairOf(dataset, view, labels),
  scores: (dataset: Dataset, view: View) => taskFindingsOf(dataset, view),
  agents: (dataset: Dataset, view: View) => agentFindingsOf(dataset, view),
  search: (dataset: Dataset, view: View) => searchFindingsOf(dataset, view),
} as const

export type TaskName = keyof typeof tasks
export type TaskAnswer<Name extends TaskName> = ReturnType<(typeof tasks)[Name]>

/** One question to whoever computes. */
export interface TaskCall {
  readonly name: TaskName
  readonly view: View
  /** A candidate, a metric, or two variants. */
  readonly about: string
}

export const perform = (dataset: Dataset, { name, view, about }: TaskCall): TaskAnswer<TaskName> =>
  tasks[name](dataset, view, about)
