import type { Outcome } from '../../../src/define/outcome.ts'
import type { RunDetails } from '../../../src/serve/wire.ts'
import type { KnownRun } from '../../runs/run-index.ts'

/** A run as the server knows it now, in the shape that the report has of its runs. */
export function knownFrom(details: RunDetails, settled: KnownRun | undefined): KnownRun {
  const source = settled?.run.source ?? ''
  const last = details.attempts.at(-1)
  const { name, state, params, block, replicate, metrics, problems, series } = details
  // The facts of an attempt are those of its outcome.
  const outcome = { ...last?.facts, kind: last?.outcome ?? 'infra_error' } as Outcome
  return {
    id: `${source}/${name}`,
    run: {
      name,
      source,
      params: settled?.run.params ?? params,
      block,
      replicate,
      outcome,
      metrics,
      problems,
      series,
      cost_usd: last?.cost_usd ?? null,
      wall_s: last?.wall_s ?? null,
      code: settled?.run.code ?? null,
    },
    facts: {
      state: settled?.facts.state ?? state,
      seed: details.seed,
      started_at: last?.started_at ?? null,
      ended_at: last?.ended_at ?? null,
      cpu_s: settled?.facts.cpu_s ?? null,
      max_rss_bytes: settled?.facts.max_rss_bytes ?? null,
      cost_assumed: last?.cost_assumed ?? false,
      why: settled?.facts.why ?? null,
      tags: settled?.facts.tags ?? [],
      notes: settled?.facts.notes ?? [],
      attempts: details.attempts.map(attempt => ({
        number: attempt.number,
        outcome: attempt.outcome,
        message: typeof attempt.facts.message === 'string' ? attempt.facts.message : null,
        started_at: attempt.started_at,
        wall_s: attempt.wall_s,
        cost_usd: attempt.cost_usd,
        superseded: attempt.superseded,
      })),
      files: details.files,
      output: details.output,
      trace: details.trace,
      reduced: {},
    },
  }
}
