import { type Estimate, isAvailable, unavailable, whenAvailable } from '../../stats/estimate.ts'
import {
  type DesignWithoutN,
  minimumDetectableEffect,
  sampleSizeForHalfWidth,
  studentTUpperQuantile,
  tTestPower,
  tTestSampleSize,
} from '../../stats/index.ts'
import type { Aim, PowerModel } from './model.ts'

export interface MeansSpread {
  readonly isPaired: boolean
  /** Of the differences of pairs, or within a group; null: effects are in units of it. */
  readonly sd: number | null
  /** Runs of the candidate per run of the control. */
  readonly ratio: number
  /** What the units are called, where it is not pairs or runs. */
  readonly units?: string
}

/** Means compared by a t test, by the noncentral t distribution. */
export function meansModel({ isPaired, sd, ratio, units }: MeansSpread, aim: Aim): PowerModel {
  const { alpha, power, alternative } = aim
  const scale = sd ?? 1
  const design: DesignWithoutN = isPaired ? { kind: 'paired' } : { kind: 'independent', ratio }
  const halfWidthAt = (n: number): Estimate<number> => halfWidth({ isPaired, scale, ratio }, n, alpha)
  return {
    design: isPaired ? 'paired' : 'two groups',
    data: 'means',
    units: units ?? (isPaired ? 'pairs' : 'runs in each arm'),
    isStandardised: sd === null,
    fewest: 2,
    powerAt: (n, effect) => tTestPower(effect / scale, { ...design, n }, { alpha, alternative }),
    runsFor: effect =>
      whenAvailable(tTestSampleSize(effect / scale, design, power, { alpha, alternative }), size => size.n),
    effectFor: (n, direction = 1) =>
      whenAvailable(
        minimumDetectableEffect({ ...design, n }, power, { alpha, alternative }),
        effect => effect * scale * (alternative === 'two-sided' ? direction : 1),
      ),
    halfWidthAt,
    runsForHalfWidth: wanted =>
      isPaired
        ? sampleSizeForHalfWidth(scale, wanted, 1 - alpha)
        : fewestFor(n => {
            const width = halfWidthAt(n)
            return isAvailable(width) && width <= wanted
          }),
    rangeFor: () => null,
    assumptions: [
      isPaired
        ? `the differences of pairs are roughly normal${sd === null ? '; effects are in units of their sd' : ''} (paired t test, noncentral t)`
        : `both arms are roughly normal with the same sd${sd === null ? '; effects are in units of it' : ''} (t test of two groups, noncentral t)`,
    ],
  }
}

function halfWidth(
  { isPaired, scale, ratio }: { readonly isPaired: boolean; readonly scale: number; readonly ratio: number },
  n: number,
  alpha: number,
): Estimate<number> {
  const df = isPaired ? n - 1 : n + n * ratio - 2
  if (!(df > 0)) return unavailable('too_few_values')
  const error = scale * Math.sqrt(isPaired ? 1 / n : 1 / n + 1 / (n * ratio))
  return studentTUpperQuantile(alpha / 2, df) * error
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
