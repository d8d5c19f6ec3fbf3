import { sentenceText } from '../../analyze/batch/analyze-batch.ts'
import {
  allPass,
  outlierSentence,
  rolloutsOf,
  type Scores,
  scoresOf,
  separatingSentence,
  type TaskScores,
  taskLabels,
  taskOf,
  taskPatternsOf,
  taskScoresOf,
} from '../../analyze/scores/scores.ts'
import { worksOnTasks } from '../../define/experiment.ts'
import type { Observation } from '../../define/observation.ts'
import { AssayError, type OrReason, orReason } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { filtered, type View } from './view.ts'
import { type Isolation, isolationWarning, scoreSentences } from './wording/score-words.ts'

/** How agents did on tasks: overall, and task by task. */
export interface TaskFindings {
  /** For each variant, in order of appearance. */
  readonly overall: readonly Scores[]
  /** For each task and variant: failing and flaky ones first. */
  readonly rows: readonly TaskRow[]
  /**
   * The k of the rows' pass^k: at least half of the rows have this many scored rollouts. 1: it says no more than
   * pass@1.
   */
  readonly k: number
  /** Of intervals. */
  readonly level: number
  /** Environments that could not be made here: their runs have no score, which is not a score of 0. */
  readonly unsupported: readonly Unsupported[]
  /** How runs were isolated, the most frequent way first. */
  readonly isolation: readonly Isolation[]
  /** The mean of each variant in words, with its denominators. */
  readonly sentences: readonly string[]
  /** Which tasks separate the variants, and which are far from a variant's others; the table shows the flaky ones. */
  readonly remarks: readonly string[]
  /** A warning that scores of different isolation were averaged; null: they were not, or nothing is known. */
  readonly warning: string | null
}

export type TaskStatus = 'failing' | 'flaky' | 'not scored' | 'solved'

export interface TaskRow extends TaskScores {
  readonly status: TaskStatus
  readonly pass_at_1: number | null
  /** All of k rollouts pass; null: fewer than k are scored. */
  readonly pass_hat_k: number | null
}

interface Unsupported {
  readonly task: string
  readonly reason: string
  readonly runs: number
}

/** Whether there is anything to say about tasks: otherwise the page has no such section. */
export const hasTasks = ({ evidence, experiments }: Dataset): boolean =>
  evidence.blocks.includes('task') &&
  (experiments.some(({ definition }) => definition != null && worksOnTasks(definition.target)) ||
    evidence.runs.some(({ metrics }) => metrics.score !== undefined))

export function taskFindingsOf(dataset: Dataset, view: Pick<View, 'filter' | 'alpha'>): OrReason<TaskFindings> {
  return orReason(() => {
    if (!hasTasks(dataset))
      throw new AssayError('usage', 'there are no tasks: no experiment has a block task and scores')
    const { runs } = filtered(dataset.evidence, view.filter)
    const label = taskLabels(runs.map(taskOf))
    const rollouts = rolloutsOf(runs)
    const scores = taskScoresOf(rollouts)
    const patterns = taskPatternsOf(scores)
    const k = middle(scores.flatMap(({ scored }) => (scored === 0 ? [] : [scored])))
    const level = 1 - view.alpha
    const overall = scoresOf(rollouts, { level })
    const isolation = isolationOf(runs)
    return {
      overall,
      rows: scores.map(row => rowOf(row, k)).toSorted(worstFirst),
      k,
      level,
      unsupported: unsupportedIn(runs, label),
      isolation,
      sentences: scoreSentences(overall, level),
      remarks: [...separatingSentence(patterns), ...outlierSentence(patterns)].map(sentence =>
        sentenceText({ kind: 'tasks', sentence, exploratory: true }),
      ),
      warning: isolationWarning(isolation),
    }
  })
}

/** A value such that at least half of the numbers are as large. */
const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => b - a)[Math.ceil(numbers.length / 2) - 1] ?? 1

function rowOf(row: TaskScores, k: number): TaskRow {
  const { scored, resolved } = row
  return {
    ...row,
    status: statusOf(row),
    pass_at_1: scored === 0 ? null : resolved / scored,
    pass_hat_k: allPass(row, k),
  }
}

function statusOf({ scored, resolved, is_flaky }: TaskScores): TaskStatus {
  if (scored === 0) return 'not scored'
  return is_flaky ? 'flaky' : resolved === 0 ? 'failing' : 'solved'
}

const order: readonly TaskStatus[] = ['failing', 'flaky', 'not scored', 'solved']

/** Equal ones stay in the order of their names. */
const worstFirst = (a: TaskRow, b: TaskRow): number =>
  order.indexOf(a.status) - order.indexOf(b.status) || (a.mean ?? 0) - (b.mean ?? 0)

function unsupportedIn(runs: readonly Observation[], label: (task: string) => string): readonly Unsupported[] {
  const all = runs.filter(({ outcome }) => outcome.unsupported_environment === true)
  const groups = Map.groupBy(all, run => JSON.stringify([taskOf(run), run.outcome.message]))
  return [...groups.values()].flatMap(group => {
    const [first] = group
    if (first === undefined) return []
    return [{ task: label(taskOf(first)), reason: first.outcome.message ?? 'no reason is known', runs: group.length }]
  })
}

function isolationOf(runs: readonly Observation[]): readonly Isolation[] {
  const known = runs.flatMap(({ outcome }) => outcome.sandbox ?? [])
  return [...Map.groupBy(known, sandbox => sandbox)]
    .map(([sandbox, own]) => ({ sandbox, runs: own.length }))
    .sort((a, b) => b.runs - a.runs || (a.sandbox < b.sandbox ? -1 : 1))
}
