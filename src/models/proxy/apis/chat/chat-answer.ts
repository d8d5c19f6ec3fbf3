import { isJsonObject, type JsonObject } from '../../../../util/json.ts'
import type { AnswerEvent, Assembly, ReadAnswer } from '../api.ts'
import { callPart, objectIn, objectsIn, reasoningPart, textIn, textPart, usageOf } from '../reading.ts'

/** A completion; the first of several choices represents all. */
export function chatAnswer({ id, model, choices, usage }: JsonObject): ReadAnswer {
  const choice = objectsIn(choices)[0] ?? {}
  const message = objectIn(choice.message)
  const thought = textIn(message.reasoning_content) || textIn(message.reasoning)
  const text = textIn(message.content) || textIn(message.refusal)
  const raw = textIn(choice.finish_reason)
  return {
    content: [
      ...(thought === '' ? [] : [reasoningPart(thought)]),
      ...(text === '' ? [] : [textPart(text)]),
      ...objectsIn(message.tool_calls).map(call => {
        const named = isJsonObject(call.function) ? call.function : objectIn(call.custom)
        const input = isJsonObject(call.function) ? textIn(named.arguments) : JSON.stringify({ input: named.input })
        return callPart(textIn(call.id), textIn(named.name), input)
      }),
    ],
    finish: { unified: finishes[raw] ?? 'other', raw },
    usage: usageOf(isJsonObject(usage) ? usage : null),
    model_id: textIn(model) || undefined,
    response_id: textIn(id) || undefined,
  }
}

const finishes: { readonly [reason: string]: ReadAnswer['finish']['unified'] } = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
}

interface GrowingCall {
  id: string
  type: string
  name: string
  written: string
}

interface GrowingChoice {
  content: string
  reasoning_content: string
  readonly tool_calls: Map<number, GrowingCall>
  finish_reason: string | null
}

/** Assembles the chunks of a completion. */
export class ChatAssembly implements Assembly {
  readonly #choices = new Map<number, GrowingChoice>()
  #head: JsonObject = {}
  #usage: JsonObject | null = null
  #isOver = false
  error: JsonObject | null = null

  take({ data, json: chunk }: AnswerEvent): void {
    if (data === '[DONE]') {
      this.#isOver = true
      return
    }
    if (isJsonObject(chunk.error)) this.error ??= chunk.error
    if (isJsonObject(chunk.usage)) this.#usage = chunk.usage
    const { id, model } = chunk
    this.#head = { ...(id !== undefined && { id }), ...(model !== undefined && { model }), ...this.#head }
    for (const choice of objectsIn(chunk.choices)) this.#grow(choice)
  }

  get isFinished(): boolean {
    return this.#choices.size > 0 && [...this.#choices.values()].every(choice => choice.finish_reason !== null)
  }

  get isComplete(): boolean {
    return this.isFinished && (this.#usage !== null || this.#isOver)
  }

  get body(): JsonObject | null {
    if (!this.isFinished) return null
    const choices = [...this.#choices].map(([index, { tool_calls, finish_reason, ...said }]) => ({
      index,
      finish_reason,
      message: { ...said, tool_calls: [...tool_calls.values()].map(wholeCall) },
    }))
    return { ...this.#head, choices, ...(this.#usage !== null && { usage: this.#usage }) }
  }

  #grow({ index, delta, finish_reason }: JsonObject): void {
    const at = typeof index === 'number' ? index : 0
    const choice = this.#choices.get(at) ?? newChoice()
    this.#choices.set(at, choice)
    const added = objectIn(delta)
    choice.content += textIn(added.content) || textIn(added.refusal)
    choice.reasoning_content += textIn(added.reasoning_content) || textIn(added.reasoning)
    for (const call of objectsIn(added.tool_calls)) growCall(choice.tool_calls, call)
    if (typeof finish_reason === 'string') choice.finish_reason = finish_reason
  }
}

const newChoice = (): GrowingChoice => ({
  content: '',
  reasoning_content: '',
  tool_calls: new Map(),
  finish_reason: null,
})

/** Some servers give no index; a call without one but with an id is a new call. */
function growCall(calls: Map<number, GrowingCall>, part: JsonObject): void {
  const at =
    typeof part.index === 'number' ? part.index : part.id === undefined ? Math.max(0, calls.size - 1) : calls.size
  const call = calls.get(at) ?? { id: '', type: 'function', name: '', written: '' }
  calls.set(at, call)
  const named = isJsonObject(part.function) ? part.function : objectIn(part.custom)
  if (isJsonObject(part.custom)) call.type = 'custom'
  call.id ||= textIn(part.id)
  call.name ||= textIn(named.name)
  call.written += textIn(named.arguments) || textIn(named.input)
}

const wholeCall = ({ id, type, name, written }: GrowingCall): JsonObject =>
  type === 'custom'
    ? { id, type, custom: { name, input: written } }
    : { id, type, function: { name, arguments: written } }
