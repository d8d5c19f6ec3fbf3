import { type Estimate, isAvailable, unavailable, whenAvailable } from '../../stats/estimate.ts'
import { type DefaultTest, type DesignWithoutN, defaultTest, reach, tTestSampleSize } from '../../stats/index.ts'
import { fewUnits } from '../compare/method.ts'
import type { Aim, PowerModel } from './model.ts'

export interface MeansSpread {
  readonly isPaired: boolean
  /** Of the differences of pairs, or within a group; null: effects are in units of it. */
  readonly sd: number | null
  /** Runs of the candidate per run of the control. */
  readonly ratio: number
  /** The name of the units, if not pairs or runs. */
  readonly units?: string
}

/** Means compared as `compare` does, on normal data: by t, and from 7 units on by the larger p of t and studentised bootstrap. */
export function meansModel({ isPaired, sd, ratio, units }: MeansSpread, aim: Aim): PowerModel {
  const { alpha, power, alternative } = aim
  const scale = sd ?? 1
  const design: DesignWithoutN = isPaired ? { kind: 'paired' } : { kind: 'independent', ratio }
  const testAt = testsFor(isPaired, ratio, aim)
  const error = (n: number): number => scale * Math.sqrt(isPaired ? 1 / n : 1 / n + 1 / (n * ratio))
  const powerAt = (n: number, effect: number): Estimate<number> =>
    whenAvailable(testAt(n), test => test.power(effect / error(n)))
  const halfWidthAt = (n: number): Estimate<number> => whenAvailable(testAt(n), test => test.reach * error(n))
  const enough = (found: Estimate<number>, isEnough: (value: number) => boolean): boolean =>
    isAvailable(found) && isEnough(found)
  return {
    design: isPaired ? 'paired' : 'two groups',
    data: 'means',
    units: units ?? (isPaired ? 'pairs' : 'runs in each arm'),
    isStandardised: sd === null,
    fewest: 2,
    powerAt,
    // Student's t needs the fewest.
    runsFor: effect =>
      whenAvailable(tTestSampleSize(effect / scale, design, power, { alpha, alternative }), ({ n }) =>
        firstFrom(n, size => enough(powerAt(size, effect), found => found >= power)),
      ),
    effectFor: (n, direction = 1) =>
      whenAvailable(testAt(n), test => {
        const sign = alternative === 'two-sided' ? direction : alternative === 'less' ? -1 : 1
        const shift = reach(size => test.power(sign * size), power, { from: 0, most: 1e9 })
        return shift === undefined ? unavailable('unreachable') : sign * shift * error(n)
      }),
    halfWidthAt,
    runsForHalfWidth: wanted => fewestFor(n => enough(halfWidthAt(n), found => found <= wanted)),
    rangeFor: () => null,
    assumptions: [
      isPaired
        ? `the differences of pairs are roughly normal${sd === null ? '; effects are in units of their sd' : ''} (${testOfMeans})`
        : `both arms are roughly normal with the same sd${sd === null ? '; effects are in units of it' : ''} (${testOfMeans}${Math.max(ratio, 1 / ratio) >= 2 ? '; of arms that are so unlike in size a permutation of t counts, too' : ''})`,
    ],
  }
}

/** How the power of means is computed. */
const testOfMeans = `as compare does: t, and from ${fewUnits} units on the larger p of t and studentised bootstrap`

/** The test for each number of units, made once. */
function testsFor(isPaired: boolean, ratio: number, aim: Aim): (n: number) => Estimate<DefaultTest> {
  const tests = new Map<number, DefaultTest>()
  return n => {
    const candidates = Math.max(1, Math.round(n * ratio))
    if (isPaired ? n < 2 : Math.min(n, candidates) < 2) return unavailable('too_few_values')
    const test = tests.get(n) ?? defaultTest(isPaired ? [n] : [candidates, n], { ...aim, fewUnits })
    tests.set(n, test)
    return test
  }
}

/** The first number that is enough, starting from one that is close. */
function firstFrom(n: number, isEnough: (n: number) => boolean): Estimate<number> {
  const step = Math.max(1, Math.floor(n / 100))
  let found = n
  while (!isEnough(found)) {
    found += step
    if (found > 2 * n + 100) return unavailable('unreachable')
  }
  while (found > n && isEnough(found - 1)) found--
  return found
}

/** By doubling and halving; the condition stays true once it is. */
function fewestFor(isEnough: (n: number) => boolean): Estimate<number> {
  let high = 2
  while (!isEnough(high)) {
    high *= 2
    if (high > 1e12) return unavailable('unreachable')
  }
  let low = Math.max(1, high / 2)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}
