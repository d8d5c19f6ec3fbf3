import type { Message, ModelAnswer, ModelClient } from '../../../models/model-call.ts'
import { ModelError, outcomeOfModelError } from '../../../models/model-error.ts'
import { mixSeed } from '../../../util/random.ts'
import { choiceQuestion, type Reviewed, scoreQuestion } from './review-question.ts'
import type { Reviewer } from './reviewer-schema.ts'
import { choiceIn, combinedScore, scoreIn } from './scores.ts'

export interface ReviewParts {
  readonly client: Pick<ModelClient, 'call'>
  readonly model: string
  readonly reviewer: Reviewer
  readonly seed: number
  readonly signal: AbortSignal
}

/** The reviewer's score of an attempt. Its samples are independent: each has its own seed. */
export async function scoreAttempt(
  instruction: string,
  attempt: Reviewed & { readonly number: number },
  parts: ReviewParts,
): Promise<number> {
  const { reviewer } = parts
  const scores: (number | null)[] = []
  for (let sample = 0; sample < reviewer.samples; sample++) {
    const question = scoreQuestion(instruction, attempt, reviewer.range)
    const answer = await asked(question, mixSeed('review', parts.seed, attempt.number, sample), parts)
    scores.push(answer === null ? null : scoreIn(answer.text, reviewer.range))
  }
  return combinedScore(scores, attempt.exitStatus, reviewer)
}

/** The attempt that the model picks; the first if it picks none. */
export async function chooseAttempt(
  instruction: string,
  attempts: readonly Reviewed[],
  parts: ReviewParts,
): Promise<number> {
  if (attempts.length < 2) return 0
  const answer = await asked(choiceQuestion(instruction, attempts), mixSeed('choice', parts.seed), parts)
  return (answer === null ? null : choiceIn(answer.text, attempts.length)) ?? 0
}

/** null: the model gave no usable answer, by its own fault. A provider's failure ends the run. */
async function asked(
  messages: readonly Message[],
  seed: number,
  { client, model, reviewer, signal }: ReviewParts,
): Promise<ModelAnswer | null> {
  const { temperature } = reviewer
  try {
    return await client.call(
      { model, messages, seed, ...(temperature !== undefined && { temperature }), purpose: 'rloop' },
      signal,
    )
  } catch (error) {
    if (
      error instanceof ModelError &&
      outcomeOfModelError(error).kind === 'failed' &&
      error.fault !== 'missing_recording'
    )
      return null
    throw error
  }
}
