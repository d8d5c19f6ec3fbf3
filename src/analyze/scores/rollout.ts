import { knownMetrics, priceOf, type RunRecord } from '../../define/observation.ts'
import type { OutcomeKind } from '../../define/outcome.ts'
import { canonicalJson } from '../../util/json.ts'
import { levelText } from '../../util/words.ts'

/** A run of a task, as far as scores are concerned. */
export interface Rollout {
  /** The unit: rollouts of one task are alike. */
  readonly task: string
  /** The compared variant, such as a model; '' if all runs are of one variant. */
  readonly variant: string
  readonly standing: Standing
  /** From 0 to 1; null unless it is scored. */
  readonly score: number | null
  readonly passed: boolean | null
  /** Its list price. */
  readonly cost_usd: number | null
}

/**
 * `scored`: it has a score, however it ended. `errored`: it ended by itself without one: it crashed, ran out of time or
 * money, its tests gave no reward, or the infrastructure failed. `unscored`: no statement about the agent is possible,
 * because the run has not ended, was cancelled, or needs a missing environment. The three add up to all rollouts.
 */
export type Standing = 'scored' | 'errored' | 'unscored'

const errors: readonly OutcomeKind[] = [
  'failed',
  'timed_out',
  'cost_limited',
  'rate_limited',
  'infra_error',
] satisfies readonly OutcomeKind[]

export function rolloutOf(run: RunRecord, varying: readonly string[]): Rollout {
  const { score = null, [knownMetrics.passed]: passed } = run.metrics
  const isScored = score !== null
  return {
    task: taskOf(run),
    variant: variantLabel(run, varying),
    standing: isScored ? 'scored' : isErrored(run) ? 'errored' : 'unscored',
    score,
    passed: isScored ? (passed ?? score) >= 1 : null,
    cost_usd: priceOf(run),
  }
}

/** For runs that are analysed together: their varying parameters name the variants, and tasks have short names. */
export function rolloutsOf(runs: readonly RunRecord[]): readonly Rollout[] {
  const label = taskLabels(runs.map(taskOf))
  const varying = varyingNames(runs)
  return runs.map(run => {
    const rollout = rolloutOf(run, varying)
    return { ...rollout, task: label(rollout.task) }
  })
}

function isErrored({ outcome }: RunRecord): boolean {
  return outcome !== null && outcome.unsupported_environment !== true && errors.includes(outcome.kind)
}

/** Its block: the task, or whatever else pairs runs. */
export function taskOf({ block, name }: Pick<RunRecord, 'block' | 'name'>): string {
  if (block.task !== undefined) return levelText(block.task)
  const parts = Object.entries(block).map(([key, level]) => `${key}=${levelText(level)}`)
  return parts.length === 0 ? name : parts.join(', ')
}

/** The last part of a task's path, if no other task has the same. */
export function taskLabels(tasks: readonly string[]): (task: string) => string {
  const counts = Map.groupBy(new Set(tasks), lastPart)
  return task => ((counts.get(lastPart(task))?.length ?? 0) > 1 ? task : lastPart(task))
}

const lastPart = (path: string): string => /[^/]+(?=\/*$)/.exec(path)?.[0] ?? path

/** The parameters that differ between runs, in the order they are given. */
export function varyingNames(runs: readonly Pick<RunRecord, 'params'>[]): readonly string[] {
  const names = new Set(runs.flatMap(({ params }) => Object.keys(params)))
  return [...names].filter(name => new Set(runs.map(({ params }) => canonicalJson(params[name] ?? null))).size > 1)
}

/** The model by its name alone; other levels with their parameter's name, and no empty ones. */
function variantLabel({ params }: Pick<RunRecord, 'params'>, varying: readonly string[]): string {
  return varying
    .flatMap(name => {
      const level = params[name] ?? null
      const isEmpty = level === null || canonicalJson(level) === '{}'
      if (isEmpty) return []
      return [name === 'model' ? levelText(level) : `${name}=${levelText(level)}`]
    })
    .join(', ')
}
