import type { Goal, Interval } from '../../stats/index.ts'
import type { Json } from '../../util/json.ts'
import { percentText } from '../../util/words.ts'
import type { CandidateCorrection, Method, Missing } from '../choices.ts'
import type { DroppedRun } from '../units/cells.ts'
import type { MissingBounds } from '../units/missing-bounds.ts'
import type { WeightingFinding } from '../units/weighting.ts'
import type { Spread } from './describe/spread.ts'
import type { TTestFinding } from './infer/t-test.ts'

export type Verdict = 'better' | 'worse' | 'equivalent' | 'inconclusive'

/** Control against candidate on one metric, with the conclusion. Plain data: the output of `--json`. */
export interface Comparison {
  readonly metric: string
  /** The better direction of the compared statistic: more wins are better. */
  readonly goal: 'maximize' | 'minimize'
  /** Declared before the runs were made; null: none was. */
  readonly primary_metric: string | null
  /** Whether it is another metric: if all are examined, one of them shows a difference by chance. */
  readonly exploratory: boolean
  /**
   * The metrics that decide together, and the number of tests that p is corrected for; null: this one decides alone.
   */
  readonly family: { readonly metrics: readonly string[]; readonly tests: number } | null
  /** How a series became a number; null: the metric is a number. */
  readonly summary: string | null
  /** The compared statistic: `median`, `iqm`, `wins`, `pass@3`; null: means. */
  readonly statistic: string | null
  /** All values are 0 or 1: means are shares, and differences are stated in percentage points. */
  readonly yes_no: boolean
  readonly control: string
  readonly candidate: string
  /** The alternative: a difference, or that the candidate is greater or less. */
  readonly side: 'two-sided' | 'greater' | 'less'
  /** Candidate minus control; null if there is no value, with the reason in `reason`. */
  readonly estimate: number | null
  readonly ci: (Bounds & { readonly method: Exclude<Method, 'auto'> | 'widest' }) | null
  readonly p: number | null
  /** No resample was as extreme as the data: p, and its corrected value, is at most this. */
  readonly p_is_bound: boolean
  /** Why there is no p. */
  readonly p_reason: string | null
  readonly test: string
  /** After the correction for several candidates. */
  readonly p_adjusted: number | null
  readonly correction: CandidateCorrection
  /**
   * Holds for all candidates at once (Bonferroni, or max-T if requested); null if there is one candidate, or if nothing
   * is corrected.
   */
  readonly ci_simultaneous: Bounds | null
  /** p of other tests of the same question. */
  readonly other_tests: readonly TestResult[]
  readonly effect: EffectSizes
  readonly n: {
    readonly control: number
    readonly candidate: number
    readonly pairs: number | null
    /** Pairs left out because one side has no value; if unpaired, runs. */
    readonly dropped: number
  }
  readonly missing: MissingValues
  readonly arms: { readonly control: ArmSummary; readonly candidate: ArmSummary }
  readonly pairing: Pairing | null
  /** If units have several runs. */
  readonly spread: Spread | null
  /** If requested. */
  readonly rliable: RliableFinding | null
  readonly unit: string
  /** If units have different weights. */
  readonly weighting: WeightingFinding | null
  /** How the runs within a unit were treated; null: each unit has one, or the arms are not paired. */
  readonly design: Design | null
  readonly equivalence: EquivalenceFinding | null
  /** The factors on which the difference depends: the difference at each of their levels. */
  readonly by_level: readonly LevelSplit[]
  /** The difference that this many runs would have found. */
  readonly detectable: {
    readonly difference: number
    readonly power: number
    /** If shares leave no room on the other side, it applies to one direction only. */
    readonly direction: 'either' | 'above' | 'below'
    /**
     * Its basis: the power of the test itself; or, for medians, trimmed means, wins and methods other than `t` and
     * `wider`, only the width of the interval.
     */
    readonly by: 'power' | 'width'
  } | null
  /**
   * Even the largest possible difference would not be found that often: for shares, and values of a known range, with
   * few units.
   */
  readonly undetectable: boolean
  readonly smallest_p: number | null
  /** If requested. */
  readonly t_test: TTestFinding | null
  readonly verdict: Verdict
  readonly sentence: string
  /**
   * The same in large type: that the difference depends on another factor, without its levels, which are in `by_level`.
   */
  readonly headline: string
  readonly warnings: readonly string[]
  readonly reason: string | null
  readonly seed: number
  readonly resamples: number
}

/** Everything but the conclusion, which follows once all candidates are there. */
export type Draft = Omit<Comparison, 'verdict' | 'sentence' | 'headline'>

export interface TestResult {
  readonly test: string
  readonly p: number | null
  /** As in the comparison itself. */
  readonly p_is_bound: boolean
}

/** As in JSON: a missing bound is null. */
export interface Bounds {
  readonly level: number
  readonly low: number | null
  readonly high: number | null
}

export interface ArmSummary {
  readonly n: number
  /** The compared statistic: the mean, unless another was requested. */
  readonly value: number | null
  readonly mean: number | null
  readonly sd: number | null
  readonly ci: (Bounds & { readonly method: string }) | null
}

export interface EffectSizes {
  /**
   * The difference divided by a spread: of the pairs' differences, otherwise of the groups (with the small-sample
   * factor).
   */
  readonly standardized: { readonly name: 'd_z' | 'hedges_g'; readonly value: number } | null
  readonly cliffs_delta: number | null
  /** The candidate's mean divided by the control's, for numbers that are never negative. */
  readonly ratio: (Bounds & { readonly value: number }) | null
  /** The same for geometric means, if all numbers are above 0: the typical ratio. */
  readonly geometric_ratio: (Bounds & { readonly value: number }) | null
}

export interface Pairing {
  readonly by: readonly string[]
  readonly correlation: number | null
  /** The share of the variance that pairing removed. */
  readonly variance_reduction: number | null
  readonly unmatched: readonly string[]
}

/** The difference at each level of a factor over which it is averaged, if it is not the same at all of them. */
export interface LevelSplit {
  readonly factor: string
  /** For equal differences at every level: corrected for all levels of all factors examined. */
  readonly p: number
  /** Verdicts and intervals hold for all levels together (Bonferroni). */
  readonly levels: readonly LevelDifference[]
}

export interface LevelDifference {
  readonly level: Json
  readonly label: string
  readonly estimate: number | null
  readonly ci: Bounds | null
  readonly p: number | null
  readonly p_adjusted: number | null
  readonly verdict: Verdict
  /** Pairs; if unpaired, units of the smaller arm. */
  readonly n: number
}

/** The random effects besides units. */
export interface Design {
  /** Blocks whose levels recur in several units, and may shift all of them alike: both count as sources of chance. */
  readonly crossed: readonly {
    readonly block: string
    readonly levels: number
    /**
     * The sd of the shift of the difference between levels, and its upper limit (95%); null: too few cells to estimate.
     */
    readonly sd: number | null
    readonly sd_at_most: number | null
    /** Of the test that levels have no effect. */
    readonly p: number | null
  }[]
  /** Blocks that only distinguish the runs of a unit: they are averaged. */
  readonly nested: readonly string[]
  /** The same in words. */
  readonly text: string
}

/** Runs without a value, how they were treated, and their possible effect. */
interface MissingValues {
  readonly rule: Missing
  readonly control: readonly DroppedRun[]
  readonly candidate: readonly DroppedRun[]
  /**
   * If the metric's range is known: the difference if all of them had gone against the candidate, and if all had gone
   * in its favour.
   */
  readonly bounds: MissingBounds | null
  /** Planned runs that have not been made: the bounds don't cover them. Null if that is unknown, or meaningless. */
  readonly not_run: number | null
}

export interface EquivalenceFinding {
  readonly margin: number
  /** Null if the values do not vary: then p alone decides. */
  readonly ci: Bounds | null
  /** The interval that holds for all candidates at once; null if there is one candidate, or p alone decides. */
  readonly ci_simultaneous: Bounds | null
  /** The larger p of the two one-sided tests. */
  readonly p: number | null
  /** After the correction for several candidates. */
  readonly p_adjusted: number | null
  readonly equivalent: boolean
  readonly not_worse_p: number | null
  readonly not_worse_p_adjusted: number | null
  readonly not_worse: boolean
}

/** A number with its interval from resampling runs within tasks; no interval if every task has one run. */
export interface Bounded {
  readonly value: number | null
  readonly ci: Bounds | null
  /** Why there is no interval. */
  readonly reason: string | null
}

/** Aggregates over tasks. Plain data, as everything here. */
export interface RliableFinding {
  readonly tasks: number
  readonly runs: { readonly control: number; readonly candidate: number }
  readonly aggregates: readonly {
    readonly name: 'mean' | 'median' | 'iqm' | 'optimality_gap'
    readonly control: Bounded
    readonly candidate: Bounded
    readonly difference: Bounded
  }[]
  /**
   * The probability that a run of the candidate is better than one of the control, on average over tasks; ties count
   * half.
   */
  readonly probability_of_improvement: Bounded
  /** The share of runs with a score above each threshold; bands hold over the whole range. */
  readonly profile: {
    readonly thresholds: readonly number[]
    readonly control: RliableProfile | null
    readonly candidate: RliableProfile | null
  }
}

export interface RliableProfile {
  readonly share: readonly number[]
  readonly low: readonly number[]
  readonly high: readonly number[]
}

export const boundsOf = ({ level, low, high }: Interval): Bounds => ({
  level,
  low: Number.isFinite(low) ? low : null,
  high: Number.isFinite(high) ? high : null,
})

/**
 * The interval that matches the verdict: if p was corrected for several candidates, the one that holds for all of them.
 */
export function intervalOfVerdict({
  ci,
  ci_simultaneous,
  p_adjusted,
}: Pick<EquivalenceFinding, 'ci' | 'ci_simultaneous' | 'p_adjusted'>): (Bounds & { readonly name: string }) | null {
  if (ci === null) return null
  const level = percentText(ci.level)
  return p_adjusted === null || ci_simultaneous === null
    ? { ...ci, name: `${level} CI` }
    : { ...ci_simultaneous, name: `simultaneous ${level} CI` }
}

/**
 * A significant difference is better or worse by the goal. Otherwise, with a margin, the arms may be shown to be
 * equivalent. Everything else is inconclusive: absence of evidence is not evidence of equality.
 */
export function verdictOf(
  { estimate, p, goal }: { readonly estimate: number | null; readonly p: number | null; readonly goal: Goal },
  equivalence: EquivalenceFinding | null,
  alpha: number,
): Verdict {
  if (equivalence?.equivalent) return 'equivalent'
  if (estimate === null || p === null || p > alpha || estimate === 0) return 'inconclusive'
  return isGood(estimate, goal) ? 'better' : 'worse'
}

export const isGood = (difference: number, goal: Goal): boolean =>
  goal === 'maximize' ? difference > 0 : difference < 0
