import { isJsonObject, type JsonObject } from '../../../../util/json.ts'
import type { AnswerEvent, Assembly, ReadAnswer } from '../api.ts'
import {
  callPart,
  numberIn,
  objectIn,
  objectsIn,
  parsedObject,
  reasoningPart,
  textIn,
  textPart,
  usageOf,
} from '../reading.ts'

/** An answer: a list of blocks, each a thought, a text or a call. */
export function messagesAnswer({ id, model, content, usage, stop_reason }: JsonObject): ReadAnswer {
  const raw = textIn(stop_reason)
  return {
    content: objectsIn(content).flatMap(partsOf),
    finish: { unified: finishes[raw] ?? 'other', raw },
    usage: isJsonObject(usage) ? usageIn(usage) : usageOf(null),
    model_id: textIn(model) || undefined,
    response_id: textIn(id) || undefined,
  }
}

const finishes: { readonly [reason: string]: ReadAnswer['finish']['unified'] } = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
}

function partsOf(block: JsonObject): ReadAnswer['content'] {
  switch (block.type) {
    case 'text':
      return [textPart(textIn(block.text))]
    case 'thinking':
      return [reasoningPart(textIn(block.thinking))]
    case 'redacted_thinking':
      return []
    case 'tool_use':
      return [callPart(textIn(block.id), textIn(block.name), JSON.stringify(block.input ?? {}))]
    default:
      return [callPart(textIn(block.id), textIn(block.type), JSON.stringify(block))]
  }
}

/**
 * Anthropic counts cache reads and writes separately from other input. If it shortened the conversation before
 * answering, the tokens of that are only reported among the steps (`iterations`).
 */
function usageIn(raw: JsonObject): ReadAnswer['usage'] {
  const steps = objectsIn(raw.iterations).filter(({ type }) => type === 'compaction' || type === 'message')
  const sum = (name: string): number | null =>
    steps.length > 0 && !objectsIn(raw.iterations).some(({ type }) => type === 'fallback_message')
      ? steps.reduce((all, step) => all + (numberIn(step[name]) ?? 0), 0)
      : numberIn(raw[name])
  const [fresh, read, written] = [
    sum('input_tokens'),
    numberIn(raw.cache_read_input_tokens) ?? 0,
    numberIn(raw.cache_creation_input_tokens) ?? 0,
  ]
  const thoughts = numberIn(objectIn(raw.output_tokens_details).thinking_tokens) ?? 0
  return usageOf(
    raw,
    { total: fresh === null ? null : fresh + read + written, read, written },
    { total: sum('output_tokens'), reasoning: thoughts },
  )
}

interface GrowingBlock {
  readonly begun: JsonObject
  text: string
}

/** Assembles the events of an answer. */
export class MessagesAssembly implements Assembly {
  readonly #blocks = new Map<number, GrowingBlock>()
  #message: JsonObject = {}
  #end: JsonObject | null = null
  #usage: JsonObject = {}
  #isOver = false
  error: JsonObject | null = null

  take({ name, json: event }: AnswerEvent): void {
    const index = numberIn(event.index) ?? 0
    switch (event.type ?? name) {
      case 'message_start':
        this.#message = objectIn(event.message)
        this.#usage = objectIn(this.#message.usage)
        return
      case 'content_block_start':
        this.#blocks.set(index, { begun: objectIn(event.content_block), text: '' })
        return
      case 'content_block_delta': {
        const block = this.#blocks.get(index)
        const delta = objectIn(event.delta)
        if (block !== undefined)
          block.text += textIn(delta.text) || textIn(delta.thinking) || textIn(delta.partial_json)
        return
      }
      case 'message_delta':
        this.#end = { ...this.#end, ...objectIn(event.delta) }
        this.#usage = { ...this.#usage, ...told(objectIn(event.usage)) }
        return
      case 'message_stop':
        this.#isOver = true
        return
      case 'error':
        this.error ??= objectIn(event.error)
    }
  }

  get isFinished(): boolean {
    return typeof this.#end?.stop_reason === 'string'
  }

  get isComplete(): boolean {
    return this.isFinished || this.#isOver
  }

  get body(): JsonObject | null {
    if (!this.isComplete) return null
    const content = [...this.#blocks.values()].map(wholeBlock)
    return { ...this.#message, ...this.#end, content, usage: this.#usage }
  }
}

/** The last count is valid; values that are not repeated stay. */
const told = (usage: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null))

function wholeBlock({ begun, text }: GrowingBlock): JsonObject {
  switch (begun.type) {
    case 'text':
      return { ...begun, text: textIn(begun.text) + text }
    case 'thinking':
      return { ...begun, thinking: textIn(begun.thinking) + text }
    case 'tool_use':
      return { ...begun, input: text === '' ? objectIn(begun.input) : parsedObject(text) }
    default:
      return begun
  }
}
