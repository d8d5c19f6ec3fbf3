import type { JsonObject } from '../../util/json.ts'
import { type MediaPart, type ModelCall, mediaIn } from '../model-call.ts'
import { ModelError } from '../model-error.ts'
import { providers } from '../names/known-names.ts'
import type { Route } from '../route.ts'

/**
 * Before anything is paid for: refuses by name what contradicts itself, and what a provider does not support. The
 * packages of the providers would leave it out, or send something else in its place.
 */
export function refuseUnsupported(call: ModelCall, route: Route): void {
  const problem = problemOf(call, route)
  if (problem === null) return
  const { what, hint } = problem
  throw new ModelError('bad_request', `${route.name}: ${what}`, {
    model: route.name,
    provider: route.provider,
    cost: 'nothing',
    hint,
  })
}

/** The parts of a call that are not sent, although this only costs money; null: everything is sent. */
export function unsentNote({ messages }: ModelCall, route: Route): string | null {
  if (takesMarks(route) || route.kind === 'sim' || messages.every(({ cache }) => cache === undefined)) return null
  return `${route.name}: ${titleOf(route)} takes no cache marks (most providers cache prompts by themselves), so they are not sent`
}

interface Refusal {
  readonly what: string
  readonly hint?: string
}

function problemOf(call: ModelCall, route: Route): Refusal | null {
  return toolProblem(call, route) ?? markProblem(call, route) ?? mediaProblem(call, route)
}

function toolProblem(
  { tools = [], tool_choice: choice, parallel_tool_calls }: ModelCall,
  route: Route,
): Refusal | null {
  const names = tools.map(({ name }) => name)
  if (typeof choice === 'object' && !names.includes(choice.tool)) {
    const offered = names.length === 0 ? 'the call has no tools' : `its tools are ${names.join(', ')}`
    return { what: `tool_choice wants "${choice.tool}", but ${offered}` }
  }
  if (choice === 'required' && names.length === 0)
    return { what: 'tool_choice is "required", but the call has no tools' }
  if (parallel_tool_calls === false && names.length > 0 && !canForbidParallel(route))
    return {
      what: `${titleOf(route)} has no way to forbid parallel tool calls`,
      hint: 'leave parallel_tool_calls out, and answer every call of a tool that comes',
    }
  return null
}

/** Whether `parallel_tool_calls: false` is supported; see {@link callOptions}. */
const canForbidParallel = ({ kind, model }: Route): boolean =>
  kind !== 'google' && kind !== 'vertex' && (kind !== 'bedrock' || isAnthropic(model))

const isAnthropic = (model: string): boolean => model.includes('anthropic')

/** The settings of a call that only the options of a provider's package can carry. */
export function callOptions(
  { parallel_tool_calls, tools = [] }: ModelCall,
  { kind, model, provider }: Route,
): { readonly [packageName: string]: JsonObject } {
  if (parallel_tool_calls === undefined || tools.length === 0) return {}
  switch (kind) {
    case 'openai':
      return { openai: { parallelToolCalls: parallel_tool_calls } }
    case 'anthropic':
      return { anthropic: { disableParallelToolUse: !parallel_tool_calls } }
    case 'bedrock':
      return isAnthropic(model) ? { anthropic: { disableParallelToolUse: !parallel_tool_calls } } : {}
    case 'openrouter':
      return { openrouter: { parallel_tool_calls } }
    case 'openai-compatible':
      return { [provider]: { parallel_tool_calls } }
    default:
      return {}
  }
}

export const takesMarks = ({ kind, setting }: Route): boolean =>
  ['anthropic', 'bedrock', 'openrouter'].includes(kind) || (kind === 'sim' && setting.tokens?.cached === 'marked')

/** As many as Anthropic accepts; its package drops any further ones. */
const mostMarks = 4

function markProblem({ messages }: ModelCall, route: Route): Refusal | null {
  const marks = messages.filter(({ cache }) => cache !== undefined).length
  if (!takesMarks(route) || marks <= mostMarks) return null
  return {
    what: `${marks} messages have a cache mark, and ${titleOf(route)} takes ${mostMarks}`,
    hint: 'mark the end of what stays the same: the system prompt, and the last message or two',
  }
}

function mediaProblem({ messages }: ModelCall, route: Route): Refusal | null {
  for (const message of messages)
    for (const part of mediaIn(message)) {
      const problem = partProblem(part, message.role === 'tool' ? message : null, route)
      if (problem !== null) return problem
    }
  return null
}

function partProblem(
  part: MediaPart,
  result: { readonly name: string; readonly is_error?: boolean | undefined } | null,
  route: Route,
): Refusal | null {
  const { type, media_type } = part
  const what = `${type === 'image' ? 'an' : 'a'} ${type} part (${media_type})`
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(media_type)) return { what: `"${media_type}" is not a media type such as image/png` }
  if (type === 'image' && !media_type.startsWith('image/'))
    return { what: `${what} is no picture`, hint: 'its type is "file"' }
  if ('url' in part && !URL.canParse(part.url)) return { what: `${what} has "${part.url}" as its url, which is none` }
  if (result?.is_error === true)
    return { what: `the result of ${result.name} is an error with ${what}; errors are texts` }
  if (result !== null && isTextOnlyInTools(route))
    return {
      what: `${titleOf(route)} takes no ${type}s in the result of a tool, and ${result.name} has one`,
      hint: 'answer the tool with a text, and add the part in a user message after it',
    }
  if ('url' in part && media_type.startsWith('text/') && route.kind === 'openai-compatible')
    return { what: `${titleOf(route)} reads no texts from addresses`, hint: 'send its content: data in base64' }
  return null
}

const isTextOnlyInTools = ({ kind, setting }: Route): boolean =>
  kind === 'openai-compatible' || (kind === 'openai' && setting.api !== 'responses')

const titleOf = ({ provider, address }: Route): string =>
  (provider === 'openai-compatible' ? address : providers[provider]?.title) ?? provider
