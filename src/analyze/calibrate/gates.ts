import { valueOrNull } from '../../stats/estimate.ts'
import { counterRandom, type Goal, type RandomSource } from '../../stats/index.ts'
import type { Drawing } from '../choices.ts'
import { verdictOf } from '../compare/comparison.ts'
import { candidateMoved, equivalenceOf } from '../compare/infer/equivalence.ts'
import { differenceOf, infer } from '../compare/infer/infer.ts'
import { methodFor } from '../compare/method.ts'
import type { Samples } from '../samples.ts'
import { drawnCrossing, samplesOfCrossing } from './designs.ts'
import { normalDeviates } from './normal-deviates.ts'
import { samplesFrom } from './population.ts'
import { populations } from './populations.ts'

/** How often a gate of `assay compare --require` wrongly lets a candidate pass, on numbers. */
export interface GateError {
  readonly data: string
  readonly n: number
  /** `better`: there is no difference. `not-worse`: the candidate is worse by exactly the margin. */
  readonly gate: 'better' | 'not-worse'
  /** With skewed data one direction has more errors than the other. */
  readonly goal: Goal
  readonly passed: number
}

interface GateData {
  readonly data: string
  /** An experiment without a difference. */
  draw(n: number, random: RandomSource): Samples
  /** An experiment in which the candidate is worse by exactly its own margin, for data that can't simply be shifted. */
  readonly worse?: { readonly margin: number; draw(n: number, random: RandomSource): Samples }
}

const alpha = 0.05
const goals = ['maximize', 'minimize'] as const

/** Both gates on every kind of numbers and every design, in both directions. */
export function* gateErrors(
  options: { readonly seed: number; readonly trials: number; readonly resamples: number },
  sizes: readonly number[] = [5, 10, 20, 50],
  isChosen: (data: string) => boolean = () => true,
): Generator<GateError> {
  const { seed, trials, resamples } = options
  for (const [which, { data, draw, worse }] of kinds.entries()) {
    if (!isChosen(data)) continue
    for (const n of sizes) {
      const random = counterRandom(seed, 1e6 * (which + 1) + n)
      const passed = { better: { maximize: 0, minimize: 0 }, 'not-worse': { maximize: 0, minimize: 0 } }
      for (let trial = 0; trial < trials; trial++) {
        const samples = draw(n, random)
        const drawing = { seed: seed + trial, resamples, rng: 'assay' } as const
        const p = differenceP(samples, drawing)
        for (const goal of goals) {
          if (isCalledBetter(samples, p, goal)) passed.better[goal]++
          if (worse === undefined && isLetPass(samples, goal, drawing)) passed['not-worse'][goal]++
        }
        if (worse !== undefined && isKept(worse.draw(n, random), worse.margin, 'maximize', drawing))
          passed['not-worse'].maximize++
      }
      for (const gate of ['better', 'not-worse'] as const)
        for (const goal of worse === undefined || gate === 'better' ? goals : (['maximize'] as const))
          yield { data, n, gate, goal, passed: passed[gate][goal] / trials }
    }
  }
}

const differenceP = (samples: Samples, drawing: Drawing): number | null =>
  valueOrNull(
    infer(samples, methodFor(samples), { level: 1 - alpha, alternative: 'two-sided', drawing, enough: alpha }).p,
  )

/** `--require better`: a two-sided test, of which only one side passes. */
const isCalledBetter = (samples: Samples, p: number | null, goal: Goal): boolean =>
  verdictOf({ estimate: valueOrNull(differenceOf(samples)), p, goal }, null, alpha) === 'better'

const margin = 1

/** `--require not-worse`: a one-sided test at the margin. The test of `--side greater` or `less` is the same at 0. */
function isLetPass(samples: Samples, goal: Goal, drawing: Drawing): boolean {
  const worse = candidateMoved(samples, goal === 'maximize' ? -margin : margin)
  return isKept(worse, margin, goal, drawing)
}

const isKept = (samples: Samples, margin: number, goal: Goal, drawing: Drawing): boolean =>
  equivalenceOf(samples, methodFor(samples), { margin, goal, alpha, drawing, family: 1 })?.not_worse ?? false

/** Normal scores would not test a gate that skewed ones would pass wrongly. */
const kinds: readonly GateData[] = [
  ...populations
    .filter(({ kind }) => kind === 'numbers')
    .map(population => ({
      data: population.name,
      draw: (n: number, random: RandomSource) => samplesFrom(population.draw(n, false, random), population),
    })),
  ...[true, false].map(isPaired => ({
    data: `costs of which half are 0, ${isPaired ? 'paired' : 'two groups'}`,
    draw(n: number, random: RandomSource) {
      const z = normalDeviates(random)
      const cost = () => (random.next() < 0.5 ? 0 : Math.exp(z()))
      return samplesFrom({ control: list(n, cost), candidate: list(n, cost) }, { isPaired, kind: 'numbers' })
    },
  })),
  {
    data: 'long tails on both sides (t of 3), paired',
    draw(n, random) {
      const z = normalDeviates(random)
      const value = () => z() / Math.sqrt((z() ** 2 + z() ** 2 + z() ** 2) / 3)
      return samplesFrom({ control: list(n, value), candidate: list(n, value) }, { isPaired: true, kind: 'numbers' })
    },
  },
  {
    data: 'n candidates against 100 controls',
    draw(n, random) {
      const z = normalDeviates(random)
      return samplesFrom({ control: list(100, z), candidate: list(n, z) }, { isPaired: false, kind: 'numbers' })
    },
  },
  {
    data: 'n tasks of 1 to 50 rollouts in each arm, two groups',
    draw(n, random) {
      const z = normalDeviates(random)
      const task = () => 0.7 * z() + z() / Math.sqrt(1 + random.below(50))
      return samplesFrom({ control: list(n, task), candidate: list(n, task) }, { isPaired: false, kind: 'numbers' })
    },
  },
  ...[3, 5].flatMap(seeds => [0, 0.2].map(missing => crossed(seeds, missing))),
  crossed(5, 0.5),
  {
    data: 'grades from 1 to 5, most of them alike, paired',
    draw(n, random) {
      const grade = () => 4 + Number(random.next() < 0.2) - random.below(4) * Number(random.next() < 0.2)
      return samplesFrom({ control: list(n, grade), candidate: list(n, grade) }, { isPaired: true, kind: 'numbers' })
    },
  },
  {
    data: 'costs with one long tail, n candidates against 10 n controls',
    draw(n, random) {
      const z = normalDeviates(random)
      const cost = () => Math.exp(z())
      return samplesFrom(
        { control: list(10 * n, cost), candidate: list(n, cost) },
        { isPaired: false, kind: 'numbers' },
      )
    },
  },
  brokenTasks(0.1, 0.95),
  brokenTasks(0.1, 1),
  brokenTasks(0.05, 0.95),
]

/** Tasks of five runs, solved or not: the candidate fails a share of them entirely, and is as good on the others. */
function brokenTasks(share: number, rate: number): GateData {
  const solved = (random: RandomSource): number =>
    list(5, () => Number(random.next() < rate)).reduce((a, b) => a + b) / 5
  const drawn = (n: number, broken: number, random: RandomSource): Samples => {
    const control = list(n, () => solved(random))
    const candidate = list(n, () => (random.next() < broken / rate ? 0 : solved(random)))
    return { ...samplesFrom({ control, candidate }, { isPaired: true, kind: 'numbers' }), isYesNo: true }
  }
  return {
    data: `n tasks × 5 runs solved in ${100 * rate}%, a few of which break: a loss of ${100 * share} points`,
    draw: (n, random) => drawn(n, 0, random),
    worse: { margin: share, draw: (n, random) => drawn(n, share, random) },
  }
}

/** Every task with the same seeds; some runs are missing. */
function crossed(seeds: number, missing: number): GateData {
  return {
    data: `n tasks × ${seeds} seeds, crossed${missing > 0 ? `, ${100 * missing}% of cells missing` : ''}`,
    draw(n, random) {
      const whole = drawnCrossing(n, seeds, { task: 0.5, seed: 0.3 }, normalDeviates(random))
      // Each task keeps at least one seed: a task without any run is no unit.
      const cells = whole.cells.filter(({ unit, level }) => level === unit % seeds || random.next() >= missing)
      const crossing = { ...whole, cells }
      return { ...samplesOfCrossing(crossing, 'unit'), crossed: [crossing] }
    },
  }
}

const list = (n: number, value: () => number): readonly number[] => Array.from({ length: n }, value)
