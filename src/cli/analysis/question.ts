import { type Asked, defaultDrawing } from '../../analyze/choices.ts'
import type { CompareAsked } from '../../analyze/compare/compare.ts'
import { defaultSummary, summaryOption } from '../../analyze/reading.ts'
import { AssayError } from '../../util/errors.ts'
import type { Options } from '../options.ts'
import { namesRuns } from './named-runs.ts'

/**
 * The question that the command line asks. For named runs, a series is summarised as in Metta's benchmark pipeline; for
 * others, the recorded number counts.
 */
export function askedBy(options: Options): Omit<Options, keyof Asked | keyof CompareAsked> & CompareAsked {
  return {
    ...options,
    seed: seedOption(options),
    summary: summaryOption(options) ?? (namesRuns(options) ? defaultSummary : undefined),
    tTest: isOn(options.ttestEnabled) ? { assumptionAlpha: options.ttestAssumptionAlpha ?? 0.05 } : undefined,
  }
}

/** Switches of Metta's pipeline take a value: `--ttest.enabled true`. */
export const isOn = (text: string | undefined): boolean => text !== undefined && /^(true|yes|1|on)$/i.test(text)

export function seedOption({ seed }: Options): number {
  if (seed !== undefined && !/^\d{1,15}$/.test(seed))
    throw new AssayError('usage', `--seed: expected a whole number, 0 or more, got "${seed}"`)
  return seed === undefined ? defaultDrawing.seed : Number(seed)
}

/** Series are large: only the requested one is read, or all if none is named. */
export const seriesWanted = ({ metric }: { readonly metric?: string | undefined }): 'all' | readonly string[] =>
  metric === undefined ? 'all' : [metric]
