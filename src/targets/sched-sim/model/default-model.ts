import type { Model } from './model-schema.ts'

const llm = { kind: 'lognormal', mu: '6.0 + 0.001 * size', sigma: 0.8 } as const
const once = { for_each: [], size: 0, critical: false, decides: false }
const perPdf = { ...once, for_each: ['pdfs' as const] }
const perSubquery = { ...once, for_each: ['pdfs' as const, 'subqueries' as const] }
const tier = { retries: 3, speed: 1 }

/** The research-agent workflow and the providers of Cascade's simulator, with its constants. */
export const defaultModel: Model = {
  steps: {
    Plan: {
      ...once,
      on: 'llm_provider',
      after: [],
      size: '(200 + 10 * subqueries + 3 * pdfs) + min(iteration, 1) * (20 + 5 * subqueries + pdfs)',
      service_ms: llm,
      critical: true,
    },
    LoadPDF: {
      ...perPdf,
      on: 'io',
      after: ['Plan'],
      service_ms: { kind: 'lognormal', mu: 5, sigma: 0.8, tail: { probability: 0.1, multiplier: 3 } },
    },
    Chunk: { ...perPdf, on: 'cpu', after: ['LoadPDF'], service_ms: { kind: 'uniform', low: 45, high: 55 } },
    Embed: {
      ...perPdf,
      on: 'embed_provider',
      after: ['Chunk'],
      service_ms: { kind: 'gamma', shape: 4, scale: 25, tail: { probability: 0.05, multiplier: 2 } },
    },
    SimilaritySearch: { ...perSubquery, on: 'cpu', after: ['Embed'], service_ms: 120 },
    ExtractEvidence: {
      ...perSubquery,
      on: 'llm_provider',
      after: ['SimilaritySearch'],
      service_ms: llm,
      critical: true,
    },
    Aggregate: {
      ...once,
      on: 'cpu',
      after: ['ExtractEvidence'],
      service_ms: { kind: 'lognormal', mu: 6, sigma: 0.8 },
      critical: true,
    },
    DecideNext: {
      ...once,
      on: 'llm_provider',
      after: ['Aggregate'],
      service_ms: llm,
      critical: true,
      decides: true,
    },
  },
  providers: {
    embed_provider: {
      tiers: [
        { ...tier, rate_per_s: 20, burst: 50, slots: 4, price: 0.0001, failure: 0.02, timeout_ms: 10_000 },
        { ...tier, rate_per_s: 100, burst: 200, slots: 8, price: 0.0005, failure: 0.01, timeout_ms: 5_000 },
      ],
    },
    llm_provider: {
      tiers: [
        { ...tier, rate_per_s: 5, burst: 20, slots: 2, price: 0.01, failure: 0.03, timeout_ms: 30_000 },
        { ...tier, rate_per_s: 20, burst: 50, slots: 4, price: 0.05, failure: 0.02, timeout_ms: 15_000 },
      ],
    },
  },
  local: { cpu: { slots: 4 }, io: { slots: 2 } },
  arrivals: 'all_at_once',
  heavy_tail: { probability: 0.02, multiplier: 50 },
  budget_per_workflow: 10,
  priority: { critical_path: 1, slack: 0.5, age: 0.1 },
  estimates: { window: 1000, initial_ms: 100 },
  escalation: { min_benefit_ms_per_usd: 0.5, initial_queue_wait_ms: 50 },
  hedging: { after_p95: 1.5, min_samples: 20, max_per_step: 1 },
  retry: { backoff_ms: 100, factor: 2, max_ms: 5_000, jitter: 0.5 },
  early_stop: {
    strong: { coverage: 0.6, confidence: 0.5 },
    borderline: { coverage: 0.45, confidence: 0.35, chance: 0.3 },
  },
  rules: { spill: false, timeout_sees_tail: true, charge_losers: true, gates_count: true, back_off: true },
}

/** The rules that Cascade's simulator in fact follows, for comparisons with it. */
export const originalRules: Model['rules'] = {
  spill: true,
  timeout_sees_tail: false,
  charge_losers: false,
  gates_count: false,
  back_off: false,
}
