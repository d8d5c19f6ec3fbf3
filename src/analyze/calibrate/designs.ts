import { isAvailable } from '../../stats/estimate.ts'
import { counterRandom, meanOf } from '../../stats/index.ts'
import { infer } from '../compare/infer/infer.ts'
import { methodForNumbers } from '../compare/method.ts'
import type { Samples } from '../samples.ts'
import type { Crossing } from '../units/crossing.ts'
import { normalDeviates } from './normal-deviates.ts'

/** How often a difference is claimed when there is none, if the same seeds are run on all tasks. */
export interface DesignError {
  readonly design: string
  readonly units: string
  readonly seeds: number
  readonly tasks: number
  readonly typeI: number
}

/** The difference between the arms varies between tasks and between seeds by these sd, and between runs by 1. */
const designs = [
  { design: 'seeds shift all tasks (seed sd 0.3, task sd 0)', task: 0, seed: 0.3 },
  { design: 'both vary (seed sd 0.6, task sd 1)', task: 1, seed: 0.6 },
  { design: 'both vary a little (seed sd 0.1, task sd 0.3)', task: 0.3, seed: 0.1 },
  { design: 'independent rollouts (seed sd 0, task sd 0.3)', task: 0.3, seed: 0 },
  { design: 'independent rollouts (seed sd 0, task sd 1)', task: 1, seed: 0 },
] as const

export function designErrors(
  options: { readonly seed: number; readonly trials: number; readonly resamples: number },
  sizes: readonly (readonly [seeds: number, tasks: number])[] = [3, 5, 10].flatMap(seeds =>
    [20, 50, 100].map(tasks => [seeds, tasks] as const),
  ),
): readonly DesignError[] {
  return designs.flatMap(({ design, task, seed }, which) =>
    sizes.flatMap(([seeds, tasks]) => {
      const z = normalDeviates(counterRandom(options.seed, which * 1e6 + seeds * 1000 + tasks))
      const claimed = { crossed: 0, tasks: 0, seeds: 0 }
      for (let trial = 0; trial < options.trials; trial++) {
        const crossing = drawnCrossing(tasks, seeds, { task, seed }, z)
        const drawing = { seed: options.seed + trial, resamples: options.resamples, rng: 'assay' } as const
        const byTask = samplesOfCrossing(crossing, 'unit')
        if (isClaimed({ ...byTask, crossed: [crossing] }, drawing)) claimed.crossed++
        if (isClaimed(byTask, drawing)) claimed.tasks++
        if (isClaimed(samplesOfCrossing(crossing, 'level'), drawing)) claimed.seeds++
      }
      const of = (units: string, count: number): DesignError => ({
        design,
        units,
        seeds,
        tasks,
        typeI: count / options.trials,
      })
      return [of('default', claimed.crossed), of('tasks as units', claimed.tasks), of('seeds as units', claimed.seeds)]
    }),
  )
}

export function drawnCrossing(
  tasks: number,
  seeds: number,
  sd: { readonly task: number; readonly seed: number },
  z: () => number,
): Crossing {
  const ofTask = Array.from({ length: tasks }, () => sd.task * z())
  const ofSeed = Array.from({ length: seeds }, () => sd.seed * z())
  return {
    block: 'seed',
    levels: seeds,
    cells: ofTask.flatMap((own, unit) =>
      ofSeed.map((other, level) => ({ unit, level, control: 0, candidate: own + other + z() })),
    ),
  }
}

export function samplesOfCrossing({ cells }: Crossing, by: 'unit' | 'level'): Samples {
  const groups = Map.groupBy(cells, cell => cell[by])
  const candidate = [...groups.values()].map(own => meanOf(own.map(cell => cell.candidate)))
  return {
    control: candidate.map(() => 0),
    candidate,
    pairedBy: ['unit'],
    unit: 'unit',
    keys: [],
    isCounted: false,
    dropped: { control: [], candidate: [], unmatched: [] },
  }
}

function isClaimed(samples: Samples, drawing: { seed: number; resamples: number; rng: 'assay' }): boolean {
  const { p } = infer(samples, methodForNumbers(samples), { level: 0.95, alternative: 'two-sided', drawing })
  return isAvailable(p) && p <= 0.05
}
