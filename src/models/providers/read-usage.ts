import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { Usage } from '../model-call.ts'
import type { SdkUsage } from './language-model.ts'

/** A provider's usage of a call, in one meaning for all of them. */
export interface ReadUsage {
  readonly usage: Usage
  /** False: the provider gave no token counts, so the cost is unknown. */
  readonly has_usage: boolean
  /** The provider's own figure in USD; null: it gives none. */
  readonly cost_usd: number | null
  /** Numbers that contradict each other. They were read so that the call costs more, not less. */
  readonly contradictions: readonly Contradiction[]
}

export interface Contradiction {
  readonly name: 'reasoning_beyond_output' | 'cached_beyond_input' | 'total_beyond_parts'
  readonly message: string
}

/**
 * Reads a usage by its provider's definition. Chat completions are read from the raw response, because
 * OpenAI-compatible providers differ in what they count where; other interfaces as their package reads them.
 */
export function readUsage(usage: SdkUsage, provider: string): ReadUsage {
  const raw: JsonObject = isJsonObject(usage.raw) ? usage.raw : {}
  const isEmpty = usage.raw !== undefined && Object.keys(raw).length === 0
  const counts = isChatUsage(raw) || isEmpty ? chatCounts(raw, provider) : sdkCounts(usage, raw)
  return { ...settled(counts), cost_usd: ownFigure(raw, provider) }
}

/** Reported tokens; null: not reported. */
interface Counts {
  readonly input: number | null
  readonly cached: number
  readonly written: number
  readonly written_1h: number
  readonly output: number | null
  readonly reasoning: number
  readonly total: number | null
  /** Whether reasoning is known to come on top of the output. */
  readonly isReasoningApart: boolean
}

const isChatUsage = (raw: JsonObject): boolean =>
  'prompt_tokens' in raw || 'completion_tokens' in raw || 'prompt_cache_hit_tokens' in raw

function chatCounts(raw: JsonObject, provider: string): Counts {
  const inputDetails = part(raw.prompt_tokens_details)
  const outputDetails = part(raw.completion_tokens_details)
  // DeepSeek reports hits and misses; Moonshot reports cached tokens next to the others instead of in the details.
  const hits = count(raw.prompt_cache_hit_tokens)
  const misses = count(raw.prompt_cache_miss_tokens)
  const input = count(raw.prompt_tokens) ?? (hits === null || misses === null ? null : hits + misses)
  const output = count(raw.completion_tokens)
  const reasoning = count(outputDetails.reasoning_tokens) ?? count(raw.reasoning_tokens) ?? 0
  const total = count(raw.total_tokens)
  return {
    input,
    cached: count(inputDetails.cached_tokens) ?? count(raw.cached_tokens) ?? hits ?? 0,
    written: count(inputDetails.cache_write_tokens) ?? count(raw.cache_creation_input_tokens) ?? 0,
    written_1h: 0,
    output,
    reasoning,
    total,
    isReasoningApart: isReasoningSeparate({ input, output, reasoning, total }, provider),
  }
}

/**
 * xAI counts reasoning outside the completion, but in the total
 * (https://docs.x.ai/docs/key-information/consumption-and-rate-limits). If there is a total, it decides for every
 * provider.
 */
function isReasoningSeparate(
  told: Pick<Counts, 'input' | 'output' | 'reasoning' | 'total'>,
  provider: string,
): boolean {
  const { input, output, reasoning, total } = told
  if (reasoning === 0 || input === null || output === null) return false
  if (total === input + output + reasoning) return true
  return provider === 'x-ai' && total !== input + output
}

function sdkCounts({ inputTokens, outputTokens }: SdkUsage, raw: JsonObject): Counts {
  return {
    input: inputTokens.total ?? null,
    cached: inputTokens.cacheRead ?? 0,
    written: inputTokens.cacheWrite ?? 0,
    written_1h: writtenForAnHour(raw),
    output: outputTokens.total ?? null,
    reasoning: outputTokens.reasoning ?? 0,
    total: null,
    isReasoningApart: false,
  }
}

/** Anthropic's own interface, and Bedrock's. */
function writtenForAnHour(raw: JsonObject): number {
  const { cache_creation: creation, cacheDetails: details } = raw
  if (isJsonObject(creation)) return count(creation.ephemeral_1h_input_tokens) ?? 0
  if (!Array.isArray(details)) return 0
  return details.reduce<number>((sum, one: Json) => {
    const { ttl, inputTokens } = part(one)
    return sum + (ttl === '1h' ? (count(inputTokens) ?? 0) : 0)
  }, 0)
}

/** A part that is larger than its whole was counted outside it: both are billed. */
function settled(told: Counts): Pick<ReadUsage, 'usage' | 'has_usage' | 'contradictions'> {
  const { input, output, cached, written, reasoning, total } = told
  const has_usage = input !== null && output !== null
  const inCache = cached + written
  const isCacheSeparate = has_usage && inCache > input
  const isBeyond = has_usage && !told.isReasoningApart && reasoning > output
  const input_tokens = (input ?? 0) + (isCacheSeparate ? inCache : 0)
  const output_tokens = (output ?? 0) + (told.isReasoningApart || isBeyond ? reasoning : 0)
  const missing = has_usage && total !== null ? total - input_tokens - output_tokens : 0
  const contradictions: Contradiction[] = []
  if (isCacheSeparate)
    contradictions.push({
      name: 'cached_beyond_input',
      message: `${inCache} cached of ${input} input tokens; counted as ${input_tokens}`,
    })
  if (isBeyond)
    contradictions.push({
      name: 'reasoning_beyond_output',
      message: `${reasoning} reasoning of ${output} output tokens; counted as ${output_tokens}`,
    })
  if (missing > 0)
    contradictions.push({
      name: 'total_beyond_parts',
      message: `${total} tokens in all, but ${input_tokens} of input and ${output_tokens} of output; the rest counted as output`,
    })
  return {
    usage: {
      input_tokens,
      cached_input_tokens: cached,
      cache_write_tokens: written,
      ...(told.written_1h > 0 && { cache_write_1h_tokens: told.written_1h }),
      output_tokens: output_tokens + Math.max(0, missing),
      reasoning_tokens: reasoning,
    },
    has_usage,
    contradictions,
  }
}

/** OpenRouter reports USD, xAI ten-billionths of one. */
function ownFigure(raw: JsonObject, provider: string): number | null {
  if (typeof raw.cost === 'number') return raw.cost + upstream(raw)
  if (provider === 'x-ai' && typeof raw.cost_in_usd_ticks === 'number') return raw.cost_in_usd_ticks / 1e10
  return null
}

/** With the user's own key at OpenRouter, the provider's charge comes on top. */
function upstream({ is_byok, cost_details }: JsonObject): number {
  return is_byok === true ? (count(part(cost_details).upstream_inference_cost) ?? 0) : 0
}

const part = (value: Json | undefined): JsonObject => (value !== undefined && isJsonObject(value) ? value : {})

const count = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
