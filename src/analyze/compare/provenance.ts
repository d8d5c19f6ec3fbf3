import type { Evidence } from '../../define/observation.ts'
import type { JsonObject } from '../../util/json.ts'
import { type Exclusion, type Provenance, provenanceOf } from '../provenance/provenance.ts'
import { describeSummary } from '../reading.ts'
import type { ArmSamples } from '../samples.ts'
import { statisticText, theMean } from '../statistic.ts'
import type { DroppedRun } from '../units/cells.ts'
import type { Comparison } from './comparison.ts'
import type { Question } from './question.ts'

/** A comparison together with the numbers it was made from, for tables and pictures. */
export interface Compared {
  readonly comparison: Comparison
  readonly samples: ArmSamples
}

/** The basis of the comparisons of one control with its candidates. */
export function comparisonProvenance(
  evidence: Evidence,
  question: Question,
  compared: readonly Compared[],
  filter: readonly string[] | undefined,
): Provenance {
  const { control, candidates } = question
  return provenanceOf(evidence, {
    filter,
    arms: [
      { label: control.label, runs: [...new Set(compared.flatMap(({ samples }) => samples.runs.control.flat()))] },
      ...candidates.map(({ label }, at) => ({ label, runs: compared[at]?.samples.runs.candidate.flat() ?? [] })),
    ],
    excluded: compared.flatMap(({ samples }, at) =>
      excludedFrom(samples, control.label, candidates[at]?.label ?? '', question),
    ),
    settings: questionSettings(
      question,
      compared.map(({ comparison }) => comparison.ci?.method),
    ),
  })
}

/** Runs without a value, and pairs with one side missing. Values that count as 0 are not left out. */
export function excludedFrom(
  { dropped, pairedBy, unit }: Pick<ArmSamples, 'dropped' | 'pairedBy' | 'unit'>,
  control: string,
  candidate: string,
  { missing }: Pick<Question, 'missing'>,
): readonly Exclusion[] {
  const short = (dropped.short ?? []).map(own => ({ arm: null, what: `${unit} ${own}`, reason: 'too few runs' }))
  if (missing === 'zero' || missing === 'bounds') return short
  const isLeftOut = ({ counts_as }: DroppedRun): boolean => counts_as === undefined
  return [
    ...short,
    ...dropped.control.filter(isLeftOut).map(({ run, reason }) => ({ arm: control, what: run, reason })),
    ...dropped.candidate.filter(isLeftOut).map(({ run, reason }) => ({ arm: candidate, what: run, reason })),
    ...dropped.unmatched.map(where => ({
      arm: null,
      what: `${pairedBy?.length === 1 ? `${pairedBy[0]} ` : ''}${where}`,
      reason: `only one of ${control} and ${candidate} has a value there`,
    })),
  ]
}

type Settings = Pick<
  Question,
  'chosenFrom' | 'reading' | 'statistic' | 'method' | 'alpha' | 'alternative' | 'correction' | 'missing' | 'drawing'
> & {
  readonly margin?: string | null
}

/** Everything besides the runs that affects the numbers. */
export function questionSettings(
  {
    chosenFrom,
    reading,
    statistic = theMean,
    method,
    alpha,
    alternative,
    correction,
    missing,
    margin = null,
    drawing,
  }: Settings,
  used: readonly (string | undefined)[],
): JsonObject {
  return {
    metric: reading.metric,
    goal: reading.goal,
    statistic: statisticText(statistic) ?? 'mean',
    summary: reading.summary === null ? null : describeSummary(reading.summary),
    method,
    // The methods that `auto` chose, by the kind of data and the design.
    intervals: [...new Set(used.flatMap(name => name ?? []))],
    alpha,
    side: alternative,
    margin,
    correction,
    ...(chosenFrom === undefined ? {} : { chosen_from: chosenFrom }),
    missing,
    seed: drawing.seed,
    resamples: drawing.resamples,
    rng: drawing.rng,
  }
}
