import type { Tool, ToolCall } from '../../../models/model-call.ts'
import { canonicalJson, isJsonObject, type Json } from '../../../util/json.ts'
import { schemaCheck } from '../../../util/json-schema.ts'
import { textOf } from '../templates/template.ts'

interface ToolFinding {
  readonly score: number
  readonly passed: boolean
  readonly reason: string
}

const finding = (passed: boolean, reason: string): ToolFinding => ({ score: Number(passed), passed, reason })

/** Whether a tool of this name was called: `value: search`, or `{ name: search, arguments: { q: Peru } }` with at least these. */
export function callsTool(calls: readonly ToolCall[], value: Json): ToolFinding {
  const wanted = isJsonObject(value) ? value : { name: value }
  const name = textOf(wanted.name ?? '')
  const named = calls.filter(call => call.name === name)
  const said = calls.length === 0 ? 'no tool was called' : `called: ${calls.map(call => call.name).join(', ')}`
  if (named.length === 0) return finding(false, `${name} was not called; ${said}`)
  const expected = wanted.arguments
  if (!isJsonObject(expected)) return finding(true, `${name} was called`)
  const isGiven = named.some(call =>
    Object.entries(expected).every(([key, item]) => canonicalJson(call.arguments[key] ?? null) === canonicalJson(item)),
  )
  const given = named.map(call => canonicalJson(call.arguments)).join(' and ')
  return finding(isGiven, `${name} was called with ${given}${isGiven ? '' : `, expected ${canonicalJson(expected)}`}`)
}

/** Whether every call is for an offered tool, with arguments that satisfy its schema. */
export function areValidCalls(calls: readonly ToolCall[], tools: readonly Tool[]): ToolFinding {
  if (calls.length === 0) return finding(false, 'no tool was called')
  for (const { name, arguments: given } of calls) {
    const tool = tools.find(one => one.name === name)
    if (tool === undefined) return finding(false, `${name} was called, but was not offered`)
    const problem = schemaCheck(tool.parameters)(given)
    if (problem !== null) return finding(false, `${name} was called with wrong arguments: ${problem}`)
  }
  return finding(true, `called: ${calls.map(call => call.name).join(', ')}`)
}

/** How well the names of the called tools match the expected ones: the F1 score of the two sets. */
export function toolF1(calls: readonly ToolCall[], value: Json, threshold = 1): ToolFinding {
  const expected = new Set(
    Array.isArray(value)
      ? value.map(textOf)
      : textOf(value)
          .split(',')
          .map(one => one.trim()),
  )
  const called = new Set(calls.map(call => call.name))
  const hits = [...called].filter(name => expected.has(name)).length
  const score = called.size + expected.size === 0 ? 1 : (2 * hits) / (called.size + expected.size)
  const said = called.size === 0 ? 'none' : [...called].join(', ')
  return { score, passed: score >= threshold, reason: `called ${said}; expected ${[...expected].join(', ')}` }
}
