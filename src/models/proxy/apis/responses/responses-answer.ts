import { isJsonObject, type JsonObject } from '../../../../util/json.ts'
import type { AnswerEvent, Assembly, ReadAnswer } from '../api.ts'
import { callPart, numberIn, objectIn, objectsIn, reasoningPart, textIn, textPart, usageOf } from '../reading.ts'

/** A response: a list of items, each a thought, a text or a call. */
export function responsesAnswer(body: JsonObject): ReadAnswer {
  const { id, model, output, usage, status } = body
  const content = objectsIn(output).flatMap(partsOf)
  const raw = textIn(objectIn(body.incomplete_details).reason) || textIn(status)
  const isCalling = content.some(({ type }) => type === 'tool-call')
  const used = objectIn(usage)
  return {
    content,
    finish: { unified: finishes[raw] ?? (isCalling ? 'tool-calls' : 'stop'), raw },
    usage: isJsonObject(usage)
      ? usageOf(
          usage,
          {
            total: numberIn(used.input_tokens),
            read: numberIn(objectIn(used.input_tokens_details).cached_tokens) ?? 0,
          },
          {
            total: numberIn(used.output_tokens),
            reasoning: numberIn(objectIn(used.output_tokens_details).reasoning_tokens) ?? 0,
          },
        )
      : usageOf(null),
    model_id: textIn(model) || undefined,
    response_id: textIn(id) || undefined,
  }
}

const finishes: { readonly [reason: string]: ReadAnswer['finish']['unified'] } = {
  max_output_tokens: 'length',
  content_filter: 'content-filter',
  failed: 'error',
  cancelled: 'other',
}

function partsOf(item: JsonObject): ReadAnswer['content'] {
  switch (item.type) {
    case 'message':
      return objectsIn(item.content).map(({ text, refusal }) => textPart(textIn(text) || textIn(refusal)))
    case 'reasoning':
      return [reasoningPart(summaryOf(item))]
    case 'function_call':
      return [callPart(textIn(item.call_id), textIn(item.name), textIn(item.arguments))]
    case 'custom_tool_call':
      return [callPart(textIn(item.call_id), textIn(item.name), JSON.stringify({ input: item.input ?? '' }))]
    default: {
      const { type, call_id, id, ...given } = item
      return [callPart(textIn(call_id) || textIn(id), textIn(type), JSON.stringify(given))]
    }
  }
}

/** The part of the reasoning that its provider shows. */
export const summaryOf = ({ summary, content }: JsonObject): string =>
  [...objectsIn(content), ...objectsIn(summary)].map(({ text }) => textIn(text)).join('\n')

/** The events of a response: the last one contains all of it. */
export class ResponsesAssembly implements Assembly {
  readonly #items: JsonObject[] = []
  #response: JsonObject | null = null
  error: JsonObject | null = null

  take(taken: AnswerEvent): void {
    const { name, data } = taken
    // Most events only bring a few more letters, which are not worth reading: the last one has them all.
    if (name?.endsWith('.delta') || data === '[DONE]') return
    const event = taken.json
    switch (event.type ?? name) {
      case 'response.output_item.done':
        if (isJsonObject(event.item)) this.#items.push(event.item)
        return
      case 'response.completed':
      case 'response.incomplete':
        this.#response = objectIn(event.response)
        return
      case 'response.failed':
        this.#response = objectIn(event.response)
        this.error ??= { message: 'the response failed', ...objectIn(this.#response.error) }
        return
      case 'error':
        this.error ??= isJsonObject(event.error) ? event.error : event
    }
  }

  get isFinished(): boolean {
    return this.#response !== null
  }

  get isComplete(): boolean {
    return this.isFinished
  }

  /** Some servers leave the items out of the last event. */
  get body(): JsonObject | null {
    if (this.#response === null) return null
    const { output } = this.#response
    return Array.isArray(output) && output.length > 0 ? this.#response : { ...this.#response, output: this.#items }
  }
}
