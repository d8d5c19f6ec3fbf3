import type { SearchSpec } from '../../define/experiment.ts'
import type { Json } from '../../util/json.ts'
import { mixSeed, seededRandom } from '../../util/random.ts'
import type { PlannerMethod } from '../planner.ts'
import { bestPlace } from '../search/gp/best-place.ts'
import { logExpectedImprovement } from '../search/gp/expected-improvement.ts'
import type { Data, Parameters } from '../search/gp/likelihood.ts'
import { fitParameters, processOf } from '../search/gp/process.ts'
import { type ValueScale, valueScaleOf } from '../search/gp/value-scale.ts'
import type { Finished, History } from '../search/learn/history.ts'
import { learningPlanner, type Method } from '../search/learn/learner.ts'

/**
 * Bayesian optimisation: a Gaussian process predicts every variant's value and its uncertainty; the next variant is the
 * one with the highest expected improvement (J. Močkus 1975; D. R. Jones et al. 1998, "Efficient global optimization of
 * expensive black-box functions", J. Global Optim. 13:455). For runs that cost more than a second: it computes longer
 * than `tpe`, and needs fewer runs. Beyond a few hundred variants the model only sees a selection.
 */
export const bayes: PlannerMethod = {
  method: 'bayes',
  make: (experiment, options) => learningPlanner(method, experiment, options),
}

const method: Method = {
  name: 'bayes',
  initial: ({ dimensions }) => Math.min(12, 3 + dimensions.filter(({ size }) => size > 1).length),
  suggest(history, random, memory, goal) {
    const scale = valueScaleOf(history.finished.map(({ value }) => value))
    const parameters = parametersFor(history, scale, memory)
    const data = dataOf(chosen(history.finished, mostModelled), history, scale)
    const process = processOf(withPending(data, history.pending, parameters), parameters)
    const means = data.places.map(places => process.predict(places).mean)
    const best = means.reduce((one, other) => Math.min(one, other))
    const score = (places: Float64Array): number => {
      const { mean, deviation } = process.predict(places)
      return logExpectedImprovement(mean, deviation, best)
    }
    const found = bestPlace(history, score, random)
    if (found === null) return null
    const { mean, deviation } = process.predict(found.places)
    return {
      point: found.point,
      why: reason({ mean, deviation, best, gain: Math.exp(found.score) }, scale, goal),
      memory: { fitted: history.finished.length, parameters: [...parameters] },
    }
  },
}

/** The model's matrix is factorised for every suggestion: the cost grows with the cube of this. */
const mostModelled = 250
/** And for every step of the fit. */
const mostFitted = 100

/** As found before, if little was learned since. */
function parametersFor(history: History, scale: ValueScale, memory: Json): Parameters {
  const { finished } = history
  const before = memory as { readonly fitted: number; readonly parameters: readonly number[] } | null
  const known = before === null ? null : Float64Array.from(before.parameters)
  if (before !== null && known !== null && finished.length < before.fitted + 1 + Math.floor(before.fitted / 50))
    return known
  return fitParameters(dataOf(chosen(finished, mostFitted), history, scale), known)
}

function dataOf(finished: readonly Finished[], { space }: History, scale: ValueScale): Data {
  return {
    places: finished.map(({ places }) => places),
    values: Float64Array.from(finished, ({ value }) => scale.toModel(value)),
    variances: Float64Array.from(finished, ({ value, variance }) => variance * scale.slopeAt(value) ** 2),
    choices: space.dimensions.map(({ isOrdered }) => !isOrdered),
  }
}

/** The best third, and a random choice of the others, always the same for the same number. */
function chosen(finished: readonly Finished[], most: number): readonly Finished[] {
  if (finished.length <= most) return finished
  const ranked = finished.toSorted((a, b) => a.value - b.value)
  const best = ranked.slice(0, Math.floor(most / 3))
  const random = seededRandom(mixSeed(finished.length))
  const others = ranked.slice(best.length).map(one => ({ one, key: random.next() }))
  const drawn = others.toSorted((a, b) => a.key - b.key).slice(0, most - best.length)
  return [...best, ...drawn.map(({ one }) => one)]
}

/** Pending variants are assumed to turn out as expected: so requesting them, or their neighbours, again gains nothing. */
function withPending(data: Data, pending: readonly Float64Array[], parameters: Parameters): Data {
  if (pending.length === 0) return data
  const process = processOf(data, parameters)
  const believed = pending.map(places => process.predict(places).mean)
  return {
    ...data,
    places: [...data.places, ...pending],
    values: Float64Array.from([...data.values, ...believed]),
    variances: Float64Array.from([...data.variances, ...pending.map(() => 0)]),
  }
}

interface Prediction {
  readonly mean: number
  readonly deviation: number
  readonly best: number
  readonly gain: number
}

function reason({ mean, deviation, best, gain }: Prediction, scale: ValueScale, goal: SearchSpec['goal']): string {
  const sign = goal === 'maximize' ? -1 : 1
  const [low, high] = [scale.fromModel(mean - deviation), scale.fromModel(mean + deviation)]
  const improvement = scale.fromModel(best) - scale.fromModel(best - gain)
  const shown = (value: number) => String(Number(value.toPrecision(3)))
  return `expected improvement ${shown(improvement)} over ${shown(sign * scale.fromModel(best))}, predicted ${shown(sign * scale.fromModel(mean))} ± ${shown((high - low) / 2)}`
}
