import { type Estimate, isAvailable, whenAvailable } from '../../stats/estimate.ts'
import {
  type Alternative,
  counterRandom,
  firstUnusable,
  meanOf,
  normalQuantile,
  pairedDifferences,
  pairedTTest,
  resampledTs,
  steadyError,
  steadyWelchTest,
  studentizeDifference,
  studentizeMean,
  studentTUpperQuantile,
  tInference,
} from '../../stats/index.ts'
import type { Drawing, Method } from '../choices.ts'
import { isSignificant } from '../compare/infer/infer.ts'
import { methodFor, sourceOf } from '../compare/method.ts'
import type { Samples } from '../samples.ts'
import type { Aim } from './model.ts'

export interface PilotOptions {
  readonly method: Method
  /** Simulated experiments for each number of units. */
  readonly trials: number
  /** Within each of them. */
  readonly resamples: number
  readonly seed: number
}

/** The share of simulated experiments that find an effect of this size. */
export type PowerOf = (effect: number) => number

/** From here on the expansion of the bootstrap's critical value is used. */
const manyUnits = 60

/**
 * Experiments of n units, drawn from the pilot's own values. They are drawn, and resampled, once: an effect shifts all
 * values of an arm equally, which changes neither their spread nor the t of a resample.
 */
export function pilotTrials(samples: Samples, n: number, aim: Aim, options: PilotOptions): Estimate<PowerOf> {
  const { control, candidate, pairedBy } = samples
  const { seed, trials } = options
  const source = counterRandom(seed, n)
  const found = (draw: () => readonly [candidate: number[], control: number[]]): PowerOf => {
    const all = Array.from({ length: trials }, (_, trial) => {
      const [own, other] = draw()
      return trialOf(
        { ...samples, candidate: own, control: other, keys: [], crossed: [], crossedGroups: [] },
        seed + trial + 1,
        aim,
        options,
      )
    })
    return effect => all.reduce((sum, isFound) => sum + Number(isFound(effect)), 0) / trials
  }
  if (pairedBy === null)
    return (
      firstUnusable([candidate, control], 2) ??
      found(() => {
        const own = drawn(centred(candidate), n, source.next)
        return [own, drawn(centred(control), n, source.next)]
      })
    )
  const none = new Array<number>(n).fill(0)
  return whenAvailable(
    pairedDifferences(candidate, control),
    ({ values }) => firstUnusable([values], 2) ?? found(() => [drawn(centred(values), n, source.next), none]),
  )
}

type Trial = (effect: number) => boolean

function trialOf(samples: Samples, seed: number, aim: Aim, { method, resamples }: PilotOptions): Trial {
  const { alpha, alternative } = aim
  const drawing: Drawing = { seed, resamples: enoughFor(aim, resamples), rng: 'assay' }
  const chosen = method === 'auto' ? methodFor(samples) : method
  const isByLine = method === 'auto' && samples.control.length > manyUnits
  const known = chosen === 't' || chosen === 'wider' || isByLine ? tOf(samples) : null
  if (isByLine) return known === null ? () => false : beyondLine(samples, known, aim)
  if (known === null) return slowly(samples, chosen, aim, drawing)
  const { estimate, standardError, df } = known
  const isFoundByT: Trial = effect => tInference(estimate + effect, standardError, df, { alternative }).p <= alpha
  if (chosen === 't') return isFoundByT
  let isFoundByBoth: Trial | undefined
  return effect => {
    if (!isFoundByT(effect)) return false
    isFoundByBoth ??= byResamples(samples, aim, drawing) ?? slowly(samples, 'studentized', aim, drawing)
    return isFoundByBoth(effect)
  }
}

/** The way that works for every method: the whole test again for every effect. */
const slowly =
  (samples: Samples, method: Exclude<Method, 'auto'>, { alpha, alternative }: Aim, drawing: Drawing): Trial =>
  effect =>
    isSignificant({ ...samples, candidate: samples.candidate.map(value => value + effect) }, method, alpha, {
      level: 1 - alpha,
      alternative,
      drawing,
    })

interface KnownT {
  readonly estimate: number
  readonly standardError: number
  readonly df: number
}

function tOf({ control, candidate, pairedBy, isRanked, weighting, across }: Samples): KnownT | null {
  if (isRanked || weighting !== undefined || across !== undefined) return null
  const known = pairedBy === null ? steadyWelchTest(candidate, control) : pairedTTest(candidate, control)
  return isAvailable(known) ? known : null
}

/** With fewer resamples than this beyond the critical value, p is not the counted share. */
const fewestBeyond = 11

/**
 * As many as compare would draw for such a small alpha, if their number decides; the bound of the tail would take
 * longer.
 */
function enoughFor({ alpha, alternative }: Aim, resamples: number): number {
  const needed = Math.ceil((fewestBeyond + 1) / (alternative === 'two-sided' ? alpha / 2 : alpha))
  return needed > mostResamples ? resamples : Math.max(resamples, needed)
}

const mostResamples = 50_000

/**
 * By the t of its resamples, of which few enough must exceed the effect; null if their number alone does not decide.
 */
function byResamples(
  { control, candidate, pairedBy }: Samples,
  { alpha, alternative }: Aim,
  drawing: Drawing,
): Trial | null {
  const resampling = { random: sourceOf(drawing), resamples: drawing.resamples }
  const found =
    pairedBy === null
      ? studentizeDifference(candidate, control, resampling)
      : whenAvailable(pairedDifferences(candidate, control), ({ values }) => studentizeMean(values, resampling))
  if (!isAvailable(found)) return null
  const ts = Float64Array.from(resampledTs(found, steadyError)).sort()
  // The data themselves count as one of them.
  const allowed = Math.floor((alternative === 'two-sided' ? alpha / 2 : alpha) * (ts.length + 1) * (1 + 1e-12)) - 1
  if (allowed + 1 < fewestBeyond) return null
  const [low, high] = [ts[allowed] ?? Number.NaN, ts[ts.length - 1 - allowed] ?? Number.NaN]
  return effect => {
    const t = (found.estimate + effect) / found.standardError
    return (alternative !== 'less' && t > high) || (alternative !== 'greater' && t < low)
  }
}

/**
 * Whether both t and the studentised bootstrap find it; the critical value of the latter by its expansion in skewness
 * and kurtosis of the mean (Hall 1992, The Bootstrap and Edgeworth Expansion, §2.6), which is accurate with this many
 * units.
 */
function beyondLine(
  { control, candidate, pairedBy }: Samples,
  { estimate, standardError, df }: KnownT,
  { alpha, alternative }: { readonly alpha: number; readonly alternative: Alternative },
): Trial {
  const tail = alternative === 'two-sided' ? alpha / 2 : alpha
  const [one, other] = [cumulants(candidate), pairedBy === null ? cumulants(control) : { third: 0, fourth: 0 }]
  const skewness = (one.third - other.third) / standardError ** 3
  const kurtosis = (one.fourth + other.fourth) / standardError ** 4
  const z = -normalQuantile(tail)
  const first = (2 * z * z + 1) / 6
  const second = (first * 2 * z) / 3 - (z * first * first) / 2 + (z * (z ** 4 + 2 * z * z - 3)) / 18
  const student = studentTUpperQuantile(tail, df)
  const line = (skew: number): number =>
    Math.max(student, student - first * skew + second * skew * skew - (kurtosis * z * (z * z - 3)) / 12)
  const [above, below] = [line(skewness), line(-skewness)]
  return effect => {
    const t = (estimate + effect) / standardError
    return (alternative !== 'less' && t >= above) || (alternative !== 'greater' && -t >= below)
  }
}

/** The third and fourth cumulants of the mean. */
function cumulants(values: readonly number[]): { readonly third: number; readonly fourth: number } {
  const [n, centre] = [values.length, meanOf(values)]
  const moment = (power: number): number => values.reduce((sum, value) => sum + (value - centre) ** power, 0) / n
  return { third: moment(3) / n ** 2, fourth: (moment(4) - 3 * moment(2) ** 2) / n ** 3 }
}

/**
 * Values drawn from a sample of n have (n − 1) / n of the variance that the sample estimates: for a small pilot the
 * power would be overstated.
 */
function centred(values: readonly number[]): readonly number[] {
  const centre = meanOf(values)
  const factor = Math.sqrt(values.length / (values.length - 1))
  return values.map(value => factor * (value - centre))
}

const drawn = (values: readonly number[], n: number, random: () => number): number[] =>
  Array.from({ length: n }, () => values[Math.floor(random() * values.length)] ?? Number.NaN)
