import { type Estimate, isAvailable, type Unavailable, unavailable, whenAvailable } from '../../stats/estimate.ts'
import {
  type Alternative,
  counterRandom,
  crossedPower,
  fewestRuns,
  firstUnusable,
  isConstant,
  meanOf,
  normalQuantile,
  pairedDifferences,
  pairedTTest,
  powerFromPilotGroups,
  powerFromPilotPairs,
  sdInterval,
  steadyWelchTest,
  studentTUpperQuantile,
  sumOfSquares,
  wilsonInterval,
} from '../../stats/index.ts'
import { percentText, unitWord } from '../../util/words.ts'
import type { Method } from '../choices.ts'
import { countOf, pairedCountsOf } from '../compare/infer/counts.ts'
import { meanOfCrossing } from '../compare/infer/crossed.ts'
import { isSignificant } from '../compare/infer/infer.ts'
import { methodFor } from '../compare/method.ts'
import type { Samples } from '../samples.ts'
import { meansModel } from './means.ts'
import type { Aim, PowerModel } from './model.ts'
import { pairedAnswersModel } from './paired-answers.ts'
import { proportionsModel, testOfRates } from './proportions.ts'

export interface PilotOptions {
  readonly method: Method
  /** Simulated experiments for each number of units. */
  readonly trials: number
  /** Inside each of them. */
  readonly resamples: number
  readonly seed: number
}

/** What runs that are there say about runs to come. */
export function pilotModel(samples: Samples, aim: Aim, options: PilotOptions): PowerModel | Unavailable {
  const { pairedBy, unit } = samples
  const model = modelFor(samples, aim, options)
  return 'unavailable' in model ? model : { ...model, units: pairedBy === null ? `${unit}s in each arm` : 'pairs' }
}

function modelFor(samples: Samples, aim: Aim, options: PilotOptions): PowerModel | Unavailable {
  if (!samples.isCounted) return ofNumbers(samples, aim, options)
  return samples.pairedBy === null ? ofRates(samples, aim) : ofPairedAnswers(samples, aim)
}

function ofPairedAnswers({ control, candidate }: Samples, aim: Aim): PowerModel | Unavailable {
  const { onlyA, onlyB } = pairedCountsOf(candidate, control)
  const seen = { successes: onlyA + onlyB, n: control.length }
  if (seen.successes === 0) return unavailable('no_discordant_pairs')
  const at = (discordant: number) => pairedAnswersModel({ discordant: Math.min(1, discordant) }, aim)
  const model = at(seen.successes / seen.n)
  return {
    ...model,
    rangeFor: effect =>
      whenAvailable(wilsonInterval(seen), ({ low, high }) =>
        bothEnds(
          at(Math.max(low, Math.abs(effect))).runsFor(effect),
          at(Math.max(high, Math.abs(effect))).runsFor(effect),
        ),
      ),
    assumptions: [
      `as in the pilot, ${seen.successes} of ${seen.n} tasks are solved by only one of the arms; the others say little (the unconditional score test, as compare does, over all outcomes)`,
    ],
  }
}

function ofRates({ control, candidate }: Samples, aim: Aim): PowerModel {
  const seen = countOf(control)
  const ratio = candidate.length / control.length
  const at = (baseRate: number) => proportionsModel({ baseRate, ratio }, aim)
  const model = at(seen.successes / seen.n)
  return {
    ...model,
    rangeFor: effect =>
      whenAvailable(wilsonInterval(seen), ({ low, high }) => {
        // Halfway between certain failure and certain success the most runs are needed.
        const rates = [low, high, Math.min(high, Math.max(low, 0.5 - effect / 2))]
        const runs = rates.map(rate => at(rate).runsFor(effect)).filter(isAvailable)
        return runs.length === 0 ? unavailable('unreachable') : { low: Math.min(...runs), high: Math.max(...runs) }
      }),
    assumptions: [
      `as in the pilot, the control succeeds in ${percentText(seen.successes / seen.n)} of runs (${testOfRates})`,
    ],
  }
}

/** From here on the bootstrap's line is that of its expansion, and beyond the second number a formula does for all: they agree by then. */
const manyUnits = 60
const tooManyUnits = 5000

function ofNumbers(samples: Samples, aim: Aim, options: PilotOptions): PowerModel | Unavailable {
  const isPaired = samples.pairedBy !== null
  const spread = spreadOf(samples)
  if (!isAvailable(spread)) return spread
  const { sd, df } = spread
  const byFormula = meansModel({ isPaired, sd, ratio: 1 }, aim)
  const ofUnits = (n: number, effect: number): Estimate<number> =>
    n > tooManyUnits ? byFormula.powerAt(n, effect) : simulated(samples, { n, effect }, aim, options)
  const crossings = crossingsOf(samples, aim)
  // The most cautious of the tests counts: units alone, levels alone, both.
  const powerAt = (n: number, effect: number): Estimate<number> =>
    whenAvailable(ofUnits(n, effect), power => Math.min(power, ...crossings.map(of => of(n, effect))))
  const runsFor = (effect: number): Estimate<number> =>
    whenAvailable(byFormula.runsFor(effect), expected => {
      if (expected > tooManyUnits / 2 && crossings.length === 0) return expected
      const at = (n: number) => valueOr0(powerAt(n, effect))
      return (
        fewestRuns(at, aim.power, { from: Math.max(2, Math.floor(expected / 2)), most: tooManyUnits }) ??
        unavailable('unreachable')
      )
    })
  return {
    ...byFormula,
    data: 'pilot',
    powerAt,
    runsFor,
    effectFor: (n, direction = aim.alternative === 'less' ? -1 : 1) =>
      whenAvailable(byFormula.effectFor(n, direction), expected => {
        if (n > tooManyUnits && crossings.length === 0) return expected
        const size = smallestFound(size => valueOr0(powerAt(n, direction * size)), aim.power, Math.abs(expected))
        return size === undefined ? unavailable('unreachable') : direction * size
      }),
    rangeFor: effect =>
      whenAvailable(sdInterval(sd, df + 1), ends => {
        const at = (size: number) => meansModel({ isPaired, sd: size, ratio: 1 }, aim).runsFor(effect)
        return bothEnds(at(ends.low), at(ends.high))
      }),
    assumptions: [
      `runs to come vary as the pilot's do: ${isPaired ? 'its differences' : 'its runs'} are drawn again, moved to the effect, ${options.trials} times for each number`,
      ...(samples.crossed ?? []).map(
        ({ block, levels }) =>
          `every ${unitWord(samples.unit)} is run with ${levels} ${unitWord(block)}s, the same for all, that vary as the pilot's do (crossed, as compare takes them): no number of ${unitWord(samples.unit)}s makes up for few of these`,
      ),
      'the range of N is for a normal spread that is known from so few runs only',
    ],
    caveatFor: sizes => {
      const units = Math.min(samples.control.length, samples.candidate.length)
      const enough = Math.max(fewUnits, units)
      return sizes.every(n => n >= enough)
        ? null
        : `power for fewer than ${enough} ${isPaired ? 'pairs' : `${samples.unit}s in each arm`} is optimistic: so few draws mostly miss the pilot's rare values${options.method === 'auto' ? `, and below ${fewUnits} compare's t test takes their spread for all there is` : ''}`
    },
  }
}

/** What levels that come back in every unit leave to be found, with other numbers of units. */
const crossingsOf = (
  { crossed = [], control }: Samples,
  aim: Aim,
): readonly ((n: number, effect: number) => number)[] =>
  crossed.flatMap(crossing => {
    const both = meanOfCrossing(crossing)
    if (!isAvailable(both)) return []
    const { rows, columns, error } = both.parts
    return [
      (n: number, effect: number) => {
        const fewer = control.length / n
        // More units average their own differences and the noise, not what a level does to all of them.
        const parts = {
          rows: rows * fewer,
          error: error * fewer,
          columns: error * fewer + Math.max(0, columns - error),
        }
        return crossedPower({ units: n, levels: both.columns.length, parts }, aim)(effect)
      },
    ]
  })

/** Below this compare takes the t test, which is too easily convinced by few draws from a skewed pilot. */
const fewUnits = 7

/**
 * The smallest effect, to three digits, whose simulated power reaches the target, by halving from what a formula expects. Every
 * effect is tried on the same draws, so that a larger one is found at least as often.
 */
function smallestFound(powerOf: (size: number) => number, target: number, expected: number): number | undefined {
  const isFound = (size: number): boolean => powerOf(size) >= target
  let high = expected
  for (let tries = 0; !isFound(high); tries++) {
    if (tries === 20) return undefined
    high *= 1.25
  }
  let low = high / 1.25
  while (low > expected / 100 && isFound(low)) {
    high = low
    low /= 1.25
  }
  while (high - low > 1e-3 * high) {
    const middle = (low + high) / 2
    if (isFound(middle)) high = middle
    else low = middle
  }
  return roundedUp(high)
}

/** So that what is printed is found, too. */
function roundedUp(size: number): number {
  const unit = 10 ** (Math.floor(Math.log10(size)) - 2)
  return Number((Math.ceil(size / unit - 1e-9) * unit).toPrecision(3))
}

/** The sd that pairs or groups vary by, and how many degrees of freedom it rests on. */
export function spreadOf({
  control,
  candidate,
  pairedBy,
}: Samples): Estimate<{ readonly sd: number; readonly df: number }> {
  const of = (squares: number, df: number) =>
    df < 1
      ? unavailable('too_few_values')
      : squares > 0
        ? { sd: Math.sqrt(squares / df), df }
        : unavailable('zero_variance')
  if (pairedBy !== null)
    return whenAvailable(pairedDifferences(candidate, control), ({ values }) =>
      of(isConstant(values) ? 0 : sumOfSquares(values), values.length - 1),
    )
  return (
    firstUnusable([control, candidate]) ??
    of(sumOfSquares(control) + sumOfSquares(candidate), control.length + candidate.length - 2)
  )
}

function simulated(
  samples: Samples,
  { n, effect }: { readonly n: number; readonly effect: number },
  { alpha, alternative }: Aim,
  { method, trials, resamples, seed }: PilotOptions,
): Estimate<number> {
  const { control, candidate, pairedBy } = samples
  const source = counterRandom(seed, n)
  let trial = 0
  const isFound = (own: readonly number[], other: readonly number[]): boolean => {
    const drawn: Samples = { ...samples, candidate: own, control: other, keys: [], crossed: [] }
    const chosen = method !== 'auto' ? method : methodFor(drawn)
    trial++
    if (method === 'auto' && n > manyUnits) return isBeyondLine(drawn, alpha, alternative)
    const drawing = { seed: seed + trial, resamples, rng: 'assay' } as const
    return isSignificant(drawn, chosen, alpha, { level: 1 - alpha, alternative, drawing })
  }
  const simulation = { trials, random: source.next }
  const found =
    pairedBy === null
      ? powerFromPilotGroups(spreadOut(candidate), spreadOut(control), { effect, nA: n, nB: n }, isFound, simulation)
      : whenAvailable(pairedDifferences(candidate, control), ({ values }) => {
          const none = new Array<number>(n).fill(0)
          return powerFromPilotPairs(
            spreadOut(values),
            { effect, n },
            differences => isFound(differences, none),
            simulation,
          )
        })
  return whenAvailable(found, ({ power }) => power)
}

/**
 * Whether both t and the studentised bootstrap find it, the line of the latter by its expansion in skewness and kurtosis of the mean
 * (Hall 1992, The Bootstrap and Edgeworth Expansion, §2.6), which is all that matters of it with so many units.
 */
function isBeyondLine({ control, candidate, pairedBy }: Samples, alpha: number, alternative: Alternative): boolean {
  const known = pairedBy === null ? steadyWelchTest(candidate, control) : pairedTTest(candidate, control)
  if (!isAvailable(known)) return false
  const { estimate, standardError, df } = known
  const tail = alternative === 'two-sided' ? alpha / 2 : alpha
  const [one, other] =
    pairedBy === null
      ? [cumulants(candidate), cumulants(control)]
      : [cumulants(candidate.map((value, at) => value - (control[at] ?? 0))), { third: 0, fourth: 0 }]
  const skewness = (one.third - other.third) / standardError ** 3
  const kurtosis = (one.fourth + other.fourth) / standardError ** 4
  const z = -normalQuantile(tail)
  const first = (2 * z * z + 1) / 6
  const second = (first * 2 * z) / 3 - (z * first * first) / 2 + (z * (z ** 4 + 2 * z * z - 3)) / 18
  const student = studentTUpperQuantile(tail, df)
  const line = (skew: number): number =>
    Math.max(student, student - first * skew + second * skew * skew - (kurtosis * z * (z * z - 3)) / 12)
  const t = estimate / standardError
  return (alternative !== 'less' && t >= line(skewness)) || (alternative !== 'greater' && -t >= line(-skewness))
}

/** The third and fourth cumulants of the mean. */
function cumulants(values: readonly number[]): { readonly third: number; readonly fourth: number } {
  const [n, centre] = [values.length, meanOf(values)]
  const moment = (power: number): number => values.reduce((sum, value) => sum + (value - centre) ** power, 0) / n
  return { third: moment(3) / n ** 2, fourth: (moment(4) - 3 * moment(2) ** 2) / n ** 3 }
}

const valueOr0 = (estimate: Estimate<number>): number => (isAvailable(estimate) ? estimate : 0)

function bothEnds(
  low: Estimate<number>,
  high: Estimate<number>,
): Estimate<{ readonly low: number; readonly high: number }> {
  return whenAvailable(low, a => whenAvailable(high, b => ({ low: Math.min(a, b), high: Math.max(a, b) })))
}

/** Values drawn from a sample of n vary by (n − 1) / n of what the sample estimates: for a small pilot that would promise too much. */
function spreadOut(values: readonly number[]): readonly number[] {
  const centre = meanOf(values)
  const factor = Math.sqrt(values.length / (values.length - 1))
  return values.map(value => centre + factor * (value - centre))
}
