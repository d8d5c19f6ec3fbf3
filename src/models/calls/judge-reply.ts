import * as z from 'zod'
import { messageOf } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
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
  const result = validatorFor(request.schema).safeParse(value)
  if (!result.success) throw problem(firstIssue(result.error))
  return value
}

/** Servers may take what a call says about tools, and do nothing with it; packages may leave it out with thinking models. */
function misusedTools(
  { tool_calls, finish }: Reply,
  { tools = [], tool_choice: choice = 'auto', parallel_tool_calls }: TransportRequest,
): string | null {
  if (tools.length === 0) return null
  const called = [...new Set(tool_calls.map(({ name }) => name))].join(', ')
  if (choice === 'none' && called !== '') return `it called ${called}, although tool_choice is "none"`
  // An answer that was cut had no room for the call.
  if (choice === 'required' && called === '' && finish !== 'length')
    return 'it called no tool, although tool_choice is "required"'
  if (typeof choice === 'object' && called !== choice.tool && finish !== 'length')
    return `it called ${called || 'no tool'}, although tool_choice wants ${choice.tool}`
  if (parallel_tool_calls === false && tool_calls.length > 1)
    return `it called ${tool_calls.length} tools at once (${called}), although parallel_tool_calls is false`
  return null
}

/** Before anything is paid for: a schema that nobody can check an answer against is refused. */
export function checkSchema({ schema }: ModelCall, { name, provider }: Route): void {
  if (schema === undefined) return
  try {
    validatorFor(schema)
  } catch (error) {
    throw new ModelError('bad_request', `${name}: the schema of the answer is not understood: ${messageOf(error)}`, {
      model: name,
      provider,
      cost: 'nothing',
    })
  }
}

/** Models like to wrap JSON in a fence, whatever they are told. */
function parsed(text: string, problem: (what: string) => ModelError): unknown {
  const bare = /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(text)?.[1] ?? text
  try {
    return JSON.parse(bare)
  } catch (error) {
    throw problem(messageOf(error))
  }
}

function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues
  if (issue === undefined) return 'it does not satisfy it'
  const path = issue.path.map(String).join('.')
  return path === '' ? issue.message : `${path}: ${issue.message}`
}

const brief = (text: string): string => JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 79)}…`)

const validators = new WeakMap<JsonObject, z.ZodType>()

function validatorFor(schema: JsonObject): z.ZodType {
  const known = validators.get(schema)
  if (known !== undefined) return known
  // A JSON Schema is plain data of many forms, which zod's type spells out; what it can't read it refuses here.
  const made = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  validators.set(schema, made)
  return made
}
