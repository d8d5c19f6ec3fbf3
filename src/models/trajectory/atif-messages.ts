import {
  type Content,
  type ContentPart,
  type Message,
  type ReasoningPart,
  type ToolCall,
  wordsIn,
} from '../model-call.ts'
import { type AtifContent, type AtifResult, type AtifStep, callExtra, resultExtra, stepExtra } from './atif-schema.ts'
import { parsedFile, UnreadableTrajectory } from './parsed-file.ts'

/** The messages of a step: the words, then the results of its tools. */
export function messagesOfStep(step: AtifStep): readonly Message[] {
  const { cache, parts, reasoning } = step.extra?.assay === undefined ? {} : parsedFile(stepExtra, step.extra.assay)
  const mark = cache === undefined ? {} : { cache }
  const content = contentOf(step.message ?? '', parts)
  const results = step.observation?.results ?? []
  if (step.source === 'user')
    return [{ role: 'user', content, ...mark }, ...results.map(result => observed(result, []))]
  if (step.source === 'system') {
    const isEmpty = content === '' && results.length > 0
    const said: readonly Message[] = isEmpty ? [] : [{ role: 'system', content: wordsIn(content), ...mark }]
    return [...said, ...results.map(result => observed(result, []))]
  }
  const calls = step.tool_calls?.map(callOf)
  const thoughts = reasoningOf(step.reasoning_content ?? null, reasoning)
  const answer: Message = {
    ...{ role: 'assistant', content: wordsIn(content) },
    ...(calls !== undefined && { tool_calls: calls }),
    ...(thoughts !== null && { reasoning: thoughts }),
    ...mark,
  }
  return [answer, ...results.map(result => observed(result, calls ?? []))]
}

function callOf({
  tool_call_id: id,
  function_name: name,
  arguments: given,
  extra,
}: NonNullable<AtifStep['tool_calls']>[number]): ToolCall {
  const own = extra?.assay === undefined ? {} : parsedFile(callExtra, extra.assay)
  return { id, name, arguments: given, ...own }
}

/** A result without a call is a message from the environment. */
function observed(result: AtifResult, calls: readonly ToolCall[]): Message {
  const { parts, name, tool_call_id, is_error, cache } =
    result.extra?.assay === undefined ? {} : parsedFile(resultExtra, result.extra.assay)
  const content = contentOf(result.content ?? '', parts)
  const id = result.source_call_id ?? tool_call_id
  if (id == null) return { role: 'user', content, ...(cache !== undefined && { cache }) }
  const called = calls.find(call => call.id === id)
  if (called === undefined && name === undefined)
    throw new UnreadableTrajectory(`a result refers to the call ${JSON.stringify(id)}, which its step does not make`)
  return {
    ...{ role: 'tool', tool_call_id: id, name: name ?? called?.name ?? '', content },
    ...(is_error !== undefined && { is_error }),
    ...(cache !== undefined && { cache }),
  }
}

type StoredParts = ReturnType<typeof stepExtra.parse>['parts']

function contentOf(content: AtifContent, stored: StoredParts): Content {
  if (typeof content === 'string') return content
  const own = new Map(stored)
  return content.map((part, at): ContentPart => {
    const kept = own.get(at)
    if (kept !== undefined) return kept
    if (part.type === 'text') return { type: 'text', text: part.text }
    const { media_type, path } = part.source
    const start = `data:${media_type};base64,`
    if (path.startsWith(start)) return { type: 'image', media_type, data: path.slice(start.length) }
    return { type: 'image', media_type, url: path }
  })
}

type StoredReasoning = ReturnType<typeof stepExtra.parse>['reasoning']

/** null: there was none. */
function reasoningOf(text: string | null, stored: StoredReasoning): readonly ReasoningPart[] | null {
  if (stored === undefined) return text === null ? null : [{ text }]
  let at = 0
  return stored.map(({ length, provider_data }) => {
    const from = at
    at += length
    return { text: (text ?? '').slice(from, at), ...(provider_data !== undefined && { provider_data }) }
  })
}
