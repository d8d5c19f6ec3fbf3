import * as fc from 'fast-check'
import type { ContentPart, Message, Usage } from '../../../src/models/model-call.ts'
import type { CallSums, PromptPart, Summary, Trajectory, Turn } from '../../../src/models/trajectory/trajectory.ts'
import type { JsonObject } from '../../../src/util/json.ts'

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.constantFrom('', 'ls\n', '\n\n', 'unknown'))
const amount = fc.oneof(fc.constant(null), fc.double({ min: 0, max: 1e6, noNaN: true }), fc.nat())
const count = fc.nat(100_000)
// As it can be written: JSON has no negative zero.
const json: fc.Arbitrary<JsonObject> = fc
  .dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map(value => JSON.parse(JSON.stringify(value)))

const part: fc.Arbitrary<ContentPart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc
    .tuple(
      fc.record(
        {
          type: fc.constantFrom('image' as const, 'file' as const),
          media_type: fc.constantFrom('image/png', 'image/webp', 'image/tiff', 'application/pdf'),
          name: text,
        },
        { requiredKeys: ['type', 'media_type'] },
      ),
      fc.oneof(
        fc.base64String({ maxLength: 16 }).map(data => ({ data })),
        fc.constantFrom(
          { url: 'https://example.org/a.png' },
          { url: 'data:image/png;base64,AAAA' },
          { url: 'images/a.png' },
        ),
      ),
    )
    .map(([about, where]) => ({ ...about, ...where })),
)
const content = fc.oneof(text, fc.array(part, { maxLength: 3 }))
const cache = fc.constantFrom('5m' as const, '1h' as const)
const callId = fc.constantFrom('a', 'b', 'c')

export const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), content: text, cache }, { requiredKeys: ['role', 'content'] }),
  fc.record({ role: fc.constant('user' as const), content, cache }, { requiredKeys: ['role', 'content'] }),
  fc.record(
    {
      role: fc.constant('assistant' as const),
      content: text,
      tool_calls: fc.array(
        fc.record(
          { id: callId, name: fc.constantFrom('bash', 'submit'), arguments: json, provider_data: json },
          { requiredKeys: ['id', 'name', 'arguments'] },
        ),
        { maxLength: 3 },
      ),
      reasoning: fc.array(fc.record({ text, provider_data: json }, { requiredKeys: ['text'] }), { maxLength: 3 }),
      cache,
    },
    { requiredKeys: ['role', 'content'] },
  ),
  fc.record(
    {
      role: fc.constant('tool' as const),
      tool_call_id: callId,
      name: fc.constantFrom('bash', 'submit'),
      content,
      is_error: fc.boolean(),
      cache,
    },
    { requiredKeys: ['role', 'content', 'tool_call_id', 'name'] },
  ),
)

const usage: fc.Arbitrary<Usage> = fc.record(
  {
    input_tokens: count,
    cached_input_tokens: count,
    cache_write_tokens: count,
    cache_write_1h_tokens: count,
    output_tokens: count,
    reasoning_tokens: count,
  },
  { requiredKeys: ['input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens', 'reasoning_tokens'] },
)

const promptPart: fc.Arbitrary<PromptPart> = fc.oneof(
  fc.record({ from: count, to: count, masked: fc.constant(true as const) }, { requiredKeys: ['from', 'to'] }),
  fc.record({ summary: count }),
  fc.record({ message }),
)

const turn: fc.Arbitrary<Omit<Turn, 'from' | 'to'>> = fc.record({
  prompt: fc.oneof(fc.constant(null), fc.array(promptPart, { maxLength: 4 })),
  kind: fc.constantFrom('turn' as const, 'again' as const, 'autosubmit' as const),
  usage: fc.oneof(fc.constant(null), usage),
  cost_usd: amount,
  price_usd: amount,
  inference_ms: amount,
  execution_ms: amount,
  started_at: fc.constantFrom(null, '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05+00:00', 'yesterday'),
})

const summary: fc.Arbitrary<Summary> = fc.record({
  text,
  from: count,
  to: count,
  call: fc.oneof(
    fc.constant(null),
    fc.record({
      model: fc.oneof(fc.constant(null), text),
      usage: fc.oneof(fc.constant(null), usage),
      cost_usd: amount,
      price_usd: amount,
      inference_ms: amount,
    }),
  ),
})

const sums: fc.Arbitrary<CallSums> = fc.record({
  calls: amount,
  cost_usd: amount,
  price_usd: amount,
  raw_input_tokens: amount,
  cached_input_tokens: amount,
  output_tokens: amount,
  reasoning_tokens: amount,
})

/** Random trajectories: every form of message, empty turns, messages between turns, results without their call. */
export function arbitraryTrajectory(depth = 1): fc.Arbitrary<Trajectory> {
  const segment = fc.tuple(fc.array(message, { maxLength: 2 }), turn, fc.array(message, { maxLength: 4 }))
  return fc
    .record({
      id: text,
      recorded_by: fc.constantFrom('assay' as const, 'proxy' as const, 'swe-agent' as const),
      agent: fc.record({
        name: text,
        version: fc.oneof(fc.constant(null), text),
        model: fc.oneof(fc.constant(null), text),
        tools: fc.array(fc.record({ name: text, description: text, parameters: json }), { maxLength: 2 }),
        strategy: fc.oneof(fc.constant(null), json),
      }),
      segments: fc.array(segment, { maxLength: 6 }),
      rest: fc.array(message, { maxLength: 2 }),
      summaries: fc.array(summary, { maxLength: 3 }),
      exit_status: fc.oneof(fc.constant(null), text),
      submission: fc.oneof(fc.constant(null), text),
      review_score: amount,
      totals: fc.record({ agent: sums, summary: sums, rloop: sums }),
      notes: fc.array(text, { maxLength: 3 }),
      task: fc.oneof(fc.constant(undefined), text),
      subagents: depth === 0 ? fc.constant([]) : fc.array(arbitraryTrajectory(depth - 1), { maxLength: 2 }),
    })
    .map(({ segments, rest, subagents, ...facts }) => {
      const history: Message[] = []
      const turns = segments.map(([before, facts, own]): Turn => {
        history.push(...before)
        const from = history.length
        history.push(...own)
        return { ...facts, from, to: history.length }
      })
      history.push(...rest)
      return { ...facts, history, turns, ...(subagents.length > 0 && { subagents }) }
    })
}
