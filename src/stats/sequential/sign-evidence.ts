import { incompleteBeta } from '../special/incomplete-beta.ts'
import { logGamma } from '../special/log-gamma.ts'

/**
 * How strongly pairs speak for "worse more often than better", whenever one looks: an e-value against a share of worse
 * pairs of at most one half. Pairs come one by one, ties left out. If the share is at most ½, the evidence ever reaches
 * 1/α with a probability of at most α (Ville's inequality), so one may look after each pair and stop.
 *
 * The likelihood ratio against ½, averaged over a share that is uniform between ½ and 1; at the border of the hypothesis
 * it is a martingale, below a supermartingale. See Ramdas et al., Game-theoretic statistics and safe anytime-valid
 * inference (Statistical Science 38, 2023).
 */
export function signEvidence(worse: number, better: number): number {
  const pairs = worse + better
  const logBeta = logGamma(worse + 1) + logGamma(better + 1) - logGamma(pairs + 2)
  return Math.exp((pairs + 1) * Math.LN2 + logBeta) * incompleteBeta(worse + 1, better + 1, 0.5).upper
}
