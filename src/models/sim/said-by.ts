import type { SimStep, SimToolCall } from '../../define/models/model-settings.ts'
import { sha256 } from '../../util/hash.ts'
import type { Random } from '../../util/random.ts'
import { type Tool, type ToolCall, wordsIn } from '../model-call.ts'
import { fillJson, fillTemplate, type TemplateValues } from './fill-template.ts'
import { type FittingRule, joined, lastResults, turnOf } from './fitting-rule.ts'
import { jsonForSchema } from './schema/json-for-schema.ts'
import type { SimCall } from './sim-call.ts'
import { SimRefused } from './sim-refused.ts'

/** Reasoning, text and tool calls, before they are measured. */
export interface Said {
  readonly reasoning: string
  readonly text: string
  readonly tool_calls: readonly ToolCall[]
}

/** A rule's answer, or an arbitrary one; restricted to the tools that the call allows. */
export function saidBy(found: FittingRule | null, call: SimCall, { random, asked, size }: SaidFrom): Said {
  const { step = {}, groups = {}, is_literal = false } = found ?? {}
  const values: TemplateValues = { words: { ...wordsOf(call), ...groups }, random }
  const written = callsIn(step).map(({ name, arguments: given }) => ({
    name,
    arguments: is_literal ? given : fillJson(given, values),
  }))
  const wanted = chosenCalls(written, call, random)
  const tool_calls = wanted.map(
    (one, index): ToolCall => ({
      id: `call_${sha256(`${asked} ${call.seed} ${index}`).slice(0, 24)}`,
      name: one.name,
      // Filling a map gives a map, and parameters describe one.
      arguments: one.arguments as ToolCall['arguments'],
    }),
  )
  // A model that is forced to call a tool writes no text before it.
  const isForced = call.tool_choice === 'required' || typeof call.tool_choice === 'object'
  const text = isForced
    ? ''
    : ((is_literal ? step.answer : textBy(step, values)) ??
      (tool_calls.length > 0 ? '' : defaultText(call, random, size)))
  return { reasoning: thoughts(step, call, values), text, tool_calls }
}

interface SaidFrom {
  readonly random: Random
  readonly asked: string
  /** Tokens of an answer without text. */
  readonly size: number
}

const callsIn = ({ tool, tools = [] }: SimStep): readonly SimToolCall[] => (tool === undefined ? tools : [tool])

type WantedCall = { readonly name: string; readonly arguments: unknown }

/** As `tool_choice` and `parallel_tool_calls` have it; a call that is forced and that no rule wrote is made up. */
function chosenCalls(written: readonly WantedCall[], call: SimCall, random: Random): readonly WantedCall[] {
  const { tools = [], tool_choice = 'auto', parallel_tool_calls = true } = call
  if (tool_choice === 'none') return []
  for (const { name } of written) {
    if (tools.some(tool => tool.name === name)) continue
    const offered = tools.length === 0 ? 'none' : tools.map(tool => tool.name).join(', ')
    throw new SimRefused(
      `a rule of ${call.model} calls the tool ${name}, which the call does not offer (offered: ${offered})`,
    )
  }
  const allowed = typeof tool_choice === 'string' ? written : written.filter(({ name }) => name === tool_choice.tool)
  const isForced = tool_choice !== 'auto'
  const wanted = allowed.length === 0 && isForced ? [madeUp(forcedTool(call), random)] : allowed
  return parallel_tool_calls ? wanted : wanted.slice(0, 1)
}

function forcedTool({ tools = [], tool_choice }: SimCall): Tool {
  const tool = typeof tool_choice === 'object' ? tools.find(({ name }) => name === tool_choice.tool) : tools[0]
  if (tool !== undefined) return tool
  throw new SimRefused(
    typeof tool_choice === 'object'
      ? `tool_choice names the tool ${tool_choice.tool}, which the call does not offer`
      : 'tool_choice requires a tool, and the call offers none',
  )
}

const madeUp = ({ name, parameters }: Tool, random: Random): WantedCall => ({
  name,
  arguments: jsonForSchema({ type: 'object', ...parameters }, random),
})

/** null: the rule has no text. */
function textBy({ answer, one_of, json }: SimStep, values: TemplateValues): string | null {
  if (json !== undefined) return JSON.stringify(fillJson(json, values))
  if (answer !== undefined) return fillTemplate(answer, values)
  if (one_of === undefined) return null
  return fillTemplate(one_of[values.random.integer(0, one_of.length - 1)] ?? '', values)
}

function defaultText({ schema }: SimCall, random: Random, size: number): string {
  // Schemas come as plain data.
  return schema === undefined ? filler(size, random) : JSON.stringify(jsonForSchema(schema as never, random))
}

function thoughts({ reasoning }: SimStep, { thinks }: SimCall, values: TemplateValues): string {
  if (thinks === false) return ''
  if (reasoning !== undefined) return fillTemplate(reasoning, values)
  return thinks === true ? filler(8, values.random) : ''
}

const wordsOf = ({ messages, model, seed }: SimCall): TemplateValues['words'] => ({
  last: wordsIn(messages.at(-1)?.content ?? ''),
  prompt: wordsIn(messages.findLast(message => message.role === 'user')?.content ?? ''),
  result: joined(lastResults(messages)),
  model,
  seed: String(seed),
  turn: String(turnOf(messages)),
})

const fillerWords = 'we would first look at what is known then weigh both sides and settle on a plan that holds'.split(
  ' ',
)

function filler(tokens: number, random: Random): string {
  const words: string[] = []
  for (let length = 0; length < tokens * 4; ) {
    const word = fillerWords[random.integer(0, fillerWords.length - 1)] ?? ''
    words.push(word)
    length += word.length + 1
  }
  return `${words.join(' ')}.`
}
