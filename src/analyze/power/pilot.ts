import { type Estimate, isAvailable, type Unavailable, unavailable, whenAvailable } from '../../stats/estimate.ts'
import {
  type CrossedDesign,
  crossedPower,
  fewestRuns,
  firstUnusable,
  isConstant,
  pairedDifferences,
  sdInterval,
  sumOfSquares,
  wilsonInterval,
} from '../../stats/index.ts'
import { percentText, unitWord } from '../../util/words.ts'
import { countOf, pairedCountsOf } from '../compare/infer/counts.ts'
import { designOfPairs, designsOfGroups } from '../compare/infer/crossed.ts'
import type { Samples } from '../samples.ts'
import { meansModel } from './means.ts'
import type { Aim, PowerModel } from './model.ts'
import { pairedAnswersModel } from './paired-answers.ts'
import { type PilotOptions, pilotTrials } from './pilot-trials.ts'
import { proportionsModel, testOfRates } from './proportions.ts'

/** Predicts future runs from existing ones. */
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

/** Beyond this a formula serves all: they agree by then. */
const tooManyUnits = 5000

function ofNumbers(samples: Samples, aim: Aim, options: PilotOptions): PowerModel | Unavailable {
  const isPaired = samples.pairedBy !== null
  const spread = spreadOf(samples)
  if (!isAvailable(spread)) return spread
  const { sd, df } = spread
  const byFormula = meansModel({ isPaired, sd, ratio: 1 }, aim)
  const trialsOf = latest(n => pilotTrials(samples, n, aim, options))
  const ofUnits = (n: number, effect: number): Estimate<number> =>
    n > tooManyUnits ? byFormula.powerAt(n, effect) : whenAvailable(trialsOf(n), powerOf => powerOf(effect))
  const crossings = crossingsOf(samples, aim)
  // The most cautious of the tests decides: units alone, levels alone, both.
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
      ...(samples.crossedGroups ?? []).map(
        ({ block, control, candidate }) =>
          `every ${unitWord(samples.unit)} of an arm is run with the arm's ${unitWord(block)}s (${control.levels} and ${candidate.levels}), which vary as the pilot's do (crossed, as compare takes them): no number of ${unitWord(samples.unit)}s makes up for few of these`,
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

/** The effect of recurring levels on the detectable difference, with other numbers of units. */
function crossingsOf(samples: Samples, aim: Aim): readonly ((n: number, effect: number) => number)[] {
  const designs = [
    ...(samples.crossed ?? []).map(crossing => [designOfPairs(crossing, samples)].filter(design => design !== null)),
    ...(samples.crossedGroups ?? []).map(crossing => designsOfGroups(crossing, samples)),
  ].filter(arms => arms.length > 0)
  return designs.map(arms => {
    const powerOf = latest(n =>
      crossedPower(
        arms.map(design => withUnits(design, n)),
        aim,
      ),
    )
    return (n: number, effect: number) => powerOf(n)(effect)
  })
}

/** More units average out their own differences and the noise, but not a level's effect on all of them. */
function withUnits({ units, levels, parts: { rows, columns, error } }: CrossedDesign, n: number): CrossedDesign {
  const fewer = units / n
  return {
    units: n,
    levels,
    parts: { rows: rows * fewer, error: error * fewer, columns: error * fewer + Math.max(0, columns - error) },
  }
}

/** With fewer, compare uses the t test, which is anti-conservative for small samples of a skewed pilot. */
const fewUnits = 7

/**
 * The smallest effect, to three digits, whose simulated power reaches the target, by bisection from a formula's
 * estimate. Every effect is tried on the same draws, so that a larger one is found at least as often.
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

/** Rounded up, so that the printed effect is found, too. */
function roundedUp(size: number): number {
  const unit = 10 ** (Math.floor(Math.log10(size)) - 2)
  return Number((Math.ceil(size / unit - 1e-9) * unit).toPrecision(3))
}

/** The sd of pairs or groups, and its degrees of freedom. */
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

/** Caches the last number of units: it is used with many effects before the next one. */
function latest<T>(make: (n: number) => T): (n: number) => T {
  let kept: { readonly n: number; readonly made: T } | undefined
  return n => {
    if (kept?.n !== n) kept = { n, made: make(n) }
    return kept.made
  }
}

const valueOr0 = (estimate: Estimate<number>): number => (isAvailable(estimate) ? estimate : 0)

function bothEnds(
  low: Estimate<number>,
  high: Estimate<number>,
): Estimate<{ readonly low: number; readonly high: number }> {
  return whenAvailable(low, a => whenAvailable(high, b => ({ low: Math.min(a, b), high: Math.max(a, b) })))
}
