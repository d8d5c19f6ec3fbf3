import type { Message, ModelAnswer, ModelCall } from '../../../models/model-call.ts'
import { TriesOutOfTime } from '../../../models/model-error.ts'
import { type PromptPart, renderPrompt, type Turn } from '../../../models/trajectory/trajectory.ts'
import type { Next } from '../strategies/strategy.ts'
import type { AgentParts } from './agent-parts.ts'
import { ask, LimitInRetry, type Reply } from './ask.ts'
import { type Asked, type Course, type Taken, withTries } from './course.ts'
import { type Exit, statusWithDiff } from './exit.ts'
import { faultOf } from './faults.ts'
import { asPlainMessages, callsInBlocks } from './fenced.ts'
import { answerTime, commandTime, cutBy, outOfTime } from './limits.ts'
import { withCacheMarks } from './prompt-marks.ts'
import { runCommands } from './run-commands.ts'
import { summarise } from './summarise.ts'
import { agentTools } from './tools.ts'

/** The result of an agent's work. */
export interface AgentEnd {
  readonly exit: Exit
  /** `submitted`, `exit_cost`, `submitted (exit_context)`, … */
  readonly exitStatus: string
  readonly diff: string
}

/**
 * Think, run one command, observe, until the agent submits or reaches a limit. Rejects if something happened that says
 * nothing about the agent: the provider is gone, a limit of the experiment is reached, the run is cancelled. The course
 * belongs to the caller, so that the work so far is known.
 */
export async function runAgent(parts: AgentParts, course: Course, signal: AbortSignal): Promise<AgentEnd> {
  const exit = await workUntilExit(parts, course, signal)
  if (exit.status === 'submitted') return { exit, exitStatus: 'submitted', diff: await parts.workplace.diff() }
  const diff = await parts.workplace.diff()
  const turn = course.end({
    ...{ kind: 'autosubmit', messages: [], prompt: null, execution_ms: null, result: 'used' },
    asked: nothingAsked,
  })
  parts.onTurn(turn)
  return { exit, exitStatus: statusWithDiff(exit.status, diff), diff }
}

const nothingAsked: Asked = {
  ...{ usage: null, cost_usd: null, price_usd: null, inference_ms: null, started_at: null },
  counted_usd: 0,
}

async function workUntilExit(parts: AgentParts, course: Course, signal: AbortSignal): Promise<Exit> {
  const { strategy, limits, deadline } = parts
  const either = AbortSignal.any([signal, deadline])
  let state = strategy.start()
  let failedSummaries = 0
  for (;;) {
    const cut = cutBy(course.spent, limits) ?? (deadline.aborted ? taskOutOfTime : null)
    if (cut !== null) return cut
    const next: Next<unknown> = strategy.next(course.history, state)
    if (next.summarise !== undefined) {
      const failed = await summarise(next.summarise, parts, course, either).catch(error =>
        atDeadline(error, parts, signal),
      )
      failedSummaries = failed?.kind === 'again' ? failedSummaries + 1 : 0
      if (failed?.kind === 'exit') return failed.exit
      if (failedSummaries >= Math.max(1, limits.formatErrors))
        return { status: 'exit_format', message: `${failedSummaries} summaries in a row could not be used` }
      // A summary that failed is asked for again, from the same state.
      if (failed === null) state = next.state
      continue
    }
    state = next.state
    const exit = await turn(course.promptOf(next.prompt), parts, course, { signal, either })
    if (exit !== null) return exit
  }
}

const taskOutOfTime: Exit = { status: 'exit_timeout', message: 'its time was over' }

/** The end of the agent's time is not an error of the run. */
function atDeadline(error: unknown, { deadline }: AgentParts, signal: AbortSignal): { kind: 'exit'; exit: Exit } {
  if (deadline.aborted && !signal.aborted) return { kind: 'exit', exit: taskOutOfTime }
  throw error
}

interface Signals {
  readonly signal: AbortSignal
  /** The run's signal, or the end of the agent's time. */
  readonly either: AbortSignal
}

async function turn(
  prompt: readonly PromptPart[],
  parts: AgentParts,
  course: Course,
  signals: Signals,
): Promise<Exit | null> {
  const { limits, scope } = parts
  const call = callOf(prompt, parts, course)
  if (limits.contextTokens > 0) {
    const { input_tokens } = await scope.client.size(call)
    if (input_tokens > limits.contextTokens)
      return {
        status: 'exit_context',
        message: `its prompt has ${input_tokens} tokens, and context_limit is ${limits.contextTokens}`,
      }
  }
  const mayGoOn = (taken: Taken): boolean => cutBy(withTries(course.spent, taken), limits) === null
  const mostMs = answerTime(course.spent, limits)
  const reply = await ask(call, { client: scope.client, now: parts.now, mostMs, mayGoOn }, signals.either)
  return reply.answer === null
    ? unanswered(reply, prompt, parts, course, signals)
    : answered(reply.answer, reply.asked, prompt, parts, course, signals)
}

function callOf(prompt: readonly PromptPart[], parts: AgentParts, course: Course): ModelCall {
  const rendered = renderPrompt(prompt, course.messages, course.summaries)
  const messages = parts.hasTools ? rendered : asPlainMessages(rendered)
  return {
    model: parts.model,
    messages: parts.wantsMarks ? withCacheMarks(messages) : messages,
    ...(parts.hasTools && { tools: agentTools }),
    ...parts.sampling,
    purpose: 'agent',
  }
}

/**
 * The model is asked again after an unusable answer; the agent ends if that can't help; otherwise the error is the
 * run's.
 */
function unanswered(
  { error, asked }: Extract<Reply, { answer: null }>,
  prompt: readonly PromptPart[],
  parts: AgentParts,
  course: Course,
  { signal }: Signals,
): Exit | null {
  if (error instanceof LimitInRetry) {
    ended('again', [], 'used')
    const cut = cutBy(course.spent, parts.limits)
    if (cut !== null) return cut
  }
  if (error instanceof TriesOutOfTime) {
    ended('again', [], 'used')
    return outOfTime(course.spent)
  }
  const fault = faultOf(error)
  if (fault.kind === 'exit') {
    const isSent = (asked.usage?.input_tokens ?? 0) > 0 || asked.cost_usd !== 0
    if (isSent) ended('again', [], 'used')
    return fault.exit
  }
  if (fault.kind !== 'again') return atDeadline(error, parts, signal).exit
  ended('again', [{ role: 'user', content: reminder(fault.why, parts) }], 'unusable')
  return null

  function ended(kind: Turn['kind'], messages: readonly Message[], result: 'used' | 'unusable'): void {
    parts.onTurn(course.end({ kind, messages, prompt, asked, execution_ms: null, result }))
  }
}

async function answered(
  answer: ModelAnswer,
  asked: Asked,
  prompt: readonly PromptPart[],
  parts: AgentParts,
  course: Course,
  { signal, either }: Signals,
): Promise<Exit | null> {
  const calls = parts.hasTools ? answer.tool_calls : callsInBlocks(answer.text, course.turns.length)
  const said = assistantMessage(answer, calls)
  const end = (
    messages: readonly Message[],
    rest: Pick<Parameters<Course['end']>[0], 'kind' | 'execution_ms' | 'result'>,
  ) => parts.onTurn(course.end({ messages: [said, ...messages], prompt, asked, ...rest }))
  if (calls.length === 0) {
    const why = answer.finish === 'length' ? 'Your answer was cut off: it was too long.' : 'Your answer calls no tool.'
    end([{ role: 'user', content: reminder(why, parts) }], { kind: 'again', execution_ms: null, result: 'unusable' })
    return null
  }
  const spent = { ...course.spent, inferenceMs: course.spent.inferenceMs + (asked.inference_ms ?? 0) }
  const { results, execution_ms, result, exit } = await runCommands(calls, {
    workplace: parts.workplace,
    scope: parts.scope,
    signal: either,
    timeLeft: used => commandTime({ ...spent, executionMs: spent.executionMs + used }, parts.limits),
  })
  end(results, { kind: result === 'unusable' ? 'again' : 'turn', execution_ms, result })
  signal.throwIfAborted()
  return exit
}

/** Unchanged: reasoning and the provider's own data are passed back. */
const assistantMessage = (answer: ModelAnswer, calls: ModelAnswer['tool_calls']): Message => ({
  ...{ role: 'assistant', content: answer.text },
  ...(calls.length > 0 && { tool_calls: calls }),
  ...(answer.reasoning.length > 0 && { reasoning: answer.reasoning }),
})

const reminder = (why: string, { hasTools }: AgentParts): string =>
  hasTools
    ? `${why} Call the tool bash to go on, or submit if the task is done.`
    : `${why} Write a command in a \`\`\`bash block to go on, or an empty \`\`\`submit block if the task is done.`
