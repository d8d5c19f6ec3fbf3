import { isAvailable } from '../../stats/estimate.ts'
import {
  agrestiCoullInterval,
  binomialProbability,
  clopperPearsonInterval,
  counterRandom,
  jeffreysInterval,
  wilsonInterval,
} from '../../stats/index.ts'
import { type Population, samplesFrom } from './population.ts'
import { populations } from './populations.ts'
import type { Answer } from './procedure.ts'
import { defaultProcedure, proceduresFor } from './procedures.ts'

export { type DesignError, designErrors } from './designs.ts'
export { type FamilyError, familyErrors } from './families.ts'
export { type GateError, gateErrors } from './gates.ts'
export { type MarginError, marginErrors } from './margins.ts'
export { otherDesignErrors } from './other-designs.ts'
export { type StatedPower, statedPowers } from './stated-power.ts'

export interface CalibrationOptions {
  readonly seed: number
  /** Simulated experiments of each kind and size, with and without a difference. */
  readonly trials: number
  readonly sizes: readonly number[]
  /** Within each trial; an analysis uses many more. */
  readonly resamples: number
  readonly alpha: number
  /** Only kinds of data whose name contains one of these. */
  readonly data?: readonly string[]
}

/** One procedure on one kind of data with this many units. */
export interface CalibrationCell extends TallyResult {
  readonly data: string
  readonly n: number
  /** `default`: the procedure chosen unless the user asks for another. */
  readonly procedure: string
  /** The procedures that the default chose in these trials, the most frequent first; empty for the others. */
  readonly chosen: readonly string[]
}

/** Each kind and size has its own random numbers: a part of the table has the same values as in the whole table. */
export function* calibrate(options: CalibrationOptions): Generator<readonly CalibrationCell[]> {
  for (const population of chosenPopulations(options.data))
    for (const n of options.sizes) yield calibrateOne(population, n, options)
}

export const chosenPopulations = (names: readonly string[] | undefined): readonly Population[] =>
  populations.filter(({ name }) => names?.some(part => isMeant(name, part)) ?? true)

/** Parts of the calibration besides kinds of data. */
export const otherParts = ['margins', 'gates', 'families', 'designs', 'other designs', 'stated power'] as const

export const isPartChosen = (part: (typeof otherParts)[number], names: readonly string[] | undefined): boolean =>
  names?.some(name => part === name) ?? true

/** A full name selects only itself: `normal, paired` does not select `lognormal, paired`. */
const isMeant = (name: string, part: string): boolean =>
  populations.some(population => population.name === part) ? name === part : name.includes(part)

function calibrateOne(population: Population, n: number, options: CalibrationOptions): readonly CalibrationCell[] {
  const { trials, seed, alpha, resamples } = options
  const procedures = proceduresFor(population)
  const tallies = procedures.map(() => new Tally())
  const ofDefault = new Tally()
  const timesChosen = new Map<string, number>()
  const stream = hash(`${population.name}, n = ${n}, seed ${seed}`)
  const random = counterRandom(seed, stream)
  for (let trial = 0; trial < trials; trial++)
    for (const hasDifference of [false, true]) {
      const draw = population.draw(n, hasDifference, random)
      const question = {
        truth: hasDifference ? population.difference : 0,
        alpha,
        // Resamples of one trial are independent of those of another, and of its data.
        seed: stream * 2 ** 20 + 2 * trial + Number(hasDifference),
        resamples,
      }
      const chosen = defaultProcedure(samplesFrom(draw, population))
      const answers = procedures.map(procedure => procedure.answer(draw, question))
      for (const [at, answer] of answers.entries()) tallies[at]?.add(answer, hasDifference)
      const known = answers[procedures.findIndex(({ name }) => name === chosen.name)]
      timesChosen.set(chosen.name, (timesChosen.get(chosen.name) ?? 0) + 1)
      ofDefault.add(known ?? chosen.answer(draw, question), hasDifference)
    }
  const byFrequency = [...timesChosen].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
  const cell = (procedure: string, tally: Tally, chosen: readonly string[]) => ({
    data: population.name,
    n,
    procedure,
    chosen,
    ...tally.result(),
  })
  return [
    cell('default', ofDefault, byFrequency),
    ...tallies.map((tally, at) => cell(procedures[at]?.name ?? '', tally, [])),
  ]
}

/** FNV-1a, 32 bits: a name keeps the same random numbers for ever. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

export interface ProportionCoverage {
  readonly method: string
  readonly rate: number
  readonly n: number
  readonly coverage: number
}

const methods = {
  wilson: wilsonInterval,
  'clopper-pearson': clopperPearsonInterval,
  jeffreys: jeffreysInterval,
  'agresti-coull': agrestiCoullInterval,
} as const

/**
 * How often the interval of one arm's success rate contains the truth: summed over all outcomes, so free of simulation
 * error.
 */
export function proportionCoverage(
  rates: readonly number[],
  sizes: readonly number[],
  level: number,
): readonly ProportionCoverage[] {
  return Object.entries(methods).flatMap(([method, interval]) =>
    rates.flatMap(rate =>
      sizes.map(n => {
        let coverage = 0
        for (let successes = 0; successes <= n; successes++) {
          const found = interval({ successes, n }, level)
          if (isAvailable(found) && found.low <= rate && rate <= found.high)
            coverage += binomialProbability(successes, n, rate)
        }
        return { method, rate, n, coverage }
      }),
    ),
  )
}

/** A counted share, and its simulation error. */
export interface Share {
  readonly share: number
  /** Monte Carlo standard error. */
  readonly error: number
}

interface TallyResult {
  /** How often the interval contains the truth, with a true difference and an interval. */
  readonly coverage: Share | null
  /** How often a difference is claimed when there is none. */
  readonly typeI: Share
  /** How often a true difference is found. */
  readonly power: Share
  /** The median width of the intervals. */
  readonly width: number | null
  /** How often there is no interval. */
  readonly unanswered: number
}

/** Counts a procedure's answers over many trials. */
class Tally {
  readonly #widths: number[] = []
  #covered = 0
  #intervals = 0
  readonly #trials = { with: 0, without: 0 }
  readonly #rejected = { with: 0, without: 0 }

  add({ covers, width, rejects }: Answer, hasDifference: boolean): void {
    const kind = hasDifference ? 'with' : 'without'
    this.#trials[kind]++
    if (rejects) this.#rejected[kind]++
    if (!hasDifference || covers === null) return
    this.#intervals++
    if (covers) this.#covered++
    if (width !== null) this.#widths.push(width)
  }

  result(): TallyResult {
    const sorted = Float64Array.from(this.#widths).sort()
    return {
      coverage: this.#intervals === 0 ? null : shareOf(this.#covered, this.#intervals),
      typeI: shareOf(this.#rejected.without, this.#trials.without),
      power: shareOf(this.#rejected.with, this.#trials.with),
      width: sorted[Math.floor(sorted.length / 2)] ?? null,
      unanswered: 1 - this.#intervals / this.#trials.with,
    }
  }
}

/** A share of 0 or 1 gets the error of half a trial more: no count is certain. */
function shareOf(count: number, trials: number): Share {
  const share = count / trials
  const inside = Math.min(1 - 0.5 / trials, Math.max(0.5 / trials, share))
  return { share, error: Math.sqrt((inside * (1 - inside)) / trials) }
}

/**
 * By how much coverage and type-I error may miss their level and still count as right (Bradley 1978, Br. J. Math. Stat.
 * Psychol. 31:144): half of alpha.
 */
const half = 0.5

export type Mark = 'fine' | 'too bold' | 'too cautious'

/** Outside the tolerance by more than two standard errors, so not by simulation error alone. */
export function coverageMark({ share, error }: Share, alpha: number): Mark {
  if (share + 2 * error < 1 - alpha * (1 + half)) return 'too bold'
  return share - 2 * error > 1 - alpha * (1 - half) ? 'too cautious' : 'fine'
}

/** Claiming too rarely is not an error: it shows in the power. */
export function typeIMark({ share, error }: Share, alpha: number): Mark {
  return share - 2 * error > alpha * (1 + half) ? 'too bold' : 'fine'
}
