import type { StrataSpec, WeightsSpec } from '../../define/experiment.ts'
import { levelOf, type Observation } from '../../define/observation.ts'
import { effectiveUnits, type WeightedStratum } from '../../stats/index.ts'
import { AssayError } from '../../util/errors.ts'
import { canonicalJson, type Json } from '../../util/json.ts'
import { levelText, listed, unitWord } from '../../util/words.ts'

/** The weight of each unit of the arms, position by position, and the shares of the strata. */
export interface Weighting {
  readonly weightedBy: string | null
  readonly strataBy: string | null
  readonly control: readonly UnitWeight[]
  readonly candidate: readonly UnitWeight[]
  readonly shares: ReadonlyMap<string, number>
}

interface UnitWeight {
  readonly weight: number
  readonly stratum: string
}

/** The declared or requested weights. */
export interface WeightingWish {
  readonly weights?: WeightsSpec | undefined
  readonly strata?: StrataSpec | undefined
}

export const isWeighted = ({ weights, strata }: WeightingWish): boolean => weights !== undefined || strata !== undefined

/** The weights of units, by their names, from the runs of each. */
export function weightingOf(
  wish: WeightingWish,
  units: { readonly control: readonly string[]; readonly candidate: readonly string[]; readonly isPaired: boolean },
  runsOf: ReadonlyMap<string, readonly Observation[]>,
  unit: string,
): Weighting {
  const word = unitWord(unit)
  const known = new Map<string, UnitWeight>()
  const weightOf = (name: string): UnitWeight => {
    const runs = runsOf.get(name) ?? []
    const found = known.get(name) ?? {
      weight: wish.weights === undefined ? 1 : unitWeight(wish.weights, name, runs, word),
      stratum: wish.strata === undefined ? '' : stratumOf(wish.strata, name, runs, word),
    }
    known.set(name, found)
    return found
  }
  const control = units.control.map(weightOf)
  const candidate = units.candidate.map(weightOf)
  const arms = units.isPaired ? [control] : [control, candidate]
  return {
    weightedBy: wish.weights === undefined ? null : typeof wish.weights === 'string' ? wish.weights : `${word} weights`,
    strataBy: wish.strata === undefined ? null : (wish.strata.by ?? 'group'),
    control,
    candidate,
    shares: sharesOf(arms, wish.strata?.shares, word),
  }
}

/** The values of an arm, stratum by stratum. */
export function strataOf(
  values: readonly number[],
  units: readonly UnitWeight[],
  shares: ReadonlyMap<string, number>,
): readonly WeightedStratum[] {
  return [...shares].map(([stratum, share]) => {
    const own = values.flatMap((value, at) => {
      const unit = units[at]
      return unit?.stratum === stratum ? [{ value, weight: unit.weight }] : []
    })
    return { share, values: own.map(({ value }) => value), weights: own.map(({ weight }) => weight) }
  })
}

/** The factor for each unit's value that makes the estimate a plain mean. */
export function factorsOf(units: readonly UnitWeight[], shares: ReadonlyMap<string, number>): readonly number[] {
  const totals = new Map<string, number>()
  for (const { stratum, weight } of units) totals.set(stratum, (totals.get(stratum) ?? 0) + weight)
  return units.map(
    ({ stratum, weight }) => (units.length * (shares.get(stratum) ?? 0) * weight) / (totals.get(stratum) ?? 1),
  )
}

/** The fewest units that a stratum of an arm has. */
export const fewestInStratum = ({ control, candidate, shares }: Weighting): number =>
  Math.min(
    ...[control, candidate].flatMap(units =>
      [...shares.keys()].map(stratum => units.filter(unit => unit.stratum === stratum).length),
    ),
  )

/** As in `--json`. */
export interface WeightingFinding {
  readonly weights: string | null
  readonly strata:
    | readonly {
        readonly stratum: string
        readonly share: number
        readonly control: number
        readonly candidate: number
      }[]
    | null
  /** The number of units of equal weight with the same information, for the arm that has fewer. */
  readonly effective_units: number
}

export function weightingFinding({ weightedBy, strataBy, control, candidate, shares }: Weighting): WeightingFinding {
  const count = (units: readonly UnitWeight[], stratum: string) => units.filter(unit => unit.stratum === stratum).length
  return {
    weights: weightedBy,
    strata:
      strataBy === null
        ? null
        : [...shares].map(([stratum, share]) => ({
            stratum,
            share,
            control: count(control, stratum),
            candidate: count(candidate, stratum),
          })),
    effective_units: Math.min(...[control, candidate].map(units => effectiveUnits(factorsOf(units, shares)))),
  }
}

function unitWeight(spec: WeightsSpec, unit: string, runs: readonly Observation[], word: string): number {
  const weight = typeof spec === 'string' ? onlyOne(spec, unit, runs, word, '--weights') : (spec[unit] ?? null)
  if (weight === null)
    throw new AssayError('usage', `${word} ${unit} has no weight`, {
      hint: typeof spec === 'string' ? `no run of it has ${spec}` : `there are weights of ${listed(Object.keys(spec))}`,
    })
  const number = Number(weight)
  if (!(number > 0) || !Number.isFinite(number))
    throw new AssayError('usage', `the weight of ${word} ${unit} is ${String(weight)}: expected a number above 0`, {
      hint: '--filter leaves out what is not to count',
    })
  return number
}

function stratumOf({ by, groups }: StrataSpec, unit: string, runs: readonly Observation[], word: string): string {
  const group = groups && Object.entries(groups).find(([, own]) => own.some(level => levelText(level) === unit))?.[0]
  const level = groups === undefined && by !== undefined ? onlyOne(by, unit, runs, word, '--strata') : (group ?? null)
  if (level !== null) return levelText(level)
  throw new AssayError('usage', `${word} ${unit} belongs to no stratum`, {
    hint: groups === undefined ? `no run of it has ${by}` : `the strata are ${listed(Object.keys(groups))}`,
  })
}

/** The value that all runs of a unit share under this name: a block, a parameter, a column or a metric. */
function onlyOne(name: string, unit: string, runs: readonly Observation[], word: string, option: string): Json {
  const levels = new Map<string, Json>()
  for (const run of runs) {
    const level = levelOf(run, name) ?? run.columns?.[name] ?? run.metrics[name] ?? null
    if (level !== null) levels.set(canonicalJson(level), level)
  }
  const [only, another] = levels.values()
  if (another !== undefined)
    throw new AssayError(
      'usage',
      `${option} ${name}: ${word} ${unit} has several, ${listed([...levels.values()].map(levelText))}`,
      {
        hint: `it must be the same for all runs of a ${word}`,
      },
    )
  return only ?? null
}

/**
 * The declared shares, or those of the actual weights. Every stratum must be in both arms: a missing one can't be
 * replaced.
 */
function sharesOf(
  arms: readonly (readonly UnitWeight[])[],
  declared: StrataSpec['shares'],
  word: string,
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const { stratum, weight } of arms.flat()) weights.set(stratum, (weights.get(stratum) ?? 0) + weight)
  const given = declared === undefined ? weights : new Map(Object.entries(declared))
  for (const stratum of weights.keys())
    if (!given.has(stratum)) throw new AssayError('usage', `the stratum ${stratum} has no share`)
  for (const stratum of given.keys())
    if (arms.some(units => !units.some(unit => unit.stratum === stratum)))
      throw new AssayError('usage', `an arm has no ${word} with a value in the stratum ${stratum}`, {
        hint: 'there is nothing that could stand for it: run some, or leave the stratum out with --filter',
      })
  const total = [...given.values()].reduce((sum, share) => sum + share, 0)
  return new Map(
    [...given].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([stratum, share]) => [stratum, share / total]),
  )
}
