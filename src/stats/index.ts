/**
 * assay's statistics on their own: pure functions on arrays, for Node and the browser. If the data can't answer, the
 * result is `{ unavailable: reason }`, never a number.
 *
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
export { type CohenKappa, cohenKappa, type Label } from './agreement/cohen-kappa.ts'
export { correctedByLabels, type JudgeCorrection, type JudgedScores } from './agreement/judge-correction.ts'
export {
  betaMean,
  credibleInterval,
  highestDensityInterval,
  posteriorOf,
  probabilityEquivalent,
  probabilityGreater,
  type Trials,
  uniformPrior,
} from './bayes/beta-binomial.ts'
export type { Beta } from './bayes/mean-under-beta.ts'
export { densestInterval, type PracticalEquivalence, practicalEquivalence } from './bayes/practical-equivalence.ts'
export {
  type DrawOptions,
  type GroupPosterior,
  posteriorDifference,
  type TPosterior,
  tPosterior,
} from './bayes/t-posterior.ts'
export { acceleration } from './bootstrap/acceleration.ts'
export { type BcaLevels, bcaLevels } from './bootstrap/bca-levels.ts'
export {
  type BootstrapInterval,
  type BootstrapIntervalOptions,
  type BootstrapMethod,
  bootstrapInterval,
} from './bootstrap/bootstrap-interval.ts'
export { type BootstrapPValueOptions, bootstrapPValue } from './bootstrap/bootstrap-p-value.ts'
export { resampleClusters } from './bootstrap/resample/resample-clusters.ts'
export { resampleDifference } from './bootstrap/resample/resample-difference.ts'
export { type NestedOptions, resampleNested, type Tasks } from './bootstrap/resample/resample-nested.ts'
export { resamplePairs } from './bootstrap/resample/resample-pairs.ts'
export { type RatioOptions, resampleRatio } from './bootstrap/resample/resample-ratio.ts'
export { resampleSmoothly, silvermanBandwidth } from './bootstrap/resample/resample-smoothly.ts'
export { resampleStrata, type StrataOptions } from './bootstrap/resample/resample-strata.ts'
export { resampleValues } from './bootstrap/resample/resample-values.ts'
export type { Resampled, ResampleOptions } from './bootstrap/resample/resampled.ts'
export {
  meanStatistic,
  medianStatistic,
  type Statistic,
  standardDeviationStatistic,
  trimmedMeanStatistic,
  varianceStatistic,
} from './bootstrap/resample/statistic.ts'
export { simultaneousDifferences } from './bootstrap/simultaneous-differences.ts'
export {
  type SimultaneousInterval,
  type SimultaneousIntervals,
  simultaneousIntervals,
} from './bootstrap/simultaneous-intervals.ts'
export {
  resampledTs,
  type Studentized,
  type StudentizedInterval,
  steadyError,
  studentizeDifference,
  studentizedInterval,
  studentizeMean,
} from './bootstrap/studentized.ts'
export { studentizedPValue } from './bootstrap/studentized-p-value.ts'
export { type KendallCorrelation, kendallCorrelation } from './correlation/kendall.ts'
export { type Correlation, pearsonCorrelation } from './correlation/pearson.ts'
export { spearmanCorrelation } from './correlation/spearman.ts'
export { areaUnder, type StepAxis } from './curves/area.ts'
export { type GriddedSeries, onCommonGrid } from './curves/common-grid.ts'
export { type CurveBand, pointwiseBand, simultaneousBand } from './curves/curve-band.ts'
export { bestOf, meanOfLast, type ReduceOptions, reduceSeries } from './curves/reduce-series.ts'
export { type Goal, parseReduction, type Reduction } from './curves/reduction.ts'
export type { Series } from './curves/series.ts'
export { slopeOf } from './curves/slope.ts'
export { timeTo } from './curves/time-to.ts'
export { inWindow, type Window } from './curves/window.ts'
export { areConstant, type Differences, knownDifferences, pairedDifferences } from './describe/differences.ts'
export { meanWithinBounds, omitNaN, omitNaNPairs, replaceNaN } from './describe/missing.ts'
export {
  coefficientOfVariation,
  isConstant,
  mean,
  meanOf,
  skewness,
  standardDeviation,
  standardError,
  sumOfSquares,
  variance,
} from './describe/moments.ts'
export { median, type QuantileType, quantile, sorted, sortedQuantile } from './describe/quantile.ts'
export { midranks } from './describe/ranks.ts'
export { medianAbsoluteDeviation, trimmedMean, trimmedStandardError, winsorisedVariance } from './describe/robust.ts'
export { type Summary, summarize } from './describe/summary.ts'
export { firstUnusable, unusable } from './describe/usable.ts'
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
export { type Estimate, isAvailable, type Reason, type Unavailable, valueOrNull, whenAvailable } from './estimate.ts'
export { remainingTotal, type Stratum } from './forecast/remaining-total.ts'
export { type ClusteredError, clusteredError, clusteredInterval } from './hierarchy/clustered-error.ts'
export { type CrossedComponents, crossedComponents } from './hierarchy/crossed-components.ts'
export { type CrossedCell, type CrossedMean, crossedMean, type WeightedRows } from './hierarchy/crossed-mean.ts'
export { type CrossedDesign, crossedPower } from './hierarchy/crossed-test.ts'
export {
  designEffect,
  effectiveSize,
  type IntraclassCorrelation,
  intraclassCorrelation,
} from './hierarchy/intraclass-correlation.ts'
export { type PairedQuestions, pairedQuestions } from './hierarchy/paired-questions.ts'
export { type Shrunk, shrinkMeans, shrinkRates, shrinkSystems } from './hierarchy/shrinkage.ts'
export { type VarianceComponents, varianceComponents } from './hierarchy/variance-components.ts'
export type { Interval } from './interval.ts'
export { type MeanInterval, meanInterval } from './intervals/mean.ts'
export { newcombeInterval, newcombePairedInterval } from './intervals/newcombe.ts'
export { permutationIndependentInterval, permutationPairedInterval } from './intervals/permutation.ts'
export {
  agrestiCoullInterval,
  clopperPearsonInterval,
  jeffreysInterval,
  wilsonInterval,
} from './intervals/proportion.ts'
export { pairedRatioInterval, type RatioInterval, ratioInterval } from './intervals/ratio.ts'
export { type DefaultTest, defaultTest, type Sizes } from './power/default-test.ts'
export type { Discordance } from './power/discordant-items.ts'
export {
  cheapestPlan,
  type QuestionCosts,
  type QuestionOptions,
  type QuestionPlan,
  type QuestionVariances,
  questionsDetect,
  questionsNeeded,
} from './power/eval-questions.ts'
export { fewestRuns } from './power/fewest.ts'
export { type FisherPower, fisherMidPPower } from './power/fisher-mid-p.ts'
export { type GroupScorePower, groupScorePower } from './power/group-score.ts'
export { sampleSizeForHalfWidth, sdInterval } from './power/half-width.ts'
export { mcnemarPower, mcnemarSampleSize } from './power/mcnemar.ts'
export { mcnemarMidPPower } from './power/mcnemar-mid-p.ts'
export { pairsByNormalApproximation, type Sides } from './power/normal-approximation.ts'
export { type PairedScorePower, pairedScorePower } from './power/paired-score.ts'
export { type PlannedRuns, runsFromPilot } from './power/pilot.ts'
export {
  powerFromPilotGroups,
  powerFromPilotPairs,
  type SimulatedPower,
  type Simulation,
  simulatedPower,
} from './power/resampling.ts'
export { reach, wholeRuns } from './power/solve.ts'
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
export { counterRandom } from './random/counter-random.ts'
export { numpyRandom } from './random/numpy-random.ts'
export type { RandomSource } from './random/random-source.ts'
export { type BradleyTerry, bradleyTerry } from './ranking/bradley-terry.ts'
export { type PlaceRange, placeRanges } from './ranking/place-ranges.ts'
export { type RankedSystem, type RankOptions, rankSystems } from './ranking/rank-systems.ts'
export {
  type Aggregate,
  fractionalInterquartileMean,
  interquartileMean,
  meanScore,
  medianScore,
  optimalityGap,
} from './rliable/aggregate.ts'
export { type AggregateScores, aggregateScores } from './rliable/aggregate-scores.ts'
export {
  type PerformanceProfile,
  type ProfileBand,
  performanceProfile,
  performanceProfileBand,
} from './rliable/performance-profile.ts'
export {
  type ProbabilityOfImprovement,
  probabilityOfImprovement,
  resampleImprovement,
} from './rliable/probability-of-improvement.ts'
export { type ScoreTable, type TaskScores, taskScores } from './rliable/score-table.ts'
export { resampleScoreDifference, resampleScores, type StratifiedOptions } from './rliable/stratified-bootstrap.ts'
export { type Calibration, type CalibrationBin, calibration } from './scores/calibration.ts'
export { type CostPerSuccess, costPerSuccess } from './scores/cost-per-success.ts'
export { passAtK, passHatK, type TaskAttempts } from './scores/pass-at-k.ts'
export { type PassRate, type PassRateOptions, passRate } from './scores/pass-rate.ts'
export { type SurvivalPoint, type TimedRun, type TimeToSuccess, timeToSuccess } from './scores/survival.ts'
export { signEvidence } from './sequential/sign-evidence.ts'
export { incompleteGamma } from './special/incomplete-gamma.ts'
export type { Alternative, ExactP } from './tests/alternative.ts'
export { type Centre, type Levene, leveneTest } from './tests/assumptions/levene.ts'
export { type ShapiroWilk, shapiroWilkTest } from './tests/assumptions/shapiro-wilk.ts'
export { type SkewnessTest, skewnessTest } from './tests/assumptions/skewness.ts'
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
export { type TTest, type TTestOptions, tInference } from './tests/means/t-inference.ts'
export { pooledTTest, steadyWelchTest, welchTest } from './tests/means/welch.ts'
export { yuenTest } from './tests/means/yuen.ts'
export { binomialCoefficient, permutationIndependent } from './tests/permutation/independent.ts'
export { permutationPaired } from './tests/permutation/paired.ts'
export type { PermutationTest, Sampling } from './tests/permutation/permutation-test.ts'
export { areUnlikeInSize, studentizedPermutation } from './tests/permutation/studentized.ts'
export { type FisherExact, fisherExactTest } from './tests/proportions/fisher-exact.ts'
export { type GroupScore, groupScoreInterval, groupScoreTest } from './tests/proportions/group-score.ts'
export { type McNemar, mcnemarTest } from './tests/proportions/mcnemar.ts'
export { type PairedScore, pairedScoreInterval, pairedScoreTest } from './tests/proportions/paired-score.ts'
export {
  type Count,
  type PairedCounts,
  type TwoProportions,
  twoProportionsTest,
} from './tests/proportions/two-proportions.ts'
export { type BrunnerMunzel, brunnerMunzelTest } from './tests/ranks/brunner-munzel.ts'
export { clusteredSuperiority } from './tests/ranks/clustered-superiority.ts'
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
export { type BootstrapCv, type BootstrapCvCurve, bootstrapCvCurve } from './variation/bootstrap-cv-curve.ts'
export { type CvCurve, cvCurve } from './variation/cv-curve.ts'
export { type CvInterval, cvBound, cvInterval } from './variation/cv-interval.ts'
export { type CvOrderBand, cvOrderBand } from './variation/cv-order-band.ts'
export { type Precision, precisionCurve, type RunsForHalfWidth, runsForHalfWidth } from './variation/precision-curve.ts'
export { type RunsForCv, runsForCv } from './variation/runs-for-cv.ts'
export {
  effectiveUnits,
  type StratifiedMean,
  stratifiedDifference,
  stratifiedMean,
  studentizeStratified,
  type WeightedStratum,
} from './weighted/stratified-mean.ts'
