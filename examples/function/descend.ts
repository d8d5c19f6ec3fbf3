// Gradient descent on Rosenbrock's valley with noisy slopes. Parameters in, metrics out.
import type { CallContext } from 'assay'

interface Params {
  readonly optimizer: 'plain' | 'momentum' | 'adam'
  readonly learning_rate: number
  readonly momentum?: number
  readonly nesterov?: boolean
}

type Point = readonly [x: number, y: number]

const steps = 200

export default function descend(params: Params, { random, report }: CallContext): Record<string, number> {
  let at: Point = [-1.5 + 0.5 * random(), 1 + 0.5 * random()]
  const step = optimizers[params.optimizer](params)
  for (let count = 1; count <= steps; count++) {
    at = step(at, place => noisySlope(place, random), count)
    if (count % 10 === 0) report('loss', height(at), count)
  }
  // A diverged run has no result: throwing makes it `failed`, with this sentence as the reason.
  if (!Number.isFinite(height(at))) throw new Error(`ran away with a learning rate of ${params.learning_rate}`)
  return { loss: height(at), distance: Math.hypot(at[0] - 1, at[1] - 1) }
}

type Slope = (at: Point) => Point
type Step = (at: Point, slope: Slope, count: number) => Point

const optimizers: Record<Params['optimizer'], (params: Params) => Step> = {
  plain:
    ({ learning_rate }) =>
    (at, slope) =>
      moved(at, slope(at), -learning_rate),

  momentum({ learning_rate, momentum = 0, nesterov = false }) {
    let speed: Point = [0, 0]
    return (at, slope) => {
      const from = nesterov ? moved(at, speed, momentum) : at
      const [dx, dy] = slope(from)
      speed = [momentum * speed[0] - learning_rate * dx, momentum * speed[1] - learning_rate * dy]
      return moved(at, speed, 1)
    }
  },

  // Kingma & Ba 2015, with the constants of the paper.
  adam({ learning_rate }) {
    let mean: Point = [0, 0]
    let square: Point = [0, 0]
    return (at, slope, count) => {
      const [dx, dy] = slope(at)
      mean = [0.9 * mean[0] + 0.1 * dx, 0.9 * mean[1] + 0.1 * dy]
      square = [0.999 * square[0] + 0.001 * dx ** 2, 0.999 * square[1] + 0.001 * dy ** 2]
      const scaled = (m: number, s: number) => m / (1 - 0.9 ** count) / (Math.sqrt(s / (1 - 0.999 ** count)) + 1e-8)
      return moved(at, [scaled(mean[0], square[0]), scaled(mean[1], square[1])], -learning_rate)
    }
  },
}

/** A narrow, bent valley whose bottom is at (1, 1); a tenth of the usual steepness. */
const height = ([x, y]: Point): number => 0.1 * ((1 - x) ** 2 + 20 * (y - x ** 2) ** 2)

function noisySlope([x, y]: Point, random: () => number): Point {
  const noise = () => random() - 0.5
  return [0.1 * (-2 * (1 - x) - 80 * x * (y - x ** 2)) + noise(), 0.1 * 40 * (y - x ** 2) + noise()]
}

const moved = ([x, y]: Point, [dx, dy]: Point, by: number): Point => [x + by * dx, y + by * dy]
