import type { JsonObject } from '../util/json.ts'
import type { RunCaps } from './limits.ts'
import type { Outcome } from './outcome.ts'

/** One variant in one block and replicate: what is executed, reused, retried or resumed. Plain data. */
export interface Run {
  /** Hash of parameters, ablation, block and replicate: the run's identity. */
  readonly key: string
  /** Directory and label; assigned once. */
  readonly name: string
  /** The parameters that apply, including constants and an ablation's settings. */
  readonly params: JsonObject
  readonly ablation: string | null
  /** The ablation's command-line flags. */
  readonly flags: readonly string[]
  readonly block: JsonObject
  readonly replicate: number
  readonly seed: number
  /** The number of its variant and its own within that, if the name has numbers. */
  readonly numbers?: RunNumbers | undefined
}

/** Counted from 1; 0: none yet. */
export interface RunNumbers {
  readonly variant: number
  readonly run: number
  /** Among all runs in listed order, if the name contains it. */
  readonly place?: number
}

/** A run's next attempt as plain data, given to a worker. */
export interface Job extends RunCaps {
  readonly run: Run
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** Fences this attempt: a result with another token is late and does not count. */
  readonly token: string
  /** Of its definition: stored with its result, from which a lost journal is rebuilt. */
  readonly fingerprint?: string
  readonly timeout_ms: number | null
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly grace_ms: number
  /** When it was claimed, in milliseconds since 1970, by the engine's clock. */
  readonly started_at: number
  /**
   * The most that the run may cost, for all its attempts together; null: no limit. The caps on its calls also apply to
   * all attempts together.
   */
  readonly run_budget_usd: number | null
  /** How much of them its earlier attempts have used. */
  readonly spent: Spent
  readonly mode: AttemptMode
  /** The earlier attempt that it continues or scores; null: it is the first, or the run is made anew. */
  readonly continues: EarlierAttempt | null
}

/** Whether an attempt does the run's work, or only scores the work of an earlier attempt. */
export const attemptModes = ['run', 'score'] as const

export type AttemptMode = (typeof attemptModes)[number]

/** How much of a run's limits its attempts have used. */
export interface Spent {
  readonly usd: number
  readonly calls: number
  readonly tokens: number
}

export const nothingSpent: Spent = { usd: 0, calls: 0, tokens: 0 }

export interface EarlierAttempt {
  /** Its number. */
  readonly attempt: number
  readonly outcome: Outcome
  /** null: not known. */
  readonly cost_usd: number | null
}

/** What is left of a run's `run_budget_usd` for this attempt; null: no limit. */
export const budgetLeft = ({ run_budget_usd, spent }: Pick<Job, 'run_budget_usd' | 'spent'>): number | null =>
  run_budget_usd === null ? null : Math.max(0, run_budget_usd - spent.usd)

/** The resources that an attempt used, as far as its worker measured them; null: not measured. */
export interface ResourceUsage {
  readonly cpu_s: number | null
  readonly max_rss_bytes: number | null
}

export const unmeasured: ResourceUsage = { cpu_s: null, max_rss_bytes: null }

/** The result of a job, as plain data; also the content of `result.json`. `result-schema.ts` has its schema. */
export interface AttemptResult extends ResourceUsage {
  readonly token: string
  readonly mode: AttemptMode
  readonly outcome: Outcome
  /** Measured with a monotonic clock; the engine records when it was. */
  readonly wall_s: number
  readonly metrics: readonly Reading[]
  readonly series: readonly Series[]
  /** null: not known. */
  readonly cost_usd: number | null
  /** A lower bound of the cost, if the total is unknown. */
  readonly cost_at_least_usd: number
  /** Whether it includes calls of unknown cost, each counted at its maximum. */
  readonly cost_assumed?: boolean
  /** Model calls, and the tokens that they used. */
  readonly calls: number
  readonly tokens: number
  /** The declared outputs that existed at the end. */
  readonly outputs: readonly string[]
  readonly command: readonly string[]
  readonly cwd: string
  /** Where its files are: relative to the experiment's directory, if inside it; null: it has none. */
  readonly place: string | null
}

/** The result of an attempt that left nothing but its outcome. */
export function resultWith({ token, mode }: Pick<Job, 'token' | 'mode'>, outcome: Outcome): AttemptResult {
  return {
    ...{ token, mode, outcome, wall_s: 0, ...unmeasured, metrics: [], series: [] },
    ...{ cost_usd: 0, cost_at_least_usd: 0, calls: 0, tokens: 0, outputs: [], command: [], cwd: '', place: null },
  }
}

/** A metric's value, or the reason why there is none. */
export type Reading =
  | { readonly metric: string; readonly value: number }
  | { readonly metric: string; readonly problem: string }

/** A metric over steps; `steps[i]` belongs to `values[i]`. */
export interface Series {
  readonly metric: string
  readonly steps: readonly number[]
  readonly values: readonly number[]
}

/** An attempt that has not ended: it is running, or its worker died. */
export interface UnfinishedAttempt extends Omit<Job, 'grace_ms' | keyof RunCaps> {
  readonly pid: number | null
  readonly startTime: string | null
  /** How many attempts in a row, before this one, ended because their process did. */
  readonly lostBefore: number
}
