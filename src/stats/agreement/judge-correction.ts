import { isConstant, meanOf, sumOfSquares } from '../describe/moments.ts'
import { firstUnusable } from '../describe/usable.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { requireLevel } from '../tests/alternative.ts'

export interface JudgedScores {
  /** Human labels of some items, and the judge's labels of the same items, in the same order. */
  readonly labels: readonly number[]
  readonly judgedLabelled: readonly number[]
  /** The judge's labels of all the other items. */
  readonly judgedUnlabelled: readonly number[]
}

export interface JudgeCorrection {
  readonly estimate: number
  readonly standardError: Estimate<number>
  readonly interval: Estimate<Interval>
  /** The weight of the judge: 0 uses the labels alone, 1 the judge unchanged. */
  readonly weight: number
  /** Judge minus person, on the labelled items. */
  readonly bias: number
  /** The labels alone, for comparison. */
  readonly labelsOnly: number
}

/**
 * The mean that a person would find, from few labels and many judgements, whatever the judge's bias: prediction-powered
 * inference (Angelopoulos et al. 2023, Science 382:669), with the most precise weight (PPI++, Angelopoulos, Duchi &
 * Zrnic 2023). Normal quantiles: with a hundred labels 95% intervals cover 93% of the time, with fewer less. Labelled
 * items must be a random sample of all.
 */
export function correctedByLabels(
  { labels, judgedLabelled, judgedUnlabelled }: JudgedScores,
  { level = 0.95, weight }: { readonly level?: number; readonly weight?: number } = {},
): Estimate<JudgeCorrection> {
  requireLevel(level)
  requireThat(labels.length === judgedLabelled.length, `a judgement for each of ${labels.length} labels`)
  const reason = firstUnusable([labels, judgedLabelled, judgedUnlabelled], 2)
  if (reason !== undefined) return reason
  const [few, many] = [labels.length, judgedUnlabelled.length]
  const chosen = weight ?? bestWeight({ labels, judgedLabelled, judgedUnlabelled })
  const rectifiers = labels.map((label, at) => label - chosen * (judgedLabelled[at] ?? 0))
  const estimate = meanOf(rectifiers) + chosen * meanOf(judgedUnlabelled)
  const variance =
    sumOfSquares(rectifiers) / (few - 1) / few + (chosen ** 2 * sumOfSquares(judgedUnlabelled)) / (many - 1) / many
  const isCertain = isConstant(rectifiers) && (chosen === 0 || isConstant(judgedUnlabelled))
  const standardError = isCertain ? unavailable('zero_variance') : Math.sqrt(variance)
  const half = normalQuantile((1 + level) / 2) * Math.sqrt(variance)
  return {
    estimate,
    standardError,
    interval: isCertain ? unavailable('zero_variance') : { level, low: estimate - half, high: estimate + half },
    weight: chosen,
    bias: meanOf(judgedLabelled) - meanOf(labels),
    labelsOnly: meanOf(labels),
  }
}

/** Covariance of label and judgement over the judgement's variance, smaller for few judgements; limited to 0 and 1. */
function bestWeight({ labels, judgedLabelled, judgedUnlabelled }: JudgedScores): number {
  const [few, many] = [labels.length, judgedUnlabelled.length]
  const spread = sumOfSquares([...judgedLabelled, ...judgedUnlabelled]) / (few + many - 1)
  if (spread === 0) return 0
  const [meanLabel, meanJudged] = [meanOf(labels), meanOf(judgedLabelled)]
  const together = labels.reduce(
    (sum, label, at) => sum + (label - meanLabel) * ((judgedLabelled[at] ?? 0) - meanJudged),
    0,
  )
  return Math.min(1, Math.max(0, together / (few - 1) / ((1 + few / many) * spread)))
}
