import { meanOf } from '../describe/moments.ts'

/** Units that are resampled together, and the weight of their mean in the estimate. */
export interface DrawnGroup {
  readonly values: readonly number[]
  readonly factor: number
}

/** The tail of resampled t, beyond the reach of resamples. */
export interface Tail {
  /** A bound on the probability of a resample whose t is at least this. */
  bound(t: number): number
  /** The t beyond which the probability is at most this, by that bound. */
  line(chance: number): number
}

/**
 * Finds the most likely of all resamples with such a t; the probability is at most exp(−its divergence) (Sanov 1957;
 * for sums divided by their own spread: Shao 1997, Ann. Probab. 25:285). Where both can be compared, between 1 in 50
 * and 1 in 100,000, it is one to some fifteen times the counted probability: conservative. `leastError`: the smallest
 * error of a resample that is used, as a share of the sample's own.
 */
export function tailOf(drawn: readonly DrawnGroup[], leastError = 0): Tail {
  const groups = drawn.map(({ values, factor }): Group => {
    const mean = meanOf(values)
    return {
      centred: Float64Array.from(values, value => value - mean),
      factor,
      scale: factor ** 2 / (values.length - 1),
    }
  })
  const least = leastError * spreadOf(groups)
  let near: readonly Start[] | undefined
  const bound = (t: number): number => {
    if (!(t > 0)) return 1
    near ??= nearOneValue(groups)
    const starts = [...pulledTo(groups, t), ...near.filter(isFarther(t, least)).slice(0, 3)]
    const divergence = Math.min(onlyOne(groups), ...starts.map(({ place }) => descended(groups, t, place)))
    return Math.min(1, Math.max(Number.MIN_VALUE, Math.exp(-divergence)))
  }
  return { bound, line: chance => lineAt(bound, chance) }
}

/** Below the probability of one repeated value nothing is ruled out, so there is no critical value. */
function lineAt(bound: (t: number) => number, chance: number): number {
  let [low, high] = [0, 2 * Math.sqrt(-2 * Math.log(chance))]
  while (bound(high) > chance) {
    if (high > 1e6) return Number.POSITIVE_INFINITY
    ;[low, high] = [high, 2 * high]
  }
  while (high - low > 1e-3 * high) {
    const middle = (low + high) / 2
    if (bound(middle) > chance) low = middle
    else high = middle
  }
  return high
}

interface Group {
  readonly centred: Float64Array
  readonly factor: number
  /** The group's part of the squared error, as a multiple of its variance. */
  readonly scale: number
}

/** For some weights: the estimate, its error, and the means around which the error is computed. */
interface Place {
  readonly means: readonly number[]
  readonly error: number
  readonly shift: number
}

/**
 * Weights have a t of at least `t` if S ≥ t·W: S is the shift of the estimate and W its error. As W ≤ (W² / W₀ + W₀) /
 * 2 for any W₀, and a variance is at most the mean square around any point, S − t (W² / W₀ + W₀) / 2 ≥ 0 is sufficient:
 * a condition on sums over the drawn values, whose smallest divergence has exponential weights. Each step takes W₀ and
 * the points from the previous one, so that the divergence only decreases.
 */
function descended(groups: readonly Group[], t: number, start: Place): number {
  let place = start
  let [least, power] = [Number.POSITIVE_INFINITY, 0]
  for (let turn = 0; turn < 100 && place.error > 0; turn++) {
    const { error, means } = place
    const scores = groups.map((group, at) => scoresOf(group, (t * group.scale) / (2 * error), means[at] ?? 0))
    const found = tiltedTo(scores, (t * error) / 2, power)
    if (found === null) break
    power = found.power
    if (found.divergence > least * (1 - 1e-6)) return Math.min(least, found.divergence)
    least = found.divergence
    place = placeOf(groups, found.weights)
  }
  return least
}

function scoresOf({ centred, factor }: Group, weight: number, centre: number): Float64Array {
  const scores = new Float64Array(centred.length)
  for (let at = 0; at < scores.length; at++) {
    const value = centred[at] ?? 0
    const off = value - centre
    scores[at] = factor * value - weight * (off * off)
  }
  return scores
}

/** The probability that all draws of a group have the same value. */
const onlyOne = (groups: readonly Group[]): number =>
  groups.reduce((sum, { centred }) => sum + centred.length * Math.log(centred.length), 0)

interface Start {
  readonly place: Place
  readonly divergence: number
}

const isFarther =
  (t: number, least = 0) =>
  ({ place: { shift, error } }: Start): boolean =>
    shift >= t * Math.max(error, least)

/** The smallest tilt towards large values that gives such a large t. */
function pulledTo(groups: readonly Group[], t: number): readonly Start[] {
  const spread = spreadOf(groups)
  for (let power = t / spread / 2; power < 1e6 / spread; power *= 1.3) {
    const weights = groups.map(
      ({ centred, factor }) =>
        weightsOf(
          centred.map(value => factor * value),
          power / centred.length,
        ).weights,
    )
    const start = { place: placeOf(groups, weights), divergence: 0 }
    if (isFarther(t)(start)) return [start]
  }
  return []
}

/**
 * Weights around one value of each group, narrower and narrower; the most likely first. A few values that happen to be
 * close together, or many equal ones, make an error arbitrarily small.
 */
function nearOneValue(groups: readonly Group[]): readonly Start[] {
  if (groups.length > 2) return []
  const most = groups.length === 1 ? 12 : 8
  return widths
    .flatMap(width => combined(groups.map(({ centred }) => centresOf(centred, most).map(aroundIn(centred, width)))))
    .map(chosen => ({
      divergence: chosen.reduce((sum, { divergence }) => sum + divergence, 0),
      place: placeOf(
        groups,
        chosen.map(({ weights }) => weights),
      ),
    }))
    .toSorted((a, b) => a.divergence - b.divergence)
}

const aroundIn = (centred: Float64Array, width: number) => {
  const scale = width * Math.sqrt(meanSquare(centred))
  return (centre: number) => {
    const { weights, mean, log } = weightsOf(
      centred.map(value => -(((value - centre) / scale) ** 2) / 2),
      1,
    )
    return { weights, divergence: centred.length * (mean - log) }
  }
}

const widths = [1, 0.5, 0.25, 0.1, 0.03]

/** At most this many of the values, evenly spread. */
function centresOf(values: Float64Array, most: number): readonly number[] {
  const sorted = Array.from(values).sort((a, b) => a - b)
  const count = Math.min(most, sorted.length)
  return Array.from(
    { length: count },
    (_, at) => sorted[Math.round((at * (sorted.length - 1)) / Math.max(1, count - 1))] ?? 0,
  )
}

const combined = <T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  lists.reduce<readonly (readonly T[])[]>((all, list) => all.flatMap(one => list.map(item => [...one, item])), [[]])

/** The standard error of the sample itself. */
const spreadOf = (groups: readonly Group[]): number =>
  Math.sqrt(groups.reduce((sum, { centred, scale }) => sum + scale * meanSquare(centred), 0))

const meanSquare = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + value * value, 0) / values.length

function placeOf(groups: readonly Group[], weights: readonly Float64Array[]): Place {
  let [shift, squares] = [0, 0]
  const means = groups.map(({ centred, factor, scale }, at) => {
    const own = weights[at] ?? new Float64Array(0)
    let [mean, around] = [0, 0]
    for (let index = 0; index < centred.length; index++) mean += (centred[index] ?? 0) * (own[index] ?? 0)
    for (let index = 0; index < centred.length; index++) {
      const off = (centred[index] ?? 0) - mean
      around += off * off * (own[index] ?? 0)
    }
    squares += scale * around
    shift += factor * mean
    return mean
  })
  return { means, error: Math.sqrt(squares), shift }
}

/**
 * Weights ∝ exp(power · score), the mean and variance of the score under them, and the logarithm of the mean of the
 * exponentials.
 */
function weightsOf(scores: Float64Array, power: number) {
  const { length } = scores
  // Plain loops: this is the innermost computation, and callbacks would take most of its time.
  let top = Number.NEGATIVE_INFINITY
  for (let at = 0; at < length; at++) top = Math.max(top, power * (scores[at] ?? 0))
  const weights = new Float64Array(length)
  let [total, mean, squares] = [0, 0, 0]
  for (let at = 0; at < length; at++) {
    const weight = Math.exp(power * (scores[at] ?? 0) - top)
    weights[at] = weight
    total += weight
  }
  for (let at = 0; at < length; at++) {
    const [score, share] = [scores[at] ?? 0, (weights[at] ?? 0) / total]
    weights[at] = share
    mean += share * score
    squares += share * (score * score)
  }
  return { weights, mean, variance: Math.max(0, squares - mean * mean), log: Math.log(total / length) + top }
}

/**
 * The exponential weights whose expected scores add up to the level, by Newton's method inside a bracket; null if there
 * are none.
 */
function tiltedTo(scores: readonly Float64Array[], level: number, guess: number) {
  const at = (power: number) => {
    const parts = scores.map(own => ({ n: own.length, ...weightsOf(own, power / own.length) }))
    const mean = parts.reduce((sum, part) => sum + part.mean, 0)
    return {
      power,
      mean,
      slope: parts.reduce((sum, part) => sum + part.variance / part.n, 0),
      weights: parts.map(part => part.weights),
      divergence: power * mean - parts.reduce((sum, part) => sum + part.n * part.log, 0),
    }
  }
  const most = scores.reduce((sum, own) => sum + own.reduce((top, score) => Math.max(top, score), -Infinity), 0)
  const none = at(0)
  if (none.mean >= level) return none
  if (!(most > level)) return null
  let [low, high, found] = [0, Number.POSITIVE_INFINITY, guess > 0 ? at(guess) : none]
  for (let step = 0; step < 200; step++) {
    if (found.mean < level) low = found.power
    else high = found.power
    if (Math.abs(found.mean - level) <= 1e-9 * (most - none.mean)) return found
    const next = found.power + (level - found.mean) / found.slope
    const middle = Number.isFinite(high) ? (low + high) / 2 : 2 * Math.max(low, 1e-300)
    found = at(
      next > low && next < high && Number.isFinite(next) ? Math.min(next, Math.max(4 * low, next / 8)) : middle,
    )
  }
  return found
}
