import { drawingOf } from '../choices.ts'
import { excludedFrom } from '../compare/provenance.ts'
import { type Provenance, provenanceOf } from '../provenance/provenance.ts'
import { describeSummary } from '../reading.ts'
import type { PowerAnswer } from './answer.ts'
import type { PowerAsked } from './asked.ts'
import type { Pilot } from './pilot-runs.ts'

/** The question and, if there is a pilot, its runs. */
export function powerProvenance(
  { alpha, side, target_power, data }: PowerAnswer,
  pilot: Pilot | null,
  options: PowerAsked,
): Provenance {
  const asked = { alpha, side, power: target_power, model: data }
  if (pilot === null) return provenanceOf(null, { arms: [], settings: asked })
  const { evidence, arms, samples, reading } = pilot
  const { method = 'auto', trials = 1000, resamples = 499, missing = 'failed' } = options
  return provenanceOf(evidence, {
    filter: options.filter,
    arms: [
      { label: arms.control.label, runs: samples.runs.control.flat() },
      { label: arms.candidate.label, runs: samples.runs.candidate.flat() },
    ],
    excluded: excludedFrom(samples, arms.control.label, arms.candidate.label, { missing }),
    settings: {
      metric: reading.metric,
      summary: reading.summary === null ? null : describeSummary(reading.summary),
      method,
      ...asked,
      missing,
      trials,
      seed: drawingOf(options).seed,
      resamples,
    },
  })
}
