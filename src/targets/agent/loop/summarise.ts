import { TriesOutOfTime } from '../../../models/model-error.ts'
import type { SummaryRequest } from '../strategies/strategy.ts'
import type { AgentParts } from './agent-parts.ts'
import { ask, LimitInRetry, sideCallOf } from './ask.ts'
import { type Course, type Taken, withTries } from './course.ts'
import { type Fault, faultOf } from './faults.ts'
import { answerTime, cutBy, outOfTime } from './limits.ts'

/** Writes a summary; null: it was written. A failing summary is treated like a failing answer, and counts as a call. */
export async function summarise(
  request: SummaryRequest,
  {
    scope,
    summarizer,
    sampling,
    limits,
    now,
  }: Pick<AgentParts, 'scope' | 'summarizer' | 'sampling' | 'limits' | 'now'>,
  course: Course,
  signal: AbortSignal,
): Promise<Exclude<Fault, { kind: 'not_the_agents' }> | null> {
  if (request.ask === null) {
    course.summarised(request, request.textOf(null), null)
    return null
  }
  const call = { ...sampling, model: summarizer, messages: request.ask, purpose: 'summary' }
  const mayGoOn = (taken: Taken): boolean => cutBy(withTries(course.spent, taken), limits) === null
  const { answer, error, asked } = await ask(
    call,
    { client: scope.client, now, mostMs: answerTime(course.spent, limits), mayGoOn },
    signal,
  )
  course.sideCall(asked)
  if (answer !== null) {
    course.summarised(request, request.textOf(answer.text), sideCallOf(summarizer, asked))
    return null
  }
  if (error instanceof TriesOutOfTime) return { kind: 'exit', exit: outOfTime(course.spent) }
  const cut = error instanceof LimitInRetry ? cutBy(course.spent, limits) : null
  if (cut !== null) return { kind: 'exit', exit: cut }
  const fault = faultOf(error)
  if (fault.kind === 'not_the_agents') throw error
  return fault
}
