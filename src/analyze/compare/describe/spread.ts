import { levelOf } from '../../../define/observation.ts'
import { valueOrNull } from '../../../stats/estimate.ts'
import { clusteredError, meanOf, varianceComponents } from '../../../stats/index.ts'
import { canonicalJson } from '../../../util/json.ts'
import type { ArmSamples } from '../../samples.ts'

/** The sources of variation in an arm whose units have several runs: between units, and between runs of a unit. */
export interface ArmSpread {
  readonly units: number
  readonly runs: number
  readonly between_sd: number | null
  readonly within_sd: number | null
  /** The intraclass correlation of a unit's runs: the share of a run's variance that is due to its unit. */
  readonly intraclass_correlation: number | null
  /** How many runs carry as much information as one independent run, and how many independent ones they amount to. */
  readonly design_effect: number | null
  /** At most the number of runs, and at least one for each unit. */
  readonly effective_runs: number | null
}

export interface Spread {
  readonly control: ArmSpread
  readonly candidate: ArmSpread
  /** Other factors that vary within units: their effects are removed. */
  readonly apart_from: readonly string[]
}

/**
 * Null if every unit is a single run: then there is nothing to separate. Runs of a unit that differ in another factor
 * are no repetitions, so only the variation around the means of its levels counts as spread between runs.
 */
export function spreadOf(
  { lists, runs }: Pick<ArmSamples, 'lists' | 'runs'>,
  others: readonly string[],
): Spread | null {
  const ours = repeated(lists.control, runs.control, others)
  const theirs = repeated(lists.candidate, runs.candidate, others)
  if ([...ours, ...theirs].every(list => list.length < 2)) return null
  return { control: armSpread(ours), candidate: armSpread(theirs), apart_from: others }
}

type Lists = readonly (readonly number[])[]

/** The values of each unit without the effects of its settings; nothing if no setting of a unit has several runs. */
function repeated(lists: Lists, runs: ArmSamples['runs']['control'], others: readonly string[]): Lists {
  if (others.length === 0) return lists
  const settings = runs.map(own => own.map(run => canonicalJson(others.map(name => levelOf(run, name)))))
  const isSingle = settings.every(own => new Set(own).size === own.length)
  // A side of a pair that counts as 0 without having been run has no setting.
  if (isSingle || lists.some((list, at) => list.length !== settings[at]?.length)) return []
  const all = lists.flatMap((list, at) => list.map((value, index) => ({ value, setting: settings[at]?.[index] ?? '' })))
  const means = new Map(
    [...Map.groupBy(all, ({ setting }) => setting)].map(([name, own]) => [name, meanOf(own.map(({ value }) => value))]),
  )
  const overall = meanOf(all.map(({ value }) => value))
  return lists.map((list, at) =>
    list.map((value, index) => value - (means.get(settings[at]?.[index] ?? '') ?? 0) + overall),
  )
}

function armSpread(lists: Lists): ArmSpread {
  const components = valueOrNull(varianceComponents(lists))
  const error = valueOrNull(
    clusteredError(
      lists.flat(),
      lists.flatMap((list, unit) => list.map(() => unit)),
    ),
  )
  const runs = lists.reduce((sum, list) => sum + list.length, 0)
  const size = error && valueOrNull(error.effectiveSize)
  // Runs of a unit can't be more alike than equal: then each unit counts once, or less if some have more runs (Kish
  // 1965).
  const least = runs === 0 ? 0 : runs ** 2 / lists.reduce((sum, { length }) => sum + length ** 2, 0)
  const worth = size === null ? null : Math.min(runs, Math.max(least, size))
  const root = (variance: number | null): number | null => (variance === null ? null : Math.sqrt(variance))
  return {
    units: lists.length,
    runs,
    between_sd: root(components && valueOrNull(components.betweenVariance)),
    within_sd: root(components && valueOrNull(components.withinVariance)),
    intraclass_correlation: components && valueOrNull(components.intraclassCorrelation),
    design_effect: worth === null || worth === 0 ? null : runs / worth,
    effective_runs: worth,
  }
}
