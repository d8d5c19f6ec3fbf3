import { isAvailable, valueOrNull } from '../../stats/estimate.ts'
import { meanOf, passAtK, passHatK, shrinkMeans, shrinkRates } from '../../stats/index.ts'
import { counted, listed, plainNumber, separated } from '../../util/words.ts'
import { defaultDrawing } from '../choices.ts'
import { type MeanBounds, numberSummary } from '../variants.ts'
import type { Rollout } from './rollout.ts'

// The input of scores.
export { type Rollout, rolloutOf, rolloutsOf, taskLabels, taskOf, varyingNames } from './rollout.ts'

/** The number of rollouts in each state: the denominators that belong beside every mean. */
export interface Counts {
  readonly n: number
  readonly scored: number
  readonly unscored: number
  readonly errored: number
  /** Of those that are scored. */
  readonly resolved: number
  readonly failed: number
}

export interface TaskScores extends Counts {
  readonly task: string
  readonly variant: string
  /** Of the scored rollouts; null: there are none. */
  readonly mean: number | null
  readonly max: number | null
  /** Errors count as 0; unscored rollouts are left out here too. */
  readonly strict_mean: number | null
  /** Some rollouts passed and some failed. */
  readonly is_flaky: boolean
  /** Its mean, shrunk by how the variant's tasks differ: few rollouts count for little; null if that is unknown. */
  readonly shrunk: { readonly estimate: number; readonly low: number; readonly high: number } | null
  /** Further from the variant's other tasks than one of this many would be by chance. */
  readonly is_outlier: boolean
}

export interface Scores extends Counts {
  readonly variant: string
  readonly tasks: number
  /** Tasks with a scored rollout: the basis of the mean and its interval. */
  readonly scored_tasks: number
  /** Over scored rollouts, with an interval that accounts for the similarity of rollouts of one task. */
  readonly mean: number | null
  readonly ci: MeanBounds | null
  /** Why there is no interval. */
  readonly ci_reason: string | null
  readonly strict_mean: number | null
  readonly passes: readonly PassRates[]
  readonly cost_usd: number | null
}

/** At one `k`: means over the tasks that have at least `k` scored rollouts. */
export interface PassRates {
  readonly k: number
  readonly tasks: number
  /** pass@k: at least one of k passes. */
  readonly any: number
  /** pass^k: all of k pass. */
  readonly all: number
}

export function countsOf(rollouts: readonly Rollout[]): Counts {
  const count = (isOne: (rollout: Rollout) => boolean) => rollouts.filter(isOne).length
  return {
    n: rollouts.length,
    scored: count(({ standing }) => standing === 'scored'),
    unscored: count(({ standing }) => standing === 'unscored'),
    errored: count(({ standing }) => standing === 'errored'),
    resolved: count(({ passed }) => passed === true),
    failed: count(({ passed }) => passed === false),
  }
}

/** The scores of each variant, in order of first appearance. */
export function scoresOf(rollouts: readonly Rollout[], options: { readonly level?: number } = {}): readonly Scores[] {
  return groupsBy(rollouts, ({ variant }) => variant).map(([variant, own]) => {
    const scored = own.filter(({ standing }) => standing === 'scored')
    const { mean, ci, reason } = meanOver(scored, options.level ?? 0.95)
    return {
      variant,
      tasks: new Set(own.map(({ task }) => task)).size,
      scored_tasks: new Set(scored.map(({ task }) => task)).size,
      ...countsOf(own),
      mean,
      ci,
      ci_reason: reason,
      strict_mean: strictMean(own),
      passes: passRates(own),
      cost_usd: sumOf(own.map(({ cost_usd }) => cost_usd)),
    }
  })
}

/** The same by task, sorted by task and then in the order of the variants. */
export function taskScoresOf(rollouts: readonly Rollout[]): readonly TaskScores[] {
  const shrunk = shrunkBy(rollouts)
  const byTask = groupsBy(rollouts, ({ task }) => task).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return byTask.flatMap(([task, ofTask]) =>
    groupsBy(ofTask, ({ variant }) => variant).map(([variant, own]) => {
      const values = scoresIn(own)
      const counts = countsOf(own)
      return {
        task,
        variant,
        ...counts,
        mean: values.length === 0 ? null : meanOf(values),
        max: values.length === 0 ? null : Math.max(...values),
        strict_mean: strictMean(own),
        is_flaky: counts.resolved > 0 && counts.failed > 0,
        ...(shrunk.get(JSON.stringify([variant, task])) ?? { shrunk: null, is_outlier: false }),
      }
    }),
  )
}

/** Shrinks each variant's tasks towards their common mean: yes or no by rates, other scores by means. */
function shrunkBy(rollouts: readonly Rollout[]): ReadonlyMap<string, Pick<TaskScores, 'shrunk' | 'is_outlier'>> {
  const all = new Map<string, Pick<TaskScores, 'shrunk' | 'is_outlier'>>()
  for (const [variant, own] of groupsBy(rollouts, one => one.variant)) {
    const tasks = groupsBy(own, ({ task }) => task)
      .map(([task, ofTask]) => ({ task, values: scoresIn(ofTask) }))
      .filter(({ values }) => values.length > 0)
    const isRate = tasks.every(({ values }) => values.every(value => value === 0 || value === 1))
    const found = isRate
      ? shrinkRates(
          tasks.map(({ values }) => ({ successes: values.filter(value => value === 1).length, trials: values.length })),
        )
      : shrinkMeans(tasks.map(({ values }) => values))
    if (!isAvailable(found)) continue
    tasks.forEach(({ task }, at) => {
      const one = found[at]
      if (one === undefined) return
      const { estimate, interval, isOutlier } = one
      const shrunk = { estimate, low: interval.low, high: interval.high }
      all.set(JSON.stringify([variant, task]), { shrunk, is_outlier: isOutlier })
    })
  }
  return all
}

export interface SeparatingTask {
  readonly task: string
  readonly better: string
  readonly worse: string
}

/** Tasks that distinguish variants: the shrunk intervals of the best and the worst do not overlap. */
export function separatingTasks(rows: readonly TaskScores[]): readonly SeparatingTask[] {
  return groupsBy(rows, ({ task }) => task).flatMap(([task, own]) => {
    const known = own.flatMap(({ variant, shrunk }) => (shrunk === null ? [] : [{ variant, ...shrunk }]))
    const [best] = known.toSorted((a, b) => b.estimate - a.estimate)
    const [worst] = known.toSorted((a, b) => a.estimate - b.estimate)
    return best !== undefined && worst !== undefined && best.low > worst.high
      ? [{ task, better: best.variant, worse: worst.variant }]
      : []
  })
}

/** Facts about single tasks that an average would hide. Plain data, as in `patterns.json`. */
export interface TaskPatterns {
  /** Tasks with a scored rollout. */
  readonly tasks: number
  readonly flaky: readonly Pick<TaskScores, 'task' | 'variant' | 'resolved' | 'scored'>[]
  readonly separating: readonly SeparatingTask[]
  readonly outliers: readonly Pick<TaskScores, 'task' | 'variant' | 'mean' | 'shrunk'>[]
}

export const taskPatternsOf = (rows: readonly TaskScores[]): TaskPatterns => ({
  tasks: new Set(rows.flatMap(({ task, scored }) => (scored === 0 ? [] : [task]))).size,
  flaky: rows
    .filter(({ is_flaky }) => is_flaky)
    .map(({ task, variant, resolved, scored }) => ({ task, variant, resolved, scored })),
  separating: separatingTasks(rows),
  outliers: rows
    .filter(({ is_outlier }) => is_outlier)
    .map(({ task, variant, mean, shrunk }) => ({ task, variant, mean, shrunk })),
})

/** pass^k of one task; null with fewer than `k` scored rollouts. */
export const allPass = ({ scored, resolved }: Pick<Counts, 'scored' | 'resolved'>, k: number): number | null =>
  valueOrNull(passHatK({ attempts: scored, successes: resolved }, k))

function meanOver(scored: readonly Rollout[], level: number) {
  const values = scoresIn(scored)
  const isRate = values.every(value => value === 0 || value === 1)
  const tasks = scored.map(({ task }) => task)
  const { mean, ci, reason } = numberSummary(values, tasks, { level, drawing: defaultDrawing, isRate, range: [0, 1] })
  return { mean, ci, reason }
}

const scoresIn = (rollouts: readonly Rollout[]): readonly number[] => rollouts.flatMap(({ score }) => score ?? [])

function strictMean(rollouts: readonly Rollout[]): number | null {
  const values = rollouts.flatMap(({ standing, score }) => (standing === 'errored' ? [0] : (score ?? [])))
  return values.length === 0 ? null : meanOf(values)
}

/**
 * For k = 1 and each number of scored rollouts that some task has. Rollouts of different variants are no repetitions of
 * one another: with several variants, each task counts once for each of them.
 */
export function passRates(rollouts: readonly Rollout[]): readonly PassRates[] {
  const counts = groupsBy(rollouts, ({ task, variant }) => JSON.stringify([task, variant])).map(([, own]) =>
    countsOf(own),
  )
  const ks = [...new Set([1, ...counts.map(({ scored }) => scored)])].filter(k => k > 0).toSorted((a, b) => a - b)
  return ks.flatMap(k => {
    const enough = counts.filter(({ scored }) => scored >= k)
    if (enough.length === 0) return []
    const over = (rate: typeof passAtK) =>
      meanOf(enough.map(({ scored, resolved }) => valueOrNull(rate({ attempts: scored, successes: resolved }, k)) ?? 0))
    return [{ k, tasks: enough.length, any: over(passAtK), all: over(passHatK) }]
  })
}

/** null: none is known. */
function sumOf(costs: readonly (number | null)[]): number | null {
  const known = costs.flatMap(cost => cost ?? [])
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0)
}

const groupsBy = <T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly [string, readonly T[]])[] => [
  ...Map.groupBy(items, keyOf),
]

/** Sentences about single tasks. */
export const taskSentences = (found: TaskPatterns): readonly string[] => [
  ...flakySentence(found),
  ...separatingSentence(found),
  ...outlierSentence(found),
]

function flakySentence({ flaky, tasks }: TaskPatterns): readonly string[] {
  if (flaky.length === 0) return []
  const places = byTask(flaky, ({ resolved, scored }) => `${resolved} of ${scored}`)
  return [
    `${places.length} of ${counted(tasks, 'task')} ${are(places.length)} flaky, some rollouts passed and some failed: ${listed(places)}`,
  ]
}

/** The tasks that distinguish variants, and the better variant of each; none: no sentence. */
export function separatingSentence({ separating, tasks }: TaskPatterns): readonly string[] {
  if (separating.length === 0) return []
  const pairs = [...Map.groupBy(separating, ({ better, worse }) => `${better} is better than ${worse}`)].map(
    ([who, own]) => `${who} on ${listed(own.map(({ task }) => task))}`,
  )
  return [
    `${separating.length} of ${counted(tasks, 'task')} ${separating.length === 1 ? 'separates' : 'separate'} the variants: ${separated(pairs)}`,
  ]
}

/** Tasks that are further from a variant's others than chance explains; none: no sentence. */
export function outlierSentence({ outliers, tasks }: TaskPatterns): readonly string[] {
  if (outliers.length === 0) return []
  const places = byTask(outliers, ({ mean }) => `mean ${mean === null ? '–' : plainNumber(mean)}`)
  return [
    `${places.length} of ${counted(tasks, 'task')} ${are(places.length)} far from the other tasks of the same variant: ${listed(places)}`,
  ]
}

/** `t2 (good: 13 of 20, poor: 4 of 20)`, once for each task. */
const byTask = <Row extends { readonly task: string; readonly variant: string }>(
  rows: readonly Row[],
  say: (row: Row) => string,
): readonly string[] =>
  [...Map.groupBy(rows, ({ task }) => task)].map(([task, own]) => {
    const said = own.map(row => `${row.variant === '' ? '' : `${row.variant}: `}${say(row)}`)
    return `${task} (${said.join(', ')})`
  })
const are = (count: number): string => (count === 1 ? 'is' : 'are')
