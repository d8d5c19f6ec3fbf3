import * as z from 'zod'
import type { Message } from '../../../models/model-call.ts'
import type { PromptPart } from '../../../models/trajectory/trajectory.ts'
import { AssayError, messageOf } from '../../../util/errors.ts'
import { isJsonObject } from '../../../util/json.ts'
import type { History, Strategy } from './strategy.ts'

/** A user's own strategy returned an unusable answer. It is an error of the strategy, and says nothing about the agent. */
export class StrategyError extends AssayError {}

interface CheckedState {
  readonly own: unknown
  /** Summaries that it asked for since its last prompt. */
  readonly summaries: number
}

/** The same strategy, whose answers are checked: a provider's complaint about a broken prompt would look like the model's fault. */
export function checkedStrategy(strategy: Strategy, name: string, path: string): Strategy<CheckedState> {
  const fail = (message: string, cause?: unknown): never => {
    throw new StrategyError('config', `the strategy ${path} ${message}`, { cause })
  }
  function tried<T>(what: string, call: () => T): T {
    try {
      return call()
    } catch (error) {
      return fail(`failed in ${what}: ${messageOf(error)}`, error)
    }
  }
  return {
    name,
    start: () => ({ own: tried('start()', () => strategy.start()), summaries: 0 }),
    next(history, { own, summaries }) {
      const place = `next() after ${history.turns.length} turns`
      const given: unknown = tried(place, () => strategy.next(history, own))
      if (given instanceof Promise) return fail('returns a promise from next(): it must return its answer itself')
      const data = answerIn(given)
      if (typeof data === 'string') return fail(`returned no usable answer from ${place}: ${data}`)
      const problem = problemOf(data, history)
      if (problem !== null) return fail(`shows in its answer from ${place} ${problem}`)
      if (data.prompt !== undefined) return { prompt: data.prompt, state: { own: data.state, summaries: 0 } }
      // Even one for each turn is enough for everything: requests for more would never end.
      if (summaries > history.turns.length) return fail(`asks for a summary again and again, ${place}`)
      const { textOf, ...request } = data.summarise
      const summarise = { ...request, textOf: (said: string | null) => textIn(tried('textOf()', () => textOf(said))) }
      return { summarise, state: { own: data.state, summaries: summaries + 1 } }
    },
  }

  function textIn(text: unknown): string {
    return typeof text === 'string' ? text : fail(`returned no text from textOf(), but ${typeof text}`)
  }
}

const place = z.int().min(0)
const range = { from: place, to: place }
const message = z.custom<Message>(
  value =>
    isJsonObject(value) &&
    ['system', 'user', 'assistant', 'tool'].includes(String(value.role)) &&
    (typeof value.content === 'string' || Array.isArray(value.content)),
  'expected a message, { role, content }',
)
const part = z.lazy(() =>
  z.union(
    [
      z
        .strictObject({ ...range, masked: z.boolean().optional() })
        .transform(({ masked, ...from }): PromptPart => ({ ...from, ...(masked === true && { masked }) })),
      z.strictObject({ summary: place }),
      z.strictObject({ message }),
    ],
    'expected { from, to }, { from, to, masked: true }, { summary } or { message }',
  ),
)
const promptAnswer = z.lazy(() =>
  z.object({
    prompt: z.array(part, 'expected a list of parts').min(1, 'expected at least one part'),
    state: z.unknown().optional(),
  }),
)
const summaryAnswer = z.lazy(() =>
  z.object({
    summarise: z.object({
      ...range,
      ask: z.array(message).min(1).nullable(),
      textOf: z.custom<(said: string | null) => unknown>(value => typeof value === 'function', 'expected a function'),
    }),
    state: z.unknown().optional(),
  }),
)

type Answer =
  | (z.output<typeof promptAnswer> & { readonly summarise?: undefined })
  | (z.output<typeof summaryAnswer> & { readonly prompt?: undefined })

/** The answer, or its problem in words. */
function answerIn(given: unknown): Answer | string {
  const has = (key: string): boolean =>
    typeof given === 'object' && given !== null && Reflect.get(given, key) !== undefined
  if (has('prompt') === has('summarise')) return 'it must have one of both, prompt or summarise'
  const { data, error } = (has('prompt') ? promptAnswer : summaryAnswer).safeParse(given)
  if (data !== undefined) return data
  const [issue] = error.issues
  return `${issue?.path.join('.')}: ${issue?.message}`
}

/** The problem with ranges and pairs; null: none. */
function problemOf({ prompt, summarise }: Answer, history: History): string | null {
  const { messages, turns, summaries } = history
  if (summarise !== undefined) {
    const { from, to } = summarise
    return from < to && to <= turns.length ? null : `a summary of the turns ${from} to ${to}: there are ${turns.length}`
  }
  const awaited: string[] = []
  for (const part of prompt) {
    if ('summary' in part && part.summary >= summaries.length)
      return `the summary ${part.summary}: there are ${summaries.length}, counted from 0`
    if ('from' in part && (part.from > part.to || part.to > messages.length))
      return `the messages ${part.from} to ${part.to}: there are ${messages.length}`
    for (const message of messagesOf(part, messages)) {
      const unpaired = unpairedBy(message, awaited)
      if (unpaired !== null) return unpaired
    }
  }
  return awaited.length === 0 ? null : withoutResult(awaited)
}

function messagesOf(part: PromptPart, messages: readonly Message[]): readonly Message[] {
  if ('from' in part) return messages.slice(part.from, part.to)
  return 'message' in part ? [part.message] : [{ role: 'assistant', content: '' }]
}

/** Providers refuse calls without results, and results without calls. `awaited`: calls whose results must come next. */
function unpairedBy(message: Message, awaited: string[]): string | null {
  if (message.role === 'tool') {
    const at = awaited.indexOf(message.tool_call_id)
    if (at < 0) return `the result of the call ${message.tool_call_id} without that call`
    awaited.splice(at, 1)
    return null
  }
  if (awaited.length > 0) return withoutResult(awaited)
  if (message.role === 'assistant') awaited.push(...(message.tool_calls ?? []).map(({ id }) => id))
  return null
}

const withoutResult = ([id = '']: readonly string[]): string => `the call ${id} without its result`
