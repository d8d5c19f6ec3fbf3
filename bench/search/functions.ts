import type { SearchDefinition } from '../../src/api/index.ts'
import type { JsonObject } from '../../src/util/json.ts'

/** A function to minimise. Keep bench/peers/optuna-search.py in sync. */
export interface TestFunction {
  readonly name: string
  readonly factors: NonNullable<SearchDefinition['factors']>
  value(params: JsonObject): number
}

const cube = (dimensions: number, min: number, max: number): TestFunction['factors'] =>
  Object.fromEntries(Array.from({ length: dimensions }, (_, index) => [`x${index}`, { min, max }]))

const numbersIn = (params: JsonObject, dimensions: number): number[] =>
  Array.from({ length: dimensions }, (_, index) => Number(params[`x${index}`]))

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Surjanovic and Bingham, "Virtual library of simulation experiments", https://www.sfu.ca/~ssurjano. Least: 0.397887. */
export const branin: TestFunction = {
  name: 'branin',
  factors: { x0: { min: -5, max: 10 }, x1: { min: 0, max: 15 } },
  value(params) {
    const [x = 0, y = 0] = numbersIn(params, 2)
    const valley = y - (5.1 / (4 * Math.PI ** 2)) * x ** 2 + (5 / Math.PI) * x - 6
    return valley ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10
  },
}

const hartmannA = [
  [10, 3, 17, 3.5, 1.7, 8],
  [0.05, 10, 17, 0.1, 8, 14],
  [3, 3.5, 1.7, 10, 17, 8],
  [17, 8, 0.05, 10, 0.1, 14],
]
const hartmannP = [
  [1312, 1696, 5569, 124, 8283, 5886],
  [2329, 4135, 8307, 3736, 1004, 9991],
  [2348, 1451, 3522, 2883, 3047, 6650],
  [4047, 8828, 8732, 5743, 1091, 381],
]

/** Least: −3.32237. */
export const hartmann6: TestFunction = {
  name: 'hartmann6',
  factors: cube(6, 0, 1),
  value(params) {
    const x = numbersIn(params, 6)
    const peaks = [1, 1.2, 3, 3.2].map((height, row) => {
      const distance = sum(
        x.map((at, index) => (hartmannA[row]?.[index] ?? 0) * (at - (hartmannP[row]?.[index] ?? 0) / 1e4) ** 2),
      )
      return height * Math.exp(-distance)
    })
    return -sum(peaks)
  },
}

const ackley: TestFunction = {
  name: 'ackley5',
  factors: cube(5, -20, 32),
  value(params) {
    const x = numbersIn(params, 5)
    const radius = Math.sqrt(sum(x.map(at => at ** 2)) / 5)
    return 20 + Math.E - 20 * Math.exp(-0.2 * radius) - Math.exp(sum(x.map(at => Math.cos(2 * Math.PI * at))) / 5)
  },
}

const rosenbrock: TestFunction = {
  name: 'rosenbrock4',
  factors: cube(4, -5, 10),
  value(params) {
    const x = numbersIn(params, 4)
    return sum(x.slice(1).map((next, index) => 100 * (next - (x[index] ?? 0) ** 2) ** 2 + (1 - (x[index] ?? 0)) ** 2))
  },
}

const levy: TestFunction = {
  name: 'levy4',
  factors: cube(4, -10, 10),
  value(params) {
    const w = numbersIn(params, 4).map(at => 1 + (at - 1) / 4)
    const [first = 0, last = 0] = [w[0], w.at(-1)]
    const middle = w.slice(0, -1).map(at => (at - 1) ** 2 * (1 + 10 * Math.sin(Math.PI * at + 1) ** 2))
    const end = (last - 1) ** 2 * (1 + Math.sin(2 * Math.PI * last) ** 2)
    return Math.sin(Math.PI * first) ** 2 + sum(middle) + end
  },
}

const rastrigin: TestFunction = {
  name: 'rastrigin3',
  factors: cube(3, -5.12, 5.12),
  value: params => 30 + sum(numbersIn(params, 3).map(at => at ** 2 - 10 * Math.cos(2 * Math.PI * at))),
}

/** Training a small model: a rate on a log scale, an integer, a share, a choice. */
const training: TestFunction = {
  name: 'training, mixed',
  factors: {
    rate: { min: 1e-5, max: 1, scale: 'log' },
    width: { min: 4, max: 512, scale: 'log', integer: true },
    dropout: { min: 0, max: 0.8 },
    optimizer: ['sgd', 'momentum', 'adam'],
  },
  value({ rate, width, dropout, optimizer }) {
    const best = { sgd: -0.7, momentum: -1.5, adam: -2.8 }[String(optimizer)] ?? 0
    const floor = { sgd: 0.3, momentum: 0.15, adam: 0.1 }[String(optimizer)] ?? 0
    const size = Math.log2(Number(width))
    const wanted = 0.1 + 0.05 * size
    return (
      floor + 0.3 * (Math.log10(Number(rate)) - best) ** 2 + 0.02 * (size - 7) ** 2 + (Number(dropout) - wanted) ** 2
    )
  },
}

/** Each branch has its own parameters. */
const branches: TestFunction = {
  name: 'branches, conditional',
  factors: {
    kind: ['tree', 'kernel', 'linear'],
    depth: { min: 1, max: 20, integer: true, when: "kind == 'tree'" },
    shrinkage: { min: 1e-3, max: 1, scale: 'log', when: "kind == 'tree'" },
    gamma: { min: 1e-5, max: 10, scale: 'log', when: "kind == 'kernel'" },
    cost: { min: 1e-3, max: 1e3, scale: 'log', when: "kind == 'kernel'" },
    penalty: { min: 1e-6, max: 10, scale: 'log', when: "kind == 'linear'" },
  },
  value({ kind, depth, shrinkage, gamma, cost, penalty }) {
    const log = (value: unknown) => Math.log10(Number(value))
    if (kind === 'tree') return 0.2 + 0.01 * (Number(depth) - 6) ** 2 + 0.4 * (log(shrinkage) + 1.2) ** 2
    if (kind === 'kernel')
      return 0.1 + 0.15 * (log(gamma) + 2.3) ** 2 + 0.1 * (log(cost) - 1.1 + 0.5 * (log(gamma) + 2.3)) ** 2
    return 0.35 + 0.05 * (log(penalty) + 3) ** 2
  },
}

/** Interacting choices: only the right pair is good. */
const choices: TestFunction = {
  name: 'choices, mixed',
  factors: {
    encoder: ['a', 'b', 'c', 'd', 'e'],
    decoder: ['a', 'b', 'c', 'd'],
    layers: { min: 1, max: 8, integer: true },
    rate: { min: 1e-4, max: 1, scale: 'log' },
    share: { min: 0, max: 1 },
  },
  value({ encoder, decoder, layers, rate, share }) {
    const base = { a: 0.5, b: 0.3, c: 0.2, d: 0.4, e: 0.25 }[String(encoder)] ?? 0
    const pair = encoder === 'c' && decoder === 'd' ? -0.15 : encoder === 'e' && decoder === 'b' ? -0.12 : 0.1
    return (
      base +
      pair +
      0.02 * (Number(layers) - 5) ** 2 +
      0.1 * (Math.log10(Number(rate)) + 2) ** 2 +
      (Number(share) - 0.7) ** 2
    )
  },
}

export const suite: readonly TestFunction[] = [
  ...[branin, hartmann6, ackley, rosenbrock, levy, rastrigin],
  ...[training, branches, choices],
]
