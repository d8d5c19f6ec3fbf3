import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../../../stats/estimate.ts'
import {
  type Aggregate,
  bootstrapInterval,
  interquartileMean,
  meanScore,
  medianScore,
  optimalityGap,
  performanceProfile,
  performanceProfileBand,
  probabilityOfImprovement,
  type Resampled,
  resampleImprovement,
  resampleScoreDifference,
  resampleScores,
  type ScoreTable,
} from '../../../stats/index.ts'
import { AssayError } from '../../../util/errors.ts'
import type { Drawing } from '../../choices.ts'
import { wordsFor } from '../../reading.ts'
import type { ArmSamples } from '../../samples.ts'
import { type Bounded, boundsOf, type RliableFinding, type RliableProfile } from '../comparison.ts'
import { sourceOf } from '../method.ts'

interface RliableOptions {
  readonly level: number
  readonly drawing: Drawing
  readonly goal: 'maximize' | 'minimize'
}

/**
 * The aggregates of Agarwal et al. 2021 ("rliable"), for these tasks: runs are resampled within each task, so the
 * intervals cover other runs of the same tasks, not other tasks. Tasks may have different numbers of runs.
 */
export function rliableOf({ lists, pairedBy, unit }: ArmSamples, options: RliableOptions): RliableFinding {
  if (pairedBy === null)
    throw new AssayError('usage', '--rliable is about runs of the same tasks, and the arms have no task in common', {
      hint: 'name what a task is with --pair-by',
    })
  const control = tableOf(lists.control)
  const candidate = tableOf(lists.candidate)
  const bounded = boundedBy({ ...options, unit })
  const drawn = drawingFor(options, lists)
  const aggregates: readonly (readonly [RliableFinding['aggregates'][number]['name'], Aggregate])[] = [
    ['mean', meanScore],
    ['median', medianScore],
    ['iqm', interquartileMean],
    ['optimality_gap', optimalityGap()],
  ]
  return {
    tasks: lists.control.length,
    runs: { control: lists.control.flat().length, candidate: lists.candidate.flat().length },
    aggregates: aggregates.map(([name, aggregate]) => {
      const [ours, theirs] = [lists.control, lists.candidate].map(own =>
        own.length === 0 ? null : aggregate(own.map(scores => Float64Array.from(scores))),
      )
      return {
        name,
        control: bounded(ours ?? null, resampleScores(control, aggregate, drawn())),
        candidate: bounded(theirs ?? null, resampleScores(candidate, aggregate, drawn())),
        difference: bounded(
          ours == null || theirs == null ? null : theirs - ours,
          resampleScoreDifference(candidate, control, aggregate, drawn()),
        ),
      }
    }),
    probability_of_improvement: improvement(control, candidate, options, bounded, drawn),
    profile: profiles(lists, options, drawn),
  }
}

type Bound = (value: number | null, resampled: Estimate<Resampled>) => Bounded

const boundedBy =
  ({ level, unit }: { readonly level: number; readonly unit: string }): Bound =>
  (value, resampled) => {
    const interval = whenAvailable(resampled, found => bootstrapInterval(found, { level }))
    const reason = isAvailable(interval)
      ? null
      : interval.unavailable === 'too_few_values'
        ? `every ${unit} has one run`
        : wordsFor(interval.unavailable)
    return { value, ci: isAvailable(interval) ? boundsOf(interval) : null, reason }
  }

/** If less is better, the candidate improves by being below. */
function improvement(
  control: ScoreTable,
  candidate: ScoreTable,
  { goal }: RliableOptions,
  bounded: Bound,
  drawn: () => ReturnType<ReturnType<typeof drawingFor>>,
): Bounded {
  const [better, worse] = goal === 'maximize' ? [candidate, control] : [control, candidate]
  return bounded(
    valueOrNull(whenAvailable(probabilityOfImprovement(better, worse), ({ estimate }) => estimate)),
    resampleImprovement(better, worse, drawn()),
  )
}

const profilePoints = 21

function profiles(
  lists: ArmSamples['lists'],
  { level }: RliableOptions,
  drawn: () => ReturnType<ReturnType<typeof drawingFor>>,
): RliableFinding['profile'] {
  const all = [...lists.control, ...lists.candidate].flat()
  const [low, high] = all.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)] as const, [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as const)
  const thresholds =
    all.length === 0
      ? []
      : Array.from({ length: profilePoints }, (_, at) => low + ((high - low) * at) / (profilePoints - 1))
  const profileOf = (own: readonly (readonly number[])[]): RliableProfile | null => {
    const table = tableOf(own)
    const profile = performanceProfile(table, thresholds)
    const band = performanceProfileBand(table, thresholds, { ...drawn(), level })
    if (!isAvailable(profile)) return null
    const bounds = isAvailable(band) ? band.simultaneous : []
    return {
      share: profile.ofRuns,
      low: bounds.map(interval => interval.low),
      high: bounds.map(interval => interval.high),
    }
  }
  return { thresholds, control: profileOf(lists.control), candidate: profileOf(lists.candidate) }
}

/** A row for each run and a column for each task, null where a task has fewer runs than others. */
function tableOf(tasks: readonly (readonly number[])[]): ScoreTable {
  const rows = tasks.reduce((most, scores) => Math.max(most, scores.length), 0)
  return Array.from({ length: rows }, (_, run) => tasks.map(scores => scores[run] ?? null))
}

/** Sorting all scores of every resample is slow: with many scores there are fewer resamples. */
function drawingFor({ drawing }: RliableOptions, { control, candidate }: ArmSamples['lists']) {
  const scores = control.flat().length + candidate.flat().length
  const resamples = Math.min(drawing.resamples, Math.max(1000, Math.round(3e6 / Math.max(1, scores))))
  return () => ({ random: sourceOf(drawing), resamples })
}
