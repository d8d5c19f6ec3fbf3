import { counterRandom } from '../../stats/random/counter-random.ts'
import { type Population, samplesFrom } from './population.ts'
import { populations } from './populations.ts'
import { defaultProcedure, proceduresFor } from './procedures.ts'
import { Tally, type TallyResult } from './tally.ts'

export interface CalibrationOptions {
  readonly seed: number
  /** Simulated experiments of each kind and size, with and without a difference. */
  readonly trials: number
  readonly sizes: readonly number[]
  /** Inside each trial; an analysis uses many more. */
  readonly resamples: number
  readonly alpha: number
  /** Only kinds of data whose name contains one of these. */
  readonly data?: readonly string[]
}

/** One procedure on one kind of data with so many units. */
export interface CalibrationCell extends TallyResult {
  readonly data: string
  readonly n: number
  /** `default`: whatever is chosen without asking. */
  readonly procedure: string
  /** What the default was in these trials, the most frequent first; empty for the others. */
  readonly chosen: readonly string[]
}

/** Each kind and size has random numbers of its own: a part of the table is the same as that part of the whole table. */
export function* calibrate(options: CalibrationOptions): Generator<readonly CalibrationCell[]> {
  for (const population of chosenPopulations(options.data))
    for (const n of options.sizes) yield calibrateOne(population, n, options)
}

export const chosenPopulations = (names: readonly string[] | undefined): readonly Population[] =>
  populations.filter(({ name }) => names?.some(part => isMeant(name, part)) ?? true)

/** A whole name means itself, not what contains it: `normal, paired` is not `lognormal, paired`. */
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
        // Resamples of one trial have nothing to do with those of another, nor with its data.
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

/** FNV-1a, 32 bits: which numbers belong to which name, for good. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
