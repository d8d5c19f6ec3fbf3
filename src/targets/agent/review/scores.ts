import type { Reviewer } from './reviewer-schema.ts'

/** The score of an attempt without a valid one, as in SWE-agent: below every score that a reviewer gives. */
const noScore = -100

/** The last number in the last line of a review; null: there is none, or it is out of range. */
export function scoreIn(review: string, [low, high]: Reviewer['range']): number | null {
  const last = review.trimEnd().split('\n').at(-1) ?? ''
  const found = last.match(/-?\d+(?:\.\d+)?/g)?.at(-1)
  const score = Number(found ?? Number.NaN)
  return score >= low && score <= high ? score : null
}

/** The mean of the valid scores, minus penalties for doubt and for an interrupted agent. */
export function combinedScore(
  scores: readonly (number | null)[],
  exitStatus: string,
  { failure_penalty, std_weight }: Pick<Reviewer, 'failure_penalty' | 'std_weight'>,
): number {
  const valid = scores.filter(score => score !== null)
  if (valid.length === 0) return noScore
  const mean = valid.reduce((sum, score) => sum + score, 0) / valid.length
  const variance = valid.reduce((sum, score) => sum + (score - mean) ** 2, 0) / valid.length
  return mean - (exitStatus === 'submitted' ? 0 : failure_penalty) - std_weight * Math.sqrt(variance)
}

export interface Scored {
  readonly score: number
  readonly calls: number
}

/** The highest score; among equals the one with fewer calls, then the first. */
export function bestOf(attempts: readonly Scored[]): number {
  let best = 0
  for (const [at, one] of attempts.entries()) {
    const known = attempts[best]
    if (known === undefined) continue
    if (one.score > known.score || (one.score === known.score && one.calls < known.calls)) best = at
  }
  return best
}

/** The number that a chooser names, counted from 1 in its words and from 0 here; null: it names none of them. */
export function choiceIn(answer: string, attempts: number): number | null {
  const last = answer.trimEnd().split('\n').at(-1) ?? ''
  const number = Number(last.match(/\d+/g)?.at(-1) ?? Number.NaN)
  return Number.isInteger(number) && number >= 1 && number <= attempts ? number - 1 : null
}

/** Whether another attempt is worthwhile. `left`: the remaining money; null: there is no limit. */
export function isWorthAnother(
  { scores, left }: { readonly scores: readonly number[]; readonly left: number | null },
  { kind, max_attempts, accept_score, max_accepts, min_budget }: Reviewer,
): boolean {
  if (scores.length >= max_attempts) return false
  if (left !== null && (left <= 0 || left < min_budget)) return false
  return kind === 'chooser' || scores.filter(score => score >= accept_score).length < max_accepts
}
