import { type ModelSetting, type SimFault, type SimTokens, simFaults } from '../../define/models/model-settings.ts'
import { sha256 } from '../../util/hash.ts'
import { mixSeed, type Random, seededRandom } from '../../util/random.ts'
import { wordsIn } from '../content.ts'
import type { Finish, Message, Tool, ToolCall, Usage } from '../model-call.ts'
import { simInputTokens, simTokensOf } from '../prices/count-tokens.ts'
import { fillJson, fillTemplate, type TemplateValues } from './fill-template.ts'
import { fittingRule, turnOf } from './fitting-rule.ts'
import { jsonForSchema } from './json-for-schema.ts'

export interface SimCall {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools?: readonly Tool[] | undefined
  readonly schema?: unknown
  readonly purpose: string
  readonly max_output_tokens: number
  readonly seed: number
  /** Whether a try fails is drawn anew for each; what is answered is not. */
  readonly tries: number
}

/** What of a model's settings says how it is simulated. */
export type SimSetting = Pick<ModelSetting, 'context' | 'tokens' | 'latency' | 'failures' | 'rules'>

export interface SimAnswer {
  readonly text: string
  readonly tool_calls: readonly ToolCall[]
  readonly finish: Finish
  readonly usage: Usage
  readonly latency_ms: number
  /** What goes wrong with it; null: nothing. */
  readonly fault: SimFault | null
}

/** What a simulated model answers: the same to the same question, with the same seed, whatever the order of calls. */
export function simulate(call: SimCall, setting: SimSetting): SimAnswer {
  const asked = sha256(JSON.stringify([call.messages, call.schema ?? null, call.tools ?? null]))
  const random = seededRandom(mixSeed('answer', call.seed, call.model, asked))
  const found = fittingRule(setting.rules ?? [], call, random)
  const tokens = { ...setting.tokens, ...found?.rule.tokens }
  const said = answerOf(call, tokens, { found, random, asked })
  const { text, usage, finish } = sized(call, said, tokens, random)
  const luck = seededRandom(mixSeed('fault', call.seed, call.model, asked, call.tries))
  const isTooLong = setting.context !== undefined && usage.input_tokens >= setting.context
  return {
    text,
    tool_calls: said.tool_calls,
    finish,
    usage,
    latency_ms: latencyOf(setting, usage, random),
    fault: isTooLong ? 'context_too_long' : (found?.rule.fail ?? drawnFault(setting, luck)),
  }
}

interface Said {
  readonly text: string
  readonly tool_calls: readonly ToolCall[]
}

function answerOf(
  call: SimCall,
  tokens: SimTokens,
  { found, random, asked }: { found: ReturnType<typeof fittingRule>; random: Random; asked: string },
): Said {
  const said = (text: string): Said => ({ text, tool_calls: [] })
  const { rule, groups = {} } = found ?? {}
  const values: TemplateValues = { words: { ...wordsOf(call), ...groups }, random }
  if (rule?.tool !== undefined) {
    const filled = fillJson(rule.tool.arguments, values)
    const id = `call_${asked.slice(0, 16)}`
    // Filling a map gives a map.
    return { text: '', tool_calls: [{ id, name: rule.tool.name, arguments: filled as ToolCall['arguments'] }] }
  }
  if (rule?.json !== undefined) return said(JSON.stringify(fillJson(rule.json, values)))
  if (rule?.answer !== undefined) return said(fillTemplate(rule.answer, values))
  if (rule?.one_of !== undefined)
    return said(fillTemplate(rule.one_of[random.integer(0, rule.one_of.length - 1)] ?? '', values))
  // Schemas come as plain data.
  if (call.schema !== undefined) return said(JSON.stringify(jsonForSchema(call.schema as never, random)))
  return said(filler(tokens.output ?? 40, random))
}

const wordsOf = ({ messages, model, seed }: SimCall): TemplateValues['words'] => ({
  last: wordsIn(messages.at(-1)?.content ?? ''),
  prompt: wordsIn(messages.findLast(message => message.role === 'user')?.content ?? ''),
  model,
  seed: String(seed),
  turn: String(turnOf(messages)),
})

/** Counted or declared sizes, and the answer cut at what was allowed. */
function sized(
  call: SimCall,
  { text, tool_calls }: Said,
  tokens: SimTokens,
  random: Random,
): { readonly text: string; readonly usage: Usage; readonly finish: Finish } {
  const vary = (size: number): number =>
    Math.max(0, Math.round(size * (1 + (tokens.spread ?? 0) * (2 * random.next() - 1))))
  const input = tokens.input === undefined ? simInputTokens(call) : vary(tokens.input)
  const reasoning = Math.min(vary(tokens.reasoning ?? 0), call.max_output_tokens)
  const counted = simTokensOf(text) + tool_calls.reduce((sum, tool) => sum + simTokensOf(JSON.stringify(tool)), 0)
  const wanted = tokens.output === undefined ? counted : vary(tokens.output)
  const room = call.max_output_tokens - reasoning
  const isCut = wanted > room
  return {
    text: isCut ? text.slice(0, room * 4) : text,
    finish: isCut ? 'length' : tool_calls.length > 0 ? 'tool_calls' : 'stop',
    usage: {
      input_tokens: input,
      cached_input_tokens: Math.floor(input * (tokens.cached ?? 0)),
      cache_write_tokens: 0,
      output_tokens: Math.min(wanted, room) + reasoning,
      reasoning_tokens: reasoning,
    },
  }
}

function latencyOf({ latency }: SimSetting, usage: Usage, random: Random): number {
  if (latency === undefined) return 0
  const even = latency.base_ms + latency.per_token_ms * usage.output_tokens
  return even * (1 + latency.spread * (2 * random.next() - 1))
}

function drawnFault({ failures }: SimSetting, random: Random): SimFault | null {
  let draw = random.next()
  for (const fault of simFaults) {
    draw -= failures?.[fault] ?? 0
    if (draw < 0) return fault
  }
  return null
}

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
