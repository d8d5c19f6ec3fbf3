/**
 * assay's statistics on their own: pure functions on arrays, for Node and the browser.
 * What the data cannot answer comes as `{ unavailable: reason }`, never as a number.
 * @module
 */
export { maxTAdjusted, simultaneousCriticalValue } from './adjust/max-t.ts'
export {
  type Adjustment,
  benjaminiHochberg,
  benjaminiYekutieli,
  bonferroni,
  hochberg,
  holm,
  sidak,
} from './adjust/p-values.ts'
export { type Differences, knownDifferences, pairedDifferences } from './describe/differences.ts'
export { meanWithinBounds, omitNaN, omitNaNPairs, replaceNaN } from './describe/missing.ts'
export {
  coefficientOfVariation,
  mean,
  skewness,
  standardDeviation,
  standardError,
  variance,
} from './describe/moments.ts'
export { median, type QuantileType, quantile } from './describe/quantile.ts'
export { midranks } from './describe/ranks.ts'
export { medianAbsoluteDeviation, trimmedMean, trimmedStandardError, winsorisedVariance } from './describe/robust.ts'
export { type Summary, summarize } from './describe/summary.ts'
export { betaCdf, betaDensity, betaQuantile, betaSurvival } from './distributions/beta.ts'
export { binomialCdf, binomialProbability, binomialQuantile, binomialSurvival } from './distributions/binomial.ts'
export { chiSquaredCdf, chiSquaredQuantile, chiSquaredSurvival } from './distributions/chi-squared.ts'
export { fisherFCdf, fisherFQuantile, fisherFSurvival } from './distributions/fisher-f.ts'
export { hypergeometricProbability } from './distributions/hypergeometric.ts'
export { noncentralTCdf, noncentralTSurvival } from './distributions/noncentral-t.ts'
export { logNormalSurvival, normalCdf, normalDensity, normalQuantile, normalSurvival } from './distributions/normal.ts'
export {
  studentTCdf,
  studentTQuantile,
  studentTSurvival,
  studentTTwoSided,
  studentTUpperQuantile,
} from './distributions/student-t.ts'
export { studentizedRangeCdf, studentizedRangeQuantile } from './distributions/studentized-range.ts'
export { type LogRatio, logRatio, pairedLogRatio } from './effect/log-ratio.ts'
export { cliffsDelta, commonLanguageEffect, varghaDelaneyA } from './effect/ordinal.ts'
export { type PairingGain, pairingGain } from './effect/pairing.ts'
export { cohensD, cohensDz, glassDelta, hedgesG, smallSampleFactor } from './effect/standardized.ts'
export type { Interval } from './intervals/interval.ts'
export { type MeanInterval, meanInterval } from './intervals/mean.ts'
export { newcombeInterval, newcombePairedInterval, type PairedCounts } from './intervals/newcombe.ts'
export { permutationIndependentInterval, permutationPairedInterval } from './intervals/permutation.ts'
export {
  agrestiCoullInterval,
  clopperPearsonInterval,
  jeffreysInterval,
  wilsonInterval,
} from './intervals/proportion.ts'
export { pairedRatioInterval, type RatioInterval, ratioInterval } from './intervals/ratio.ts'
export { type Estimate, isAvailable, type Reason, type Unavailable, valueOrNull, whenAvailable } from './outcome.ts'
export {
  cheapestPlan,
  type QuestionCosts,
  type QuestionOptions,
  type QuestionPlan,
  type QuestionVariances,
  questionsDetect,
  questionsNeeded,
} from './power/eval-questions.ts'
export { sampleSizeForHalfWidth, sdInterval } from './power/half-width.ts'
export { type Discordance, mcnemarPower, mcnemarSampleSize } from './power/mcnemar.ts'
export { pairsByNormalApproximation, type Sides } from './power/normal-approximation.ts'
export { type PlannedRuns, runsFromPilot } from './power/pilot.ts'
export {
  powerFromPilotGroups,
  powerFromPilotPairs,
  type SimulatedPower,
  type Simulation,
  simulatedPower,
} from './power/resampling.ts'
export {
  type Design,
  type DesignWithoutN,
  minimumDetectableEffect,
  type PowerOptions,
  type SampleSize,
  tTestPower,
  tTestSampleSize,
} from './power/t-test.ts'
export {
  cohensH,
  type ProportionSampleSize,
  type TwoProportionsOptions,
  twoProportionsPower,
  twoProportionsSampleSize,
} from './power/two-proportions.ts'
export type { Alternative, ExactP } from './tests/alternative.ts'
export { type Centre, type Levene, leveneTest } from './tests/assumptions/levene.ts'
export { type ShapiroWilk, shapiroWilkTest } from './tests/assumptions/shapiro-wilk.ts'
export {
  type Equivalence,
  equivalence,
  equivalencePaired,
  equivalenceWelch,
  type Margins,
  type NonInferiority,
  nonInferiority,
  nonInferiorityPaired,
  nonInferiorityWelch,
} from './tests/means/equivalence.ts'
export { oneSampleTTest, pairedTTest } from './tests/means/paired-t.ts'
export type { TTest, TTestOptions } from './tests/means/t-inference.ts'
export { pooledTTest, welchTest } from './tests/means/welch.ts'
export { yuenTest } from './tests/means/yuen.ts'
export { permutationIndependent } from './tests/permutation/independent.ts'
export { permutationPaired } from './tests/permutation/paired.ts'
export type { PermutationTest, Sampling } from './tests/permutation/permutation-test.ts'
export { type FisherExact, fisherExactTest } from './tests/proportions/fisher-exact.ts'
export { type McNemar, mcnemarTest } from './tests/proportions/mcnemar.ts'
export { type Count, type TwoProportions, twoProportionsTest } from './tests/proportions/two-proportions.ts'
export { type BrunnerMunzel, brunnerMunzelTest } from './tests/ranks/brunner-munzel.ts'
export { type Friedman, friedmanTest } from './tests/ranks/friedman.ts'
export {
  type MannWhitney,
  type MannWhitneyExact,
  type MannWhitneyNormal,
  type MannWhitneyNormalOptions,
  mannWhitneyExact,
  mannWhitneyNormal,
  mannWhitneyU,
} from './tests/ranks/mann-whitney.ts'
export { criticalDistance, tiedGroups } from './tests/ranks/nemenyi.ts'
export { type SignTest, signTest } from './tests/ranks/sign.ts'
export { type SignedRanks, signedRanks, type Zeros } from './tests/ranks/signed-ranks.ts'
export {
  mostExactPairs,
  type WilcoxonExact,
  type WilcoxonNormal,
  type WilcoxonNormalOptions,
  wilcoxonExact,
  wilcoxonNormal,
} from './tests/ranks/wilcoxon.ts'
export { pairsToReach, smallestPairedP, smallestTwoGroupP } from './tests/smallest-p.ts'
