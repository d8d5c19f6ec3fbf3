import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readTrace, type TraceLine } from '../../models/trace/read-trace.ts'
import { readRegular } from '../../util/files.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { TraceMessage, TraceScore, TraceTurn } from '../dataset/dataset.ts'
import type { FilesOfRuns } from './run-files.ts'
import { spanTree } from './span-tree.ts'

/** Characters of traces in the whole file, and of one; longer ones stay in the run's folder. */
const mostOfAll = 600_000
const mostOfOne = 120_000

const traceFile = 'trace.jsonl'

/** A larger trace is not even read. */
const mostBytes = 64 * 1024 * 1024

interface TracesOfRuns {
  readonly turns: readonly (readonly TraceTurn[])[]
  /** How many runs have a trace at all. */
  readonly traced: number
}

/** The model calls that runs recorded in `trace.jsonl`. */
export function tracesOf(folders: readonly (string | null)[], files: FilesOfRuns['lists']): TracesOfRuns {
  let room = mostOfAll
  let traced = 0
  const turns = folders.map((folder, at) => {
    const file = folder === null ? null : join(folder, traceFile)
    const listed = files[at]
    if (file === null || !(listed?.some(({ path }) => path === traceFile) ?? existsSync(file))) return []
    traced++
    if (room <= 0 || statSync(file).size > mostBytes) return []
    const kept = fitting(readRegular(file) ?? '')
    room -= JSON.stringify(kept).length
    return kept
  })
  return { turns, traced }
}

/** As many turns as fit, from the first. */
function fitting(text: string): readonly TraceTurn[] {
  const turns: TraceTurn[] = []
  let room = mostOfOne
  for (const turn of turnsOf(readTrace(text), mostOfOne)) {
    room -= JSON.stringify(turn).length
    if (room < 0) break
    turns.push(turn)
  }
  return turns
}

/** Of a longer text, the beginning is shown. */
const mostOfText = 4000

/**
 * The spans of a run as turns, each after its parent. An agent sends its whole conversation again with each call: only
 * what is new since the last one is kept. A turn whose texts are longer than `room` has just enough of them to show
 * that.
 */
export function* turnsOf(lines: Iterable<TraceLine>, room: number): Generator<TraceTurn> {
  const before = new Map<string, readonly Json[]>()
  for (const { span, depth } of spanTree(lines)) {
    const { stored, list, origin } = span
    const facts = attributesOf(stored)
    const messages = list('gen_ai.input.messages')
    const conversation = String(stored.parentSpanId ?? '')
    const repeated = commonStart(before.get(conversation) ?? [], messages)
    if (messages.length > 0) before.set(conversation, messages)
    const started = nanoseconds(stored.startTimeUnixNano)
    const ended = nanoseconds(stored.endTimeUnixNano)
    const status = isJsonObject(stored.status) ? stored.status : {}
    yield {
      name: String(stored.name ?? 'call'),
      depth,
      service:
        origin === null ? null : String(attributesOf({ attributes: origin.resource ?? [] })['service.name'] ?? '?'),
      purpose: textOrNull(facts['assay.purpose']),
      started_at: started,
      ms: started === null || ended === null ? null : ended - started,
      input_tokens: numberOrNull(facts['gen_ai.usage.input_tokens']),
      output_tokens: numberOrNull(facts['gen_ai.usage.output_tokens']),
      // Earlier versions had another name for it.
      reasoning_tokens: numberOrNull(
        facts['gen_ai.usage.reasoning.output_tokens'] ?? facts['assay.usage.reasoning_tokens'],
      ),
      cost_usd: numberOrNull(facts['assay.cost_usd']),
      is_cached: facts['assay.is_cached'] === true,
      error: status.code === 2 ? String(status.message ?? facts['error.type'] ?? 'failed') : null,
      scores: scoresOf(stored),
      repeated,
      messages: [...textsOf(messages, repeated, room), ...textPart('arguments', facts['gen_ai.tool.call.arguments'])],
      answer: [
        ...textsOf(list('gen_ai.output.messages'), 0, room),
        ...textPart('result', facts['gen_ai.tool.call.result']),
      ],
    }
  }
}

const textPart = (role: string, value: Json | undefined): readonly TraceMessage[] =>
  typeof value === 'string' ? [{ role, text: shortened(value) }] : []

function scoresOf({ events }: JsonObject): readonly TraceScore[] {
  const all = Array.isArray(events) ? events.filter(isJsonObject) : []
  return all
    .filter(({ name }) => name === 'gen_ai.evaluation.result')
    .map(event => {
      const facts = attributesOf(event)
      const explanation = textOrNull(facts['gen_ai.evaluation.explanation'])
      return {
        name: String(facts['gen_ai.evaluation.name'] ?? 'score'),
        value: numberOrNull(facts['gen_ai.evaluation.score.value']),
        label: textOrNull(facts['gen_ai.evaluation.score.label']),
        explanation: explanation === null ? null : shortened(explanation),
      }
    })
}

/** A small file may refer to the same long message a million times. */
function textsOf(messages: readonly Json[], from: number, room: number): readonly TraceMessage[] {
  const texts: TraceMessage[] = []
  for (let at = from, left = room; at < messages.length && left >= 0; at++)
    for (const message of messageTexts(messages[at] ?? null)) {
      texts.push(message)
      left -= message.text.length + message.role.length
    }
  return texts
}

function attributesOf({ attributes }: JsonObject): JsonObject {
  if (!Array.isArray(attributes)) return {}
  return Object.fromEntries(
    attributes.filter(isJsonObject).map(({ key, value }) => [String(key), isJsonObject(value) ? plain(value) : null]),
  )
}

/** OTLP spells numbers of 64 bits as texts. */
function plain({ stringValue, intValue, doubleValue, boolValue }: JsonObject): Json {
  if (intValue !== undefined) return Number(intValue)
  return stringValue ?? doubleValue ?? boolValue ?? null
}

function commonStart(before: readonly Json[], now: readonly Json[]): number {
  let at = 0
  while (at < before.length && at < now.length && isSame(before[at] ?? null, now[at] ?? null)) at++
  return at
}

const isSame = (a: Json, b: Json): boolean => a === b || canonicalJson(a) === canonicalJson(b)

function messageTexts(message: Json): readonly TraceMessage[] {
  if (!isJsonObject(message)) return [{ role: 'message', text: shortened(JSON.stringify(message)) }]
  const role = String(message.role ?? 'message')
  const parts = Array.isArray(message.parts) ? message.parts.filter(isJsonObject) : []
  return parts.map(part => partText(role, part))
}

function partText(role: string, part: JsonObject): TraceMessage {
  switch (part.type) {
    case 'text':
      return { role, text: shortened(String(part.content ?? '')) }
    case 'reasoning':
      return { role: 'reasoning', text: shortened(String(part.content ?? '')) }
    case 'tool_call':
      return { role: 'tool call', text: shortened(`${String(part.name)}(${JSON.stringify(part.arguments ?? {})})`) }
    case 'tool_call_response':
      return { role: 'tool', text: shortened(String(part.response ?? '')) }
    default:
      return { role, text: shortened(JSON.stringify(part)) }
  }
}

const shortened = (text: string): string =>
  text.length <= mostOfText ? text : `${text.slice(0, mostOfText)}… (${text.length - mostOfText} more characters)`

const nanoseconds = (value: Json | undefined): number | null =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) / 1e6 : null

const textOrNull = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
const numberOrNull = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)
