import type { RandomSource } from '../../stats/index.ts'
import type { Cell } from '../units/cells.ts'
import { winsOfGroups, winsOfPairs } from '../units/wins.ts'
import { normalDeviates } from './normal-deviates.ts'
import type { Draw, Population } from './population.ts'

/** One unit: the numbers of control and candidate. */
type Unit = readonly [control: number, candidate: number]

const units = (n: number, unit: () => Unit): Draw => {
  const control: number[] = []
  const candidate: number[] = []
  for (let at = 0; at < n; at++) {
    const [own, other] = unit()
    control.push(own)
    candidate.push(other)
  }
  return { control, candidate }
}

const normal: readonly Population[] = [
  {
    name: 'normal, paired',
    kind: 'numbers',
    isPaired: true,
    meaning: 'Bell-shaped scores of the same seeds under both arms, correlated by 0.5. The difference is 0.8 sd.',
    difference: 0.8,
    draw(n, hasDifference, random) {
      const z = normalDeviates(random)
      return units(n, () => {
        const shared = z()
        const shift = hasDifference ? 0.8 : 0
        return [(shared + z()) * Math.SQRT1_2, shift + (shared + z()) * Math.SQRT1_2]
      })
    },
  },
  {
    name: 'normal, two groups',
    kind: 'numbers',
    isPaired: false,
    meaning: 'Bell-shaped scores of different seeds in each arm. The difference is 0.8 sd.',
    difference: 0.8,
    draw(n, hasDifference, random) {
      const z = normalDeviates(random)
      return units(n, () => [z(), z() + (hasDifference ? 0.8 : 0)])
    },
  },
  {
    name: 'normal, unequal groups',
    kind: 'numbers',
    isPaired: false,
    meaning: 'The candidate has three times the spread and half the runs of the control: n runs against 2n.',
    difference: 2,
    draw(n, hasDifference, random) {
      const z = normalDeviates(random)
      return {
        control: Array.from({ length: 2 * n }, z),
        candidate: Array.from({ length: n }, () => 3 * z() + (hasDifference ? 2 : 0)),
      }
    },
  },
]

/** The mean of exp(σ z). */
const lognormalMean = (sigma: number): number => Math.exp((sigma * sigma) / 2)

const lognormal: readonly Population[] = [
  {
    name: 'lognormal, paired',
    kind: 'numbers',
    isPaired: true,
    meaning:
      'Costs or times of the same tasks, some of them ten times as dear as others. The candidate takes 40% less.',
    difference: -0.4 * lognormalMean(Math.hypot(0.8, 0.5)),
    draw(n, hasDifference, random) {
      const z = normalDeviates(random)
      return units(n, () => {
        const size = 0.8 * z()
        return [Math.exp(size + 0.5 * z()), (hasDifference ? 0.6 : 1) * Math.exp(size + 0.5 * z())]
      })
    },
  },
  {
    name: 'lognormal, two groups',
    kind: 'numbers',
    isPaired: false,
    meaning: 'Costs or times of different runs (σ = 1 on the log scale). The candidate takes 60% less.',
    difference: -0.6 * lognormalMean(1),
    draw(n, hasDifference, random) {
      const z = normalDeviates(random)
      return units(n, () => [Math.exp(z()), (hasDifference ? 0.4 : 1) * Math.exp(z())])
    },
  },
  {
    name: 'skewed differences, paired',
    kind: 'numbers',
    isPaired: true,
    meaning:
      'The hardest case: the candidate is a little cheaper on most tasks and much dearer on a few (differences are lognormal, σ = 1, around their mean).',
    difference: 1.5,
    draw(n, hasDifference, random) {
      const z = normalDeviates(random)
      const shift = (hasDifference ? 1.5 : 0) - lognormalMean(1)
      return units(n, () => {
        const own = z()
        return [own, own + Math.exp(z()) + shift]
      })
    },
  },
]

/** Training that goes well or collapses: one of two values, with a little noise. */
const height = (isFine: boolean, z: () => number): number => (isFine ? 1 : 0) + 0.1 * z()

/**
 * Two yes-or-no answers with these probabilities, which agree more often than independent ones: half of the luck is
 * shared.
 */
function answers(control: number, candidate: number, isPaired: boolean, random: RandomSource): [boolean, boolean] {
  const own = random.next()
  const other = isPaired && random.next() < 0.5 ? own : random.next()
  return [own < control, other < candidate]
}

const bimodal = [true, false].map((isPaired): Population => {
  return {
    name: `bimodal, ${isPaired ? 'paired' : 'two groups'}`,
    kind: 'numbers',
    isPaired,
    meaning: `Training that succeeds or collapses${isPaired ? ', on the same seeds' : ''}: 60% of runs succeed, 90% of the candidate's.`,
    difference: 0.3,
    draw(n, hasDifference, random) {
      const z = normalDeviates(random)
      return units(n, () => {
        const [own, other] = answers(0.6, hasDifference ? 0.9 : 0.6, isPaired, random)
        return [height(own, z), height(other, z)]
      })
    },
  }
})

const yesNo = [true, false].flatMap(isPaired =>
  (
    [
      [0.05, 0.3],
      [0.5, 0.8],
      [0.95, 0.7],
    ] as const
  ).map(([from, to]): Population => {
    const what = isPaired ? 'The same tasks, solved or not' : 'Different tasks in each arm, solved or not'
    return {
      name: `yes or no at ${from}, ${isPaired ? 'paired' : 'two groups'}`,
      kind: 'yes-no',
      isPaired,
      meaning: `${what}: the control solves ${100 * from}%, the candidate ${100 * to}%.`,
      difference: to - from,
      draw(n, hasDifference, random) {
        return units(n, () => {
          const [own, other] = answers(from, hasDifference ? to : from, isPaired, random)
          return [Number(own), Number(other)]
        })
      },
    }
  }),
)

/** Of each task and arm. */
const rolloutsPerTask = 8

const tasks: Population = {
  name: 'tasks × rollouts, paired',
  kind: 'numbers',
  isPaired: true,
  meaning: `n tasks, ${rolloutsPerTask} rollouts of each under both arms, solved or not; most tasks are nearly always or nearly never solved, and which arm is better at a task varies. The candidate solves 20 points more. A unit is a task: the mean of its rollouts.`,
  difference: 0.2,
  draw(n, hasDifference, random) {
    const rollouts = { control: [] as number[], candidate: [] as number[] }
    const rate = () => Math.sin((Math.PI / 2) * random.next()) ** 2
    const solved = (chance: number, into: number[]): number => {
      let count = 0
      for (let at = 0; at < rolloutsPerTask; at++) {
        const isSolved = Number(random.next() < chance)
        into.push(isSolved)
        count += isSolved
      }
      return count / rolloutsPerTask
    }
    const averaged = units(n, () => {
      const own = rate()
      const base = random.next() < 0.3 ? rate() : own
      const other = hasDifference ? base + 0.4 * (1 - base) : base
      return [solved(own, rollouts.control), solved(other, rollouts.candidate)]
    })
    return { ...averaged, rollouts }
  },
}

/** The candidate's speed-up, if there is a difference. */
const fasterBy = 3

/** Net wins of exponential times; those above a limit are all equal, and worse than the others. */
const netWins = (limits: readonly number[]): number =>
  limits.reduce((sum, limit) => sum + 1 - Math.exp(-(1 + fasterBy) * limit), 0) *
  ((fasterBy - 1) / (fasterBy + 1) / limits.length)

const ofRun = (value: number, at: number): Cell => ({
  unit: String(at),
  where: '',
  values: [value],
  runs: [],
  missing: 0,
})

/** Half of the tasks have a very short time limit. */
const limitsOfTasks = [0.4, 1.6] as const

const cutOff = [true, false].map((isPaired): Population => {
  const limits = isPaired ? limitsOfTasks : [1]
  return {
    name: `times with timeouts, ${isPaired ? 'paired' : 'two groups'}`,
    kind: isPaired ? 'yes-no' : 'ranked',
    isPaired,
    meaning: `Exponential times of which ${isPaired ? 'a limit that differs between tasks' : 'a limit'} cuts off the longest; these have the worst rank. The candidate is ${fasterBy} times as fast. The difference is that of the shares won and lost.`,
    difference: netWins(limits),
    draw(n, hasDifference, random) {
      const time = (limit: number, speed: number): number => {
        const value = -Math.log(1 - random.next()) / speed
        return value > limit ? Number.POSITIVE_INFINITY : value
      }
      const measured = units(n, () => {
        const limit = limits[random.below(limits.length)] ?? 1
        return [time(limit, 1), time(limit, hasDifference ? fasterBy : 1)]
      })
      const cells = { control: measured.control.map(ofRun), candidate: measured.candidate.map(ofRun) }
      const { control, candidate } = (isPaired ? winsOfPairs : winsOfGroups)(cells, 'minimize')
      return { control: control.flatMap(cell => cell.values), candidate: candidate.flatMap(cell => cell.values) }
    },
  }
})

/** Every fourth task has ten times the weight of the first. */
const weightsOfTasks = [1, 2, 5, 10] as const

const weighted: readonly Population[] = [
  {
    name: 'tasks with weights, paired',
    kind: 'numbers',
    isPaired: true,
    isWeighted: true,
    meaning: `Bell-shaped scores of the same tasks under both arms, of which each counts ${weightsOfTasks.join(', ')} times, in turn; tasks that count more vary more. The difference is 0.8 sd of the others.`,
    difference: 0.8,
    draw(n, hasDifference, random) {
      const z = normalDeviates(random)
      const all = Array.from({ length: n }, (_, at) => ({ weight: weightsOfTasks[at % 4] ?? 1, stratum: '' }))
      let at = 0
      const drawn = units(n, () => {
        const spread = (all[at++]?.weight ?? 1) > 2 ? 1.5 : 1
        const shared = z()
        return [shared + spread * Math.SQRT1_2 * z(), shared + (hasDifference ? 0.8 : 0) + spread * Math.SQRT1_2 * z()]
      })
      const weighting = {
        weightedBy: 'weight',
        strataBy: null,
        control: all,
        candidate: all,
        shares: new Map([['', 1]]),
      }
      return { ...drawn, weighting }
    },
  },
  {
    name: 'two kinds of tasks, paired',
    kind: 'numbers',
    isPaired: true,
    isWeighted: true,
    meaning:
      'Every third task is hard, and stands for half of all. On hard tasks the candidate is 1 better than on average and varies three times as much, on easy ones it is 1 worse. The difference is 1.5.',
    difference: 1.5,
    draw(n, hasDifference, random) {
      const z = normalDeviates(random)
      const all = Array.from({ length: n }, (_, at) => ({ weight: 1, stratum: at % 3 === 0 ? 'hard' : 'easy' }))
      let at = 0
      const drawn = units(n, () => {
        const isHard = all[at++]?.stratum === 'hard'
        const own = z()
        return [own, own + (isHard ? 1 : -1) + (hasDifference ? 1.5 : 0) + (isHard ? 3 : 1) * z()]
      })
      const shares = new Map([
        ['easy', 0.5],
        ['hard', 0.5],
      ])
      return { ...drawn, weighting: { weightedBy: null, strataBy: 'kind', control: all, candidate: all, shares } }
    },
  },
]

/** The kinds of data that occur in practice, the well-behaved ones first. */
export const populations: readonly Population[] = [
  ...normal,
  ...lognormal,
  ...bimodal,
  ...yesNo,
  tasks,
  ...cutOff,
  ...weighted,
]
