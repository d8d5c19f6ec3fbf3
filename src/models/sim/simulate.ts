import { type ModelSetting, type SimFault, type SimTokens, simFaults } from '../../define/models/model-settings.ts'
import { sha256 } from '../../util/hash.ts'
import { mixSeed, type Random, seededRandom } from '../../util/random.ts'
import type { Finish, ToolCall, Usage } from '../model-call.ts'
import { simInputTokens, simTokensOf } from '../prices/count-tokens.ts'
import { agentStep } from './agent/agent-step.ts'
import { agentSummary } from './agent/agent-summary.ts'
import { type FittingRule, fittingRule } from './fitting-rule.ts'
import { type Said, saidBy } from './said-by.ts'
import type { SimCall } from './sim-call.ts'

/** The settings of a model that define its simulation. */
export type SimSetting = Pick<ModelSetting, 'context' | 'tokens' | 'latency' | 'failures' | 'rules' | 'agent' | 'plans'>

export interface SimAnswer {
  /** Its visible reasoning; empty: none. */
  readonly reasoning: string
  readonly text: string
  readonly tool_calls: readonly ToolCall[]
  readonly finish: Finish
  /** The stop sequence that ended it; null: none. */
  readonly stopped_by: string | null
  readonly usage: Usage
  readonly latency_ms: number
  /** Of it: before the first token. */
  readonly first_token_ms: number
  /** What goes wrong with it; null: nothing. */
  readonly fault: SimFault | null
}

/**
 * The answer of a simulated model: the same for the same question and seed, whatever the order of calls. Throws
 * SimRefused if its rules or the schema ask for the impossible.
 */
export function simulate(call: SimCall, setting: SimSetting): SimAnswer {
  const asked = sha256(JSON.stringify([call.messages, call.schema ?? null, call.tools ?? null]))
  const random = seededRandom(mixSeed('answer', call.seed, call.model, asked))
  const found = plannedStep(call, setting) ?? fittingRule(setting.rules ?? [], call, random)
  const tokens = { ...setting.tokens, ...found?.step.tokens }
  const whole = saidBy(found, call, { random, asked, size: tokens.output ?? 40 })
  const { stopped_by, ...said } = stoppedAt(whole, call.stop ?? [])
  const answer = sized(call, said, tokens, random)
  const luck = seededRandom(mixSeed('fault', call.seed, call.model, asked, call.tries))
  const isTooLong = setting.context !== undefined && answer.usage.input_tokens >= setting.context
  return {
    ...answer,
    stopped_by: answer.finish === 'length' ? null : stopped_by,
    ...latencyOf(setting, answer.usage, random),
    fault: isTooLong ? 'context_too_long' : (found?.step.fail ?? drawnFault(setting, luck)),
  }
}

/** The step of its plans; null: none, so its rules apply. */
function plannedStep(call: SimCall, setting: SimSetting): FittingRule | null {
  if (setting.plans === undefined) return null
  const step = agentSummary(call, setting) ?? agentStep(call, setting)
  return step === null ? null : { step, groups: {}, is_literal: true }
}

/** A stop sequence ends the text before it, and then nothing is called. */
function stoppedAt(said: Said, stop: readonly string[]): Said & { readonly stopped_by: string | null } {
  const places = stop.filter(one => one !== '').map(one => ({ one, at: said.text.indexOf(one) }))
  const [first] = places.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)
  if (first === undefined) return { ...said, stopped_by: null }
  return { ...said, text: said.text.slice(0, first.at), tool_calls: [], stopped_by: first.one }
}

type Sized = Said & Pick<SimAnswer, 'finish' | 'usage'>

/** Counted or declared sizes, with the answer truncated at the limit. */
function sized(
  call: SimCall,
  { reasoning: thought, text, tool_calls }: Said,
  tokens: SimTokens,
  random: Random,
): Sized {
  const vary = (size: number): number =>
    Math.max(0, Math.round(size * (1 + (tokens.spread ?? 0) * (2 * random.next() - 1))))
  const input = tokens.input === undefined ? simInputTokens(call) : vary(tokens.input)
  const thinking = call.thinks === false ? 0 : vary(tokens.reasoning ?? simTokensOf(thought))
  const reasoning = Math.min(thinking, call.max_output_tokens)
  const room = call.max_output_tokens - reasoning
  const called = tool_calls.map(tool => simTokensOf(JSON.stringify(tool)))
  const spoken = simTokensOf(text) + called.reduce((sum, size) => sum + size, 0)
  const wanted = tokens.output === undefined ? spoken : vary(tokens.output)
  const isCut = wanted > room || thinking > reasoning
  // A truncated call would be half a JSON, which is unusable: it is left out.
  const kept = isCut ? fitting(called, room - simTokensOf(text)) : called.length
  return {
    reasoning: thinking > reasoning ? thought.slice(0, reasoning * 4) : thought,
    text: isCut ? text.slice(0, room * 4) : text,
    tool_calls: tool_calls.slice(0, kept),
    finish: isCut ? 'length' : tool_calls.length > 0 ? 'tool_calls' : 'stop',
    usage: {
      input_tokens: input,
      // A single call knows no cache of prompts: callers that have one add it.
      cached_input_tokens: typeof tokens.cached === 'number' ? Math.floor(input * tokens.cached) : 0,
      cache_write_tokens: 0,
      output_tokens: Math.min(wanted, room) + reasoning,
      reasoning_tokens: reasoning,
    },
  }
}

/** How many from the first on have room together. */
function fitting(sizes: readonly number[], room: number): number {
  let left = room
  const first = sizes.findIndex(size => {
    left -= size
    return left < 0
  })
  return first === -1 ? sizes.length : first
}

function latencyOf(
  { latency }: SimSetting,
  usage: Usage,
  random: Random,
): Pick<SimAnswer, 'latency_ms' | 'first_token_ms'> {
  if (latency === undefined) return { latency_ms: 0, first_token_ms: 0 }
  const share = 1 + latency.spread * (2 * random.next() - 1)
  const even = latency.base_ms + latency.per_token_ms * usage.output_tokens
  return { latency_ms: even * share, first_token_ms: latency.base_ms * share }
}

function drawnFault({ failures }: SimSetting, random: Random): SimFault | null {
  let draw = random.next()
  for (const fault of simFaults) {
    draw -= failures?.[fault] ?? 0
    if (draw < 0) return fault
  }
  return null
}
