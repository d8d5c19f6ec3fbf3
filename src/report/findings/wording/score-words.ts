import type { Scores } from '../../../analyze/scores/scores.ts'
import { counted, percentText } from '../../../util/words.ts'

/** The mean of each variant in a sentence, with its denominators. */
export const scoreSentences = (overall: readonly Scores[], level: number): readonly string[] =>
  overall.map(scores => {
    const text = `${meanText(scores, level)}${leftOut(scores)}${resolvedText(scores)}.`
    return scores.variant === '' ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : `${scores.variant}: ${text}`
  })

function meanText({ mean, ci, ci_reason, tasks, scored_tasks, scored, n }: Scores, level: number): string {
  if (mean === null) return `no score for any of ${counted(n, 'rollout')} of ${counted(tasks, 'task')}`
  const bounds =
    ci === null
      ? `no interval: ${ci_reason ?? 'not known'}`
      : `${percentText(level)} CI ${bound(ci.low, '−∞')} to ${bound(ci.high, '∞')}, ${scored_tasks === 1 ? 'by the rollouts of the one task' : 'clustered by task'}`
  return `mean score ${percentText(mean)} (${bounds}) over ${scored} of ${counted(n, 'rollout')} of ${counted(tasks, 'task')}`
}

const bound = (value: number | null, none: string): string => (value === null ? none : percentText(value))

/** What the mean leaves out; never counted as 0. */
function leftOut({ errored, unscored, strict_mean }: Scores): string {
  const parts = [
    ...(errored === 0
      ? []
      : [
          `${errored} ended in an error${strict_mean === null ? '' : ` (${percentText(strict_mean)} if that counts as 0)`}`,
        ]),
    ...(unscored === 0 ? [] : [`${unscored} could not be scored`]),
  ]
  return parts.length === 0 ? '' : `; ${parts.join(', ')}`
}

function resolvedText({ resolved, scored, passes }: Scores): string {
  if (scored === 0) return ''
  const most = passes.at(-1)
  const rates =
    most === undefined || most.k === 1
      ? ''
      : `; pass@${most.k} ${percentText(most.any)}, pass^${most.k} ${percentText(most.all)} (${counted(most.tasks, 'task')})`
  return `; ${resolved} of ${scored} resolved${rates}`
}

/** A way in which runs were isolated. */
export interface Isolation {
  readonly sandbox: string
  readonly runs: number
}

/** Runs with different isolation are not comparable. null: they have the same, or nothing is known. */
export function isolationWarning(isolation: readonly Isolation[]): string | null {
  if (isolation.length < 2) return null
  const ways = isolation.map(({ sandbox, runs }) => `${sandbox} (${counted(runs, 'run')})`)
  return `These runs were isolated in different ways, so their scores may differ for that reason alone: ${ways.join('; ')}.`
}
