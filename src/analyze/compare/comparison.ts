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
  /** Which way of what is compared is better: of wins, more. */
  readonly goal: 'maximize' | 'minimize'
  /** Declared before the runs were made; null: none was. */
  readonly primary_metric: string | null
  /** Another metric than that: looking at all of them finds something in one. */
  readonly exploratory: boolean
  /** The metrics that decide together, and how many tests p is corrected for; null: this one decides alone. */
  readonly family: { readonly metrics: readonly string[]; readonly tests: number } | null
  /** How a series became a number; null: the metric is one. */
  readonly summary: string | null
  /** `median`, `iqm`, `wins`, `pass@3`: what is compared; null: means. */
  readonly statistic: string | null
  /** Only 0 and 1 were measured: means are shares, and differences are told in percentage points. */
  readonly yes_no: boolean
  readonly control: string
  readonly candidate: string
  /** What was to be shown: a difference, or that the candidate is greater or less. */
  readonly side: 'two-sided' | 'greater' | 'less'
  /** Candidate minus control; null if there is no value, with the reason in `reason`. */
  readonly estimate: number | null
  readonly ci: (Bounds & { readonly method: Exclude<Method, 'auto'> | 'widest' }) | null
  readonly p: number | null
  /** No resample was as extreme as the data: p, and what a correction makes of it, is at most this. */
  readonly p_is_bound: boolean
  /** Why there is none. */
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
    /** Pairs that were left out because one side has no value; unpaired, runs. */
    readonly dropped: number
  }
  readonly missing: MissingValues
  readonly arms: { readonly control: ArmSummary; readonly candidate: ArmSummary }
  readonly pairing: Pairing | null
  /** Where units hold several runs. */
  readonly spread: Spread | null
  /** Where it was asked for. */
  readonly rliable: RliableFinding | null
  readonly unit: string
  /** Where units do not all count alike. */
  readonly weighting: WeightingFinding | null
  /** How the runs inside a unit were taken; null: each unit has one, or the arms are not paired. */
  readonly design: Design | null
  readonly equivalence: EquivalenceFinding | null
  /** The factors with which the difference changes: what it is at each of their levels. */
  readonly by_level: readonly LevelSplit[]
  /** What this many runs would have found. */
  readonly detectable: {
    readonly difference: number
    readonly power: number
    /** Where shares leave no room on the other side, the claim holds for one direction only. */
    readonly direction: 'either' | 'above' | 'below'
    /** What says so: the power of the very test; or, of medians, shares over several runs and methods that were asked for, only how wide the interval is. */
    readonly by: 'power' | 'width'
  } | null
  /** No possible difference would have been found so often: of yes and no with few units. */
  readonly undetectable: boolean
  readonly smallest_p: number | null
  /** Where it was asked for. */
  readonly t_test: TTestFinding | null
  readonly verdict: Verdict
  readonly sentence: string
  /** The same for large type: that the difference depends on another factor, without its levels; these are in `by_level`. */
  readonly headline: string
  readonly warnings: readonly string[]
  readonly reason: string | null
  readonly seed: number
  readonly resamples: number
}

/** Everything but what may be said: that follows once all candidates are there. */
export type Draft = Omit<Comparison, 'verdict' | 'sentence' | 'headline'>

export interface TestResult {
  readonly test: string
  readonly p: number | null
  /** As of the comparison itself. */
  readonly p_is_bound: boolean
}

/** As in JSON: a bound that does not exist is null. */
export interface Bounds {
  readonly level: number
  readonly low: number | null
  readonly high: number | null
}

export interface ArmSummary {
  readonly n: number
  /** What is compared: the mean, unless another statistic was asked for. */
  readonly value: number | null
  readonly mean: number | null
  readonly sd: number | null
  readonly ci: (Bounds & { readonly method: string }) | null
}

export interface EffectSizes {
  /** Of the difference over the spread: of the pairs' differences, else of the groups (with the small-sample factor). */
  readonly standardized: { readonly name: 'd_z' | 'hedges_g'; readonly value: number } | null
  readonly cliffs_delta: number | null
  /** Candidate's mean over control's, for numbers that are never negative. */
  readonly ratio: (Bounds & { readonly value: number }) | null
  /** The same of geometric means, where all numbers are above 0: how many times as much it typically is. */
  readonly geometric_ratio: (Bounds & { readonly value: number }) | null
}

export interface Pairing {
  readonly by: readonly string[]
  readonly correlation: number | null
  /** The share of the variance that pairing took away. */
  readonly variance_reduction: number | null
  readonly unmatched: readonly string[]
}

/** The difference at each level of a factor over which it is an average, where it is not the same at all of them. */
export interface LevelSplit {
  readonly factor: string
  /** That the difference is the same at every level: corrected for all levels of all factors that were looked at. */
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
  /** Pairs; unpaired, units of the smaller arm. */
  readonly n: number
}

/** What besides units was taken to vary at random. */
export interface Design {
  /** Blocks whose levels come back from unit to unit, and may shift all of them alike: both count as sources of chance. */
  readonly crossed: readonly {
    readonly block: string
    readonly levels: number
    /** Of the shift of the difference from level to level, and what it is at most (95%); null: too few cells to tell. */
    readonly sd: number | null
    readonly sd_at_most: number | null
    /** Of the test that levels shift nothing. */
    readonly p: number | null
  }[]
  /** Blocks that only tell the runs of a unit apart: they are averaged. */
  readonly nested: readonly string[]
  /** The same in words. */
  readonly text: string
}

/** Runs without a value, what was done about them, and what they may hide. */
interface MissingValues {
  readonly rule: Missing
  readonly control: readonly DroppedRun[]
  readonly candidate: readonly DroppedRun[]
  /** Where the range of the metric is known: the difference, had all of them gone against the candidate, and had all gone its way. */
  readonly bounds: MissingBounds | null
  /** Planned runs that have not been made: the bounds don't cover them. Null if that is unknown, or meaningless. */
  readonly not_run: number | null
}

export interface EquivalenceFinding {
  readonly margin: number
  /** Null where the values do not vary: then p alone decides. */
  readonly ci: Bounds | null
  /** The interval that holds for all candidates at once; null where one candidate was compared, or p alone decides. */
  readonly ci_simultaneous: Bounds | null
  /** Of the two one-sided tests the larger one. */
  readonly p: number | null
  /** After the correction for several candidates. */
  readonly p_adjusted: number | null
  readonly equivalent: boolean
  readonly not_worse_p: number | null
  readonly not_worse_p_adjusted: number | null
  readonly not_worse: boolean
}

/** A number with the interval that drawing runs within tasks gives; none where every task has one run. */
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
  /** That a run of the candidate is better than one of the control, on average over tasks; ties count half. */
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

/** The interval that belongs to the verdict: where p was corrected for several candidates, the one that holds for all of them. */
export function toldInterval({
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
 * A difference that is shown is better or worse by the goal. Otherwise, with a margin, the arms may be shown to be as good as
 * equal. Everything else is inconclusive: not having found a difference is not having found equality.
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
