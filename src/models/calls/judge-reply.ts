import { messageOf } from '../../util/errors.ts'
import { schemaCheck } from '../../util/json-schema.ts'
import type { ModelCall } from '../model-call.ts'
import { ModelError } from '../model-error.ts'
import type { Reply, TransportRequest } from '../providers/transport.ts'
import type { Route } from '../route.ts'

/** Whether a reply is an answer. The parsed one where a schema was given; rejects with a ModelError otherwise. */
export function judgeReply(reply: Reply, request: TransportRequest): unknown {
  const { name, provider } = request.route
  const fail = (fault: ModelError['fault'], message: string): ModelError =>
    new ModelError(fault, `${name}: ${message}`, { model: name, provider, cost: 'as_used' })
  const isEmpty = reply.text.trim() === '' && reply.tool_calls.length === 0
  if (reply.finish === 'content_filter')
    throw fail('content_filtered', "the answer was held back by the provider's filter")
  if (isEmpty && reply.finish === 'length')
    throw fail('empty_answer', `all ${request.max_output_tokens} output tokens were used up before it answered`)
  if (isEmpty) throw fail('empty_answer', 'the answer is empty')
  const misused = misusedTools(reply, request)
  if (misused !== null) throw fail('malformed_answer', misused)
  if (request.schema === undefined || reply.tool_calls.length > 0) return undefined
  const problem = (what: string): ModelError =>
    fail('malformed_answer', `the answer is not what the schema asks for: ${what}; it begins ${brief(reply.text)}`)
  const value = parsed(reply.text, problem)
  const wrong = schemaCheck(request.schema)(value)
  if (wrong !== null) throw problem(wrong)
  return value
}

/** Servers may accept a call's settings about tools and ignore them; packages may omit them with thinking models. */
function misusedTools(
  { tool_calls, finish }: Reply,
  { tools = [], tool_choice: choice = 'auto', parallel_tool_calls }: TransportRequest,
): string | null {
  if (tools.length === 0) return null
  const called = [...new Set(tool_calls.map(({ name }) => name))].join(', ')
  if (choice === 'none' && called !== '') return `it called ${called}, although tool_choice is "none"`
  // A truncated answer had no room for the call.
  if (choice === 'required' && called === '' && finish !== 'length')
    return 'it called no tool, although tool_choice is "required"'
  if (typeof choice === 'object' && called !== choice.tool && finish !== 'length')
    return `it called ${called || 'no tool'}, although tool_choice wants ${choice.tool}`
  if (parallel_tool_calls === false && tool_calls.length > 1)
    return `it called ${tool_calls.length} tools at once (${called}), although parallel_tool_calls is false`
  return null
}

/** Before anything is paid for: refuses a schema that can't be used for validation. */
export function checkSchema({ schema }: ModelCall, { name, provider }: Route): void {
  if (schema === undefined) return
  try {
    schemaCheck(schema)
  } catch (error) {
    throw new ModelError('bad_request', `${name}: the schema of the answer is not understood: ${messageOf(error)}`, {
      model: name,
      provider,
      cost: 'nothing',
    })
  }
}

/** Models like to wrap JSON in a fence, whatever the prompt says. */
function parsed(text: string, problem: (what: string) => ModelError): unknown {
  const bare = /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(text)?.[1] ?? text
  try {
    return JSON.parse(bare)
  } catch (error) {
    throw problem(messageOf(error))
  }
}

const brief = (text: string): string => JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 79)}…`)
