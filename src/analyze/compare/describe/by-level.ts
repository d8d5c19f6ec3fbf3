import { type Evidence, levelOf } from '../../../define/observation.ts'
import { isAvailable, valueOrNull } from '../../../stats/estimate.ts'
import { meanOf, studentTTwoSided, variance } from '../../../stats/index.ts'
import type { Json } from '../../../util/json.ts'
import { levelText } from '../../../util/words.ts'
import { adjustedP } from '../../adjust.ts'
import { type Arm, levelKey, levelsOf } from '../../arms.ts'
import type { Drawing, Missing } from '../../choices.ts'
import { jointGroups, jointLevel, jointName } from '../../joint-factors.ts'
import { rangesOf } from '../../ranges.ts'
import type { Reading } from '../../reading.ts'
import { type ArmSamples, type Samples, samplesOf } from '../../samples.ts'
import type { Statistic } from '../../statistic.ts'
import type { Crossing } from '../../units/crossing.ts'
import { boundsOf, type LevelDifference, type LevelSplit, verdictOf } from '../comparison.ts'
import { differenceOf, infer } from '../infer/infer.ts'
import { methodFor, methodForNumbers } from '../method.ts'
import { largestDifference, withinLargest } from './possible-difference.ts'

interface Asked {
  readonly control: Arm
  readonly reading: Reading
  readonly isPaired: boolean
  readonly missing: Missing
  readonly alpha: number
  readonly drawing: Drawing
  readonly statistic?: Statistic
}

/** With more levels the rows would not be read. */
const mostLevels = 12

/** The factors on which the difference depends, each with its levels. An average may hide a reversed difference. */
export function splitByLevel(
  evidence: Evidence,
  asked: Asked,
  candidate: Arm,
  whole: ArmSamples,
): readonly LevelSplit[] {
  // A median or a bound is not an average of those at the levels.
  if (whole.across !== undefined || whole.isRanked || whole.extremes !== undefined) return []
  const parts = averagedGroups(evidence, asked.control, candidate).map(group => ({
    factor: jointName(group),
    levels: partsOf(evidence, asked, candidate, group),
  }))
  const tests = parts.flatMap(({ factor, levels }) =>
    contrastsOf(levels.map(({ samples }) => samples)).map(contrast => ({ factor, contrast })),
  )
  // The fast test first: the one that decides never has a smaller p.
  const quick = tests.map(({ contrast }) => contrast(null))
  if (!smallestPs(quick).some(p => p !== null && p <= asked.alpha)) return []
  const found = smallestPs(
    tests.map(({ contrast }, at) => ((quick[at] ?? 1) <= asked.alpha ? contrast(asked.drawing) : 1)),
  )
  return parts.flatMap(({ factor, levels }) => {
    const own = found.filter((_, at) => tests[at]?.factor === factor).flatMap(p => p ?? [])
    const p = Math.min(...own)
    return own.length === 0 || p > asked.alpha ? [] : [{ factor, p, levels: rowsOf(levels, asked) }]
  })
}

const smallestPs = (values: readonly (number | null)[]): readonly (number | null)[] => {
  const adjusted = adjustedP(values, 'holm')
  return values.map((p, at) => adjusted[at] ?? p)
}

/** One factor of each group below: its level determines those of the others. */
export const averagedFactors = (evidence: Evidence, control: Arm, candidate: Arm): readonly string[] =>
  averagedGroups(evidence, control, candidate).flatMap(([first]) => first ?? [])

/**
 * Factors that are not compared and have the same levels, several of them, in both arms; those that always change
 * together form one group.
 */
function averagedGroups(evidence: Evidence, control: Arm, candidate: Arm): readonly (readonly string[])[] {
  const compared = new Set([...Object.keys(control.levels), ...Object.keys(candidate.levels), ...evidence.blocks])
  const averaged = evidence.factors.filter(factor => {
    if (compared.has(factor) || rangesOf(evidence).includes(factor)) return false
    const count = commonLevels(evidence, control, candidate, factor).length
    return count > 1 && count <= mostLevels
  })
  // Most comparisons have fewer than two such factors: then no list of runs is made.
  return averaged.length < 2
    ? averaged.map(name => [name])
    : jointGroups([...control.runs, ...candidate.runs], averaged)
}

function commonLevels(evidence: Evidence, control: Arm, candidate: Arm, factor: string): readonly Json[] {
  const [ours, theirs] = [control, candidate].map(
    ({ runs }) => new Set(runs.map(run => levelKey(levelOf(run, factor)))),
  )
  return levelsOf(evidence, factor).filter(
    level => level !== null && ours?.has(levelKey(level)) && theirs?.has(levelKey(level)),
  )
}

interface Part {
  readonly level: Json
  readonly label: string
  readonly samples: ArmSamples
}

/** By the first of the factors that change together: its level determines those of the others. */
function partsOf(evidence: Evidence, asked: Asked, candidate: Arm, group: readonly string[]): readonly Part[] {
  const [factor = ''] = group
  return commonLevels(evidence, asked.control, candidate, factor).flatMap(level => {
    const at = ({ label, levels, runs }: Arm): Arm => ({
      label,
      levels: { ...levels, [factor]: level },
      runs: runs.filter(run => levelKey(levelOf(run, factor)) === levelKey(level)),
    })
    const arms = { control: at(asked.control), candidate: at(candidate) }
    const samples = samplesOf(evidence, arms, asked.reading, asked)
    const isMeasured = Math.min(samples.control.length, samples.candidate.length) > 1
    const [run] = arms.control.runs
    const joint = run === undefined ? level : jointLevel(group.map(name => levelOf(run, name)))
    return isMeasured ? [{ level: joint, label: `${jointName(group)}=${levelText(joint)}`, samples }] : []
  })
}

/** p of one contrast; without a drawing, by t alone. */
type Contrast = (drawing: Drawing | null) => number | null

/** Each level against the mean of the others; with two levels, one contrast. */
function contrastsOf(levels: readonly ArmSamples[]): readonly Contrast[] {
  if (levels.length < 2) return []
  const isPaired = levels.every(({ pairedBy }) => pairedBy !== null)
  const rows = levels.map(
    ({ keys, control, candidate }) => new Map(keys.map((key, at) => [key, (candidate[at] ?? 0) - (control[at] ?? 0)])),
  )
  const chosen = levels.length === 2 ? [0] : [...levels.keys()]
  return chosen.map(at => drawing => {
    if (!isPaired) return ofGroups(levels, at)
    const samples = contrastedUnits(rows, levels, at)
    const method = drawing === null ? 't' : methodForNumbers(samples)
    return valueOrNull(
      infer(samples, method, { level: 0.95, alternative: 'two-sided', drawing: drawing ?? noDrawing }).p,
    )
  })
}

const noDrawing: Drawing = { seed: 1, resamples: 1, rng: 'assay' }

/**
 * The differences at one level and the mean of those at the others, unit by unit; if no unit has all levels, as two
 * groups.
 */
function contrastedUnits(
  rows: readonly ReadonlyMap<string, number>[],
  levels: readonly ArmSamples[],
  at: number,
): Samples {
  const unit = levels[at]?.unit ?? 'unit'
  const others = rows.filter((_, index) => index !== at)
  const complete = [...(rows[at]?.keys() ?? [])].filter(key => others.every(row => row.has(key)))
  const common = { unit, isCounted: false, dropped: { control: [], candidate: [], unmatched: [] } }
  if (complete.length < 2)
    return {
      ...common,
      control: others.flatMap(row => [...row.values()]),
      candidate: [...(rows[at]?.values() ?? [])],
      pairedBy: null,
      keys: [],
    }
  const pairs = complete.map(key => tidied(meanOf(others.map(row => row.get(key) ?? 0)), rows[at]?.get(key) ?? 0))
  return {
    ...common,
    control: pairs.map(([rest = 0]) => rest),
    candidate: pairs.map(([, own = 0]) => own),
    pairedBy: [unit],
    keys: complete,
    crossed: crossingsOf(levels, at, complete),
  }
}

/** A rounding error of two subtractions is not a difference. */
const tidied = (rest: number, own: number): readonly [rest: number, own: number] =>
  Math.abs(own - rest) <= 1e-12 * Math.max(Math.abs(own), Math.abs(rest)) ? [rest, rest] : [rest, own]

/** The same contrast if units meet levels of a recurring block, such as the same seeds in all tasks. */
function crossingsOf(levels: readonly ArmSamples[], at: number, units: readonly string[]): readonly Crossing[] {
  const places = new Map(units.map((unit, place) => [unit, place]))
  return (levels[at]?.crossed ?? []).flatMap(({ block, names = [] }) => {
    const differences = levels.map(samples => {
      const crossing = samples.crossed?.find(one => one.block === block)
      return new Map(
        crossing?.cells.map(({ unit, level, control, candidate }) => [
          JSON.stringify([samples.keys[unit], crossing.names?.[level]]),
          candidate - control,
        ]),
      )
    })
    const cells = names.flatMap((name, level) =>
      units.flatMap(unit => {
        const found = differences.flatMap(all => all.get(JSON.stringify([unit, name])) ?? [])
        if (found.length < levels.length) return []
        const [control, candidate] = tidied(meanOf(found.filter((_, index) => index !== at)), found[at] ?? 0)
        return [{ unit: places.get(unit) ?? 0, level, control, candidate }]
      }),
    )
    return cells.length === 0 ? [] : [{ block, levels: names.length, names, cells }]
  })
}

/**
 * For independent groups: a linear combination of their means, with Satterthwaite's degrees of freedom (Welch 1947,
 * Biometrika 34:28).
 */
function ofGroups(levels: readonly ArmSamples[], at: number): number | null {
  let [estimate, error, spread] = [0, 0, 0]
  for (const [index, { control, candidate }] of levels.entries()) {
    const weight = index === at ? 1 : -1 / (levels.length - 1)
    for (const [sign, values] of [
      [1, candidate],
      [-1, control],
    ] as const) {
      const own = valueOrNull(variance(values))
      if (own === null) return null
      const part = (weight ** 2 * own) / values.length
      estimate += sign * weight * meanOf(values)
      error += part
      spread += part ** 2 / (values.length - 1)
    }
  }
  return error === 0 ? null : studentTTwoSided(estimate / Math.sqrt(error), error ** 2 / spread)
}

function rowsOf(parts: readonly Part[], { alpha, drawing, reading }: Asked): readonly LevelDifference[] {
  return parts.map(({ level, label, samples }) => {
    const share = 1 - alpha / parts.length
    const { interval, p } = infer(samples, methodFor(samples), { level: share, alternative: 'two-sided', drawing })
    const estimate = valueOrNull(differenceOf(samples))
    const chance = valueOrNull(p)
    const adjusted = chance === null ? null : Math.min(1, chance * parts.length)
    return {
      level,
      label,
      estimate,
      ci: isAvailable(interval) ? boundsOf(withinLargest(interval, largestDifference(samples, reading))) : null,
      p: chance,
      p_adjusted: adjusted,
      verdict: verdictOf({ estimate, p: adjusted, goal: reading.goal }, null, alpha),
      n: Math.min(samples.control.length, samples.candidate.length),
    }
  })
}
