export { type Missing, missingRules } from '../define/experiment.ts'

/** What people may ask for by name. Apart from the code behind it, so that help needs none of that. */

export const methods = [
  'auto',
  't',
  'studentized',
  'wider',
  'percentile',
  'basic',
  'bca',
  'smooth',
  'nested',
  'permutation',
  'newcombe',
  'score',
] as const
/** How an interval is made. */
export type Method = (typeof methods)[number]

export const alsoTests = ['wilcoxon', 'sign', 'mann-whitney', 'brunner-munzel', 'yuen'] as const
/** A test besides the one that the verdict goes by. */
export type OtherTest = (typeof alsoTests)[number]

export const corrections = ['holm', 'hochberg', 'bonferroni', 'bh', 'by', 'none'] as const
/** Against finding something by trying often. */
export type Correction = (typeof corrections)[number]

/** The same of candidates that share a control: `max-t` draws their units together. */
export const candidateCorrections = [...corrections, 'max-t'] as const
export type CandidateCorrection = (typeof candidateCorrections)[number]

/** How numbers are drawn for resampling. */
export interface Drawing {
  readonly seed: number
  readonly resamples: number
  /** `numpy`: the draws of NumPy's default generator, to reproduce what was made with it. */
  readonly rng: 'assay' | 'numpy'
}

export const defaultDrawing: Drawing = { seed: 1, resamples: 10_000, rng: 'assay' }
