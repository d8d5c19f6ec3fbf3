import { betaCdf, betaQuantile, betaSurvival } from '../../../../src/stats/distributions/beta.ts'
import { binomialCdf, binomialProbability, binomialSurvival } from '../../../../src/stats/distributions/binomial.ts'
import {
  chiSquaredCdf,
  chiSquaredQuantile,
  chiSquaredSurvival,
} from '../../../../src/stats/distributions/chi-squared.ts'
import { fisherFCdf, fisherFQuantile, fisherFSurvival } from '../../../../src/stats/distributions/fisher-f.ts'
import { noncentralTCdf, noncentralTSurvival } from '../../../../src/stats/distributions/noncentral-t.ts'
import { normalCdf, normalQuantile, normalSurvival } from '../../../../src/stats/distributions/normal.ts'
import {
  studentTCdf,
  studentTQuantile,
  studentTSurvival,
  studentTTwoSided,
} from '../../../../src/stats/distributions/student-t.ts'
import { studentizedRangeCdf, studentizedRangeQuantile } from '../../../../src/stats/distributions/studentized-range.ts'
import { incompleteGamma } from '../../../../src/stats/special/incomplete-gamma.ts'
import { logGamma } from '../../../../src/stats/special/log-gamma.ts'
import type { Evaluate, Input } from '../evaluate.ts'

const value =
  (compute: (input: Input) => number): Evaluate =>
  input => ({ value: compute(input) })

export const dist: Readonly<Record<string, Evaluate>> = {
  'dist.normCdf': value(({ x }) => normalCdf(x)),
  'dist.normSf': value(({ x }) => normalSurvival(x)),
  'dist.normPpf': value(({ p }) => normalQuantile(p)),
  'dist.tCdf': value(({ t, df }) => studentTCdf(t, df)),
  'dist.tSf': value(({ t, df }) => studentTSurvival(t, df)),
  'dist.tTwoSidedP': value(({ t, df }) => studentTTwoSided(t, df)),
  'dist.tPpf': value(({ p, df }) => studentTQuantile(p, df)),
  'dist.chi2Cdf': value(({ x, df }) => chiSquaredCdf(x, df)),
  'dist.chi2Sf': value(({ x, df }) => chiSquaredSurvival(x, df)),
  'dist.chi2Ppf': value(({ p, df }) => chiSquaredQuantile(p, df)),
  'dist.fCdf': value(({ f, d1, d2 }) => fisherFCdf(f, d1, d2)),
  'dist.fSf': value(({ f, d1, d2 }) => fisherFSurvival(f, d1, d2)),
  'dist.fPpf': value(({ p, d1, d2 }) => fisherFQuantile(p, d1, d2)),
  'dist.betaIncReg': value(({ a, b, x }) => betaCdf(x, a, b)),
  'dist.betaCdf': value(({ a, b, x }) => betaCdf(x, a, b)),
  'dist.betaSf': value(({ a, b, x }) => betaSurvival(x, a, b)),
  'dist.betaPpf': value(({ a, b, p }) => betaQuantile(p, a, b)),
  'dist.gammaIncReg': value(({ a, x }) => incompleteGamma(a, x).lower),
  'dist.logGamma': value(({ x }) => logGamma(x)),
  'dist.binomCdf': value(({ k, n, p }) => binomialCdf(k, n, p)),
  'dist.binomSf': value(({ k, n, p }) => binomialSurvival(k, n, p)),
  'dist.binomPmf': value(({ k, n, p }) => binomialProbability(k, n, p)),
  'dist.nctSf': value(({ t, df, nc }) => noncentralTSurvival(t, df, nc)),
  'dist.nctCdf': value(({ t, df, nc }) => noncentralTCdf(t, df, nc)),
  'dist.studentizedRangeCdf': value(({ q, k, df }) => studentizedRangeCdf(q, k, df)),
  'dist.studentizedRangePpf': value(({ p, k, df }) => studentizedRangeQuantile(p, k, df)),
}
