import type { RunFacts } from './dataset.ts'

/** A run of which nothing is known besides the evidence: the row of a table, or one that ended between two looks. */
export const noFacts: RunFacts = {
  state: 'completed',
  seed: null,
  started_at: null,
  ended_at: null,
  cpu_s: null,
  max_rss_bytes: null,
  cost_assumed: false,
  why: null,
  tags: [],
  notes: [],
  attempts: [],
  files: null,
  output: [],
  trace: [],
  reduced: {},
}
