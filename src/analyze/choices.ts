import type { Missing } from '../define/experiment.ts'
import { AssayError } from '../util/errors.ts'
import type { JsonObject } from '../util/json.ts'
import type { Provenance } from './provenance/provenance.ts'
import type { Reading } from './reading.ts'

export { type Missing, missingRules } from '../define/experiment.ts'

/** The choices that users have by name. Separate from the code behind them, so that help loads none of it. */

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
/** A test besides the one that decides the verdict. */
export type OtherTest = (typeof alsoTests)[number]

export const corrections = ['holm', 'hochberg', 'bonferroni', 'bh', 'by', 'none'] as const
/** Corrections for testing several times. */
export type Correction = (typeof corrections)[number]

/** The same for candidates with a common control: `max-t` resamples their units together. */
export const candidateCorrections = [...corrections, 'max-t'] as const
export type CandidateCorrection = (typeof candidateCorrections)[number]

/** How numbers are drawn for resampling. */
export interface Drawing {
  readonly seed: number
  readonly resamples: number
  /** `numpy`: the draws of NumPy's default generator, to reproduce results made with it. */
  readonly rng: 'assay' | 'numpy'
}

export const defaultDrawing: Drawing = { seed: 1, resamples: 10_000, rng: 'assay' }

/**
 * Options of every question, by the names that the command line and the library share. Options that are not given have
 * the defaults of the commands.
 */
export interface Asked {
  /** Default: the primary one, or the only one. */
  readonly metric?: string | undefined
  /** The better direction, if the experiment does not state it. */
  readonly goal?: Reading['goal'] | undefined
  /** How a series becomes a number; without it the recorded number counts. */
  readonly summary?: NonNullable<Reading['summary']> | undefined
  /** Levels of the variant that others are compared with. */
  readonly control?: JsonObject | undefined
  readonly unpaired?: boolean | undefined
  readonly missing?: Missing | undefined
  readonly method?: Method | undefined
  readonly alpha?: number | undefined
  readonly seed?: number | undefined
  readonly resamples?: number | undefined
  readonly rng?: Drawing['rng'] | undefined
  /** Which runs: already applied to the evidence, and recorded in the provenance. */
  readonly filter?: readonly string[] | undefined
}

/** A document with its provenance. */
export type Told<T> = T & { readonly provenance: Provenance }

export function drawingOf({ seed, resamples, rng }: Pick<Asked, 'seed' | 'resamples' | 'rng'>): Drawing {
  return {
    seed: seed ?? defaultDrawing.seed,
    resamples: resamples ?? defaultDrawing.resamples,
    rng: rng ?? defaultDrawing.rng,
  }
}

/** For questions without a common control: nothing could be resampled together. */
export function correctionOfP(correction: CandidateCorrection = 'holm'): Correction {
  if (correction === 'max-t')
    throw new AssayError('usage', '--correction max-t is for candidates that share a control, in compare', {
      hint: 'give holm, hochberg, bonferroni, bh, by or none',
    })
  return correction
}
