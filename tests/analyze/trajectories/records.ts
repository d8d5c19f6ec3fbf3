import type { InstanceRecord, StepFacts } from '../../../src/analyze/trajectories/instance.ts'
import type { CallSums } from '../../../src/models/trajectory/trajectory.ts'

export const sums = (given: Partial<CallSums> = {}): CallSums => ({
  ...{ calls: 0, cost_usd: 0, price_usd: 0, raw_input_tokens: 0, cached_input_tokens: 0 },
  ...{ output_tokens: 0, reasoning_tokens: 0, ...given },
})

export const record = (given: Partial<InstanceRecord> = {}): InstanceRecord => ({
  ...{ instance_id: 'django__django-1', exit_status: 'submitted', n_turns: 1, patch_lines: 0, review_score: null },
  ...{ agent: sums(), summary: sums(), rloop: sums(), steps: [], ended_at: null, ...given },
})

export const step = (raw: number, cached: number, output: number, more: Partial<StepFacts> = {}): StepFacts => ({
  usage: {
    input_tokens: raw + cached,
    cached_input_tokens: cached,
    cache_write_tokens: 0,
    output_tokens: output,
    reasoning_tokens: 0,
  },
  ...{ cost_usd: 0.5, inference_ms: 100, execution_ms: 10, ...more },
})
