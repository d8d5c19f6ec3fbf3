import { isAvailable } from '../../stats/estimate.ts'
import { counterRandom, meanOf } from '../../stats/index.ts'
import { armInterval } from '../arm-interval.ts'
import { infer } from '../compare/infer/infer.ts'
import { methodFor } from '../compare/method.ts'
import type { Samples } from '../samples.ts'
import type { ArmCrossing, Crossing } from '../units/crossing.ts'
import { type DesignError, drawnCrossing, samplesOfCrossing } from './designs.ts'
import { normalDeviates } from './normal-deviates.ts'

interface OtherDesign {
  readonly design: string
  readonly draw: (tasks: number, seeds: number, z: () => number) => Samples
}

/** The sd between seeds, which shift all tasks, and between tasks; runs of one task and seed have sd 1. */
const sd = { task: 0.5, seed: 0.5 }

/**
 * How often a difference is claimed when there is none, if the same seeds are run on all tasks and the comparison is
 * not of plain means of paired tasks; last, how often the interval of a single arm misses its true mean. Beside it, the
 * claims that averaging the seeds of each task would make.
 */
export function otherDesignErrors(
  options: { readonly seed: number; readonly trials: number; readonly resamples: number },
  sizes: readonly (readonly [seeds: number, tasks: number])[] = [
    [3, 20],
    [3, 100],
    [5, 20],
    [5, 50],
    [10, 20],
  ],
  isChosen: (design: string) => boolean = () => true,
): readonly DesignError[] {
  const { trials, resamples, seed: first } = options
  return sizes.flatMap(([seeds, tasks]) => {
    const z = normalDeviates(counterRandom(first, 9e6 + seeds * 1000 + tasks))
    const drawingAt = (trial: number) => ({ seed: first + trial, resamples, rng: 'assay' }) as const
    const claims = (samples: Samples, trial: number): boolean => {
      const { p } = infer(samples, methodFor(samples), {
        level: 0.95,
        alternative: 'two-sided',
        drawing: drawingAt(trial),
      })
      return isAvailable(p) && p <= 0.05
    }
    return [
      ...designs.map(({ design, draw }) => ({
        design,
        draw: () => {
          const samples = draw(tasks, seeds, z)
          const { crossed: _, crossedGroups: __, ...averaged } = samples
          return (trial: number, isDefault: boolean) => claims(isDefault ? samples : averaged, trial)
        },
      })),
      {
        design: 'one arm, its interval',
        draw: () => {
          const { cells } = drawnCrossing(tasks, seeds, sd, z)
          const { candidate: means } = samplesOfCrossing({ block: 'seed', levels: seeds, cells }, 'unit')
          const crossed = [cells.map(({ unit, level, candidate }) => ({ row: unit, column: level, value: candidate }))]
          return (trial: number, isDefault: boolean) => {
            const { interval } = armInterval(
              { means, runs: cells.length, ...(isDefault && { crossed }) },
              { level: 0.95, drawing: drawingAt(trial), isRate: false },
            )
            return !isAvailable(interval) || interval.low > 0 || interval.high < 0
          }
        },
      },
    ].flatMap(({ design, draw }) => {
      if (!isChosen(design)) return []
      const wrong = { default: 0, 'tasks as units': 0 }
      for (let trial = 0; trial < trials; trial++) {
        const isWrong = draw()
        if (isWrong(trial, true)) wrong.default++
        if (isWrong(trial, false)) wrong['tasks as units']++
      }
      return (['default', 'tasks as units'] as const).map(units => ({
        design,
        units,
        seeds,
        tasks,
        typeI: wrong[units] / trials,
      }))
    })
  })
}

const designs: readonly OtherDesign[] = [
  { design: 'two groups', draw: (tasks, seeds, z) => groups([tasks, seeds], [tasks, seeds], z) },
  {
    design: 'two groups, three times as many tasks in one',
    draw: (tasks, seeds, z) => groups([3 * tasks, seeds], [tasks, seeds], z),
  },
  { design: 'two groups, one seed in one', draw: (tasks, seeds, z) => groups([tasks, seeds], [tasks, 1], z) },
  {
    design: 'tasks that count 1 to 5 times',
    draw(tasks, seeds, z) {
      const samples = paired(tasks, seeds, z)
      const units = samples.candidate.map((_, at) => ({ weight: 1 + (at % 5), stratum: '' }))
      const shares = new Map([['', 1]])
      return {
        ...samples,
        weighting: { weightedBy: 'weight', strataBy: null, control: units, candidate: units, shares },
      }
    },
  },
  { design: 'trimmed means (iqm)', draw: (tasks, seeds, z) => ({ ...paired(tasks, seeds, z), across: 'iqm' }) },
  { design: 'medians', draw: (tasks, seeds, z) => ({ ...paired(tasks, seeds, z), across: 'median' }) },
]

function paired(tasks: number, seeds: number, z: () => number): Samples {
  const crossing = drawnCrossing(tasks, seeds, sd, z)
  return { ...samplesOfCrossing(crossing, 'unit'), crossed: [crossing] }
}

type Size = readonly [tasks: number, seeds: number]

function groups(control: Size, candidate: Size, z: () => number): Samples {
  const [own, other] = [control, candidate].map(([tasks, seeds]) => drawnCrossing(tasks, seeds, sd, z))
  const armOf = (crossing: Crossing | undefined): ArmCrossing & { readonly means: readonly number[] } => {
    const cells = (crossing?.cells ?? []).map(({ unit, level, candidate: value }) => ({ unit, level, value }))
    const means = [...Map.groupBy(cells, ({ unit }) => unit).values()].map(list => meanOf(list.map(cell => cell.value)))
    const levels = crossing?.levels ?? 0
    return { levels, cells: levels === 1 ? [] : cells, means }
  }
  const [ours, theirs] = [armOf(own), armOf(other)]
  return {
    control: ours.means,
    candidate: theirs.means,
    pairedBy: null,
    unit: 'task',
    keys: [],
    isCounted: false,
    dropped: { control: [], candidate: [], unmatched: [] },
    crossedGroups: [{ block: 'seed', control: ours, candidate: theirs }],
  }
}
