import type { Experiment } from '../../src/define/experiment.ts'
import type { Json } from '../../src/util/json.ts'

/** A minimal experiment with a test's settings. */
export function experimentWith(parts: Partial<Experiment>): Experiment {
  return {
    name: 'test',
    dialect: 'native',
    description: '',
    file: null,
    folder: '/',
    out_root: 'runs',
    target: { kind: 'command' },
    params: {},
    factors: [],
    zip: [],
    include: [],
    exclude: [],
    ablations: [],
    constraints: [],
    blocks: [],
    replicates: 1,
    order: 'listed',
    seed: 0,
    limits: {
      jobs: 1,
      timeout_ms: null,
      grace_ms: 0,
      budget_usd: null,
      run_budget_usd: null,
      run_calls: null,
      run_tokens: null,
      rate: {},
      fail_on_rate_limit: false,
      retries: { failed: 0, timed_out: 0, infra_error: 0, rate_limited: 0, backoff_ms: 0 },
      quarantine_after: 3,
      halt: null,
      initial_failures: 5,
    },
    metrics: [],
    analysis: { baseline: null },
    inputs: [],
    outputs: [],
    hooks: { setup: null, cleanup: null },
    naming: { kind: 'slug' },
    record_env: [],
    ...parts,
  }
}

export const factor = (name: string, levels: readonly Json[], when: string | null = null) => ({ name, levels, when })
