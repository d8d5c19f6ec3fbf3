import type { SummaryRequest } from '../strategies/strategy.ts'
import type { AgentParts } from './agent-parts.ts'
import { ask, sideCallOf } from './ask.ts'
import type { Course } from './course.ts'
import { type Fault, faultOf } from './faults.ts'

/** Writes a summary; null: it is there. A summary that fails is judged like an answer that fails, and counts as a call. */
export async function summarise(
  request: SummaryRequest,
  { scope, summarizer, sampling, now }: Pick<AgentParts, 'scope' | 'summarizer' | 'sampling' | 'now'>,
  course: Course,
  signal: AbortSignal,
): Promise<Exclude<Fault, { kind: 'not_the_agents' }> | null> {
  if (request.ask === null) {
    course.summarised(request, request.textOf(null), null)
    return null
  }
  const call = { ...sampling, model: summarizer, messages: request.ask, purpose: 'summary' }
  const { answer, error, asked } = await ask(call, { client: scope.client, now }, signal)
  const side = sideCallOf(summarizer, asked)
  if (answer !== null) {
    course.summarised(request, request.textOf(answer.text), side)
    return null
  }
  const fault = faultOf(error)
  if (fault.kind === 'not_the_agents') throw error
  course.sideCall(side)
  return fault
}
