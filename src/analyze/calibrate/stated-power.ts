import { isAvailable } from '../../stats/estimate.ts'
import { counterRandom, meanOf, sumOfSquares } from '../../stats/index.ts'
import { meanOfCrossing } from '../compare/infer/crossed.ts'
import { isSignificant } from '../compare/infer/infer.ts'
import { methodFor } from '../compare/method.ts'
import { meansModel } from '../power/means.ts'
import type { Aim, PowerModel } from '../power/model.ts'
import { pairedAnswersModel } from '../power/paired-answers.ts'
import { pilotModel } from '../power/pilot.ts'
import { proportionsModel } from '../power/proportions.ts'
import type { Samples } from '../samples.ts'
import { claimedDifferences } from './claimed-difference.ts'
import { normalDeviates } from './normal-deviates.ts'
import { samplesFrom } from './population.ts'

/** The power that `assay power` states, and how often `assay compare` finds the difference in simulated experiments. */
export interface StatedPower {
  readonly data: string
  readonly n: number
  readonly effect: number
  readonly side: Aim['alternative']
  readonly stated: number
  readonly found: number
  /** Monte Carlo standard error of the share found. */
  readonly error: number
}

interface Case {
  readonly data: string
  readonly n: number
  readonly effect: number
  readonly side?: Aim['alternative']
  readonly model: (aim: Aim) => PowerModel
  readonly draw: (effect: number) => Samples
}

/** Every default: each kind of data and design, with few units and many. */
export function* statedPowers(
  options: { readonly seed: number; readonly trials: number; readonly resamples: number },
  isChosen: (data: string) => boolean = () => true,
): Generator<StatedPower> {
  const { seed, trials, resamples } = options
  for (const { data, n, effect, side = 'two-sided', model, draw } of casesFor(seed)) {
    if (!isChosen(data)) continue
    const aim: Aim = { alpha: 0.05, power: 0.8, alternative: side }
    const stated = model(aim).powerAt(n, effect)
    if (!isAvailable(stated)) continue
    let found = 0
    for (let trial = 0; trial < trials; trial++) {
      const samples = draw(effect)
      const drawing = { seed: seed + trial, resamples, rng: 'assay' } as const
      if (isSignificant(samples, methodFor(samples), 0.05, { level: 0.95, alternative: side, drawing })) found++
    }
    const share = found / trials
    yield { data, n, effect, side, stated, found: share, error: Math.sqrt((share * (1 - share)) / trials) }
  }
  yield* claimedDifferences(options, isChosen)
}

function casesFor(seed: number): readonly Case[] {
  const random = counterRandom(seed, 77)
  const z = normalDeviates(random)
  const list = (n: number, draw: () => number): number[] => Array.from({ length: n }, draw)
  const numbers = (control: number[], candidate: number[], isPaired: boolean): Samples =>
    samplesFrom({ control, candidate }, { isPaired, kind: 'numbers' })
  const answers = (control: number[], candidate: number[], isPaired: boolean): Samples =>
    samplesFrom({ control, candidate }, { isPaired, kind: 'yes-no' })
  const pairs = (n: number, effect: number, side?: Aim['alternative']): Case => ({
    data: 'numbers, paired',
    n,
    effect,
    ...(side && { side }),
    model: aim => meansModel({ isPaired: true, sd: 1, ratio: 1 }, aim),
    draw: by =>
      numbers(
        new Array<number>(n).fill(0),
        list(n, () => by + z()),
        true,
      ),
  })
  const groups = (n: number, effect: number, ratio = 1, side?: Aim['alternative']): Case => ({
    data: ratio === 1 ? 'numbers, two groups' : `numbers, two groups, ${ratio} times as many candidates`,
    n,
    effect,
    ...(side && { side }),
    model: aim => meansModel({ isPaired: false, sd: 1, ratio }, aim),
    draw: by =>
      numbers(
        list(n, z),
        list(Math.round(ratio * n), () => by + z()),
        false,
      ),
  })
  const shares = (n: number, rate: number, effect: number, side?: Aim['alternative']): Case => ({
    data: `yes or no from ${100 * rate}%, two groups`,
    n,
    effect,
    ...(side && { side }),
    model: aim => proportionsModel({ baseRate: rate, ratio: 1 }, aim),
    draw: by =>
      answers(
        list(n, () => Number(random.next() < rate)),
        list(n, () => Number(random.next() < rate + by)),
        false,
      ),
  })
  const solved = (n: number, discordant: number, effect: number): Case => ({
    data: `yes or no, paired, ${100 * discordant}% discordant`,
    n,
    effect,
    model: aim => pairedAnswersModel({ discordant }, aim),
    draw: by => {
      const drawn = list(n, () => random.next())
      const won = (discordant + by) / 2
      return answers(
        drawn.map(u => Number(u >= won && u < discordant)),
        drawn.map(u => Number(u < won)),
        true,
      )
    },
  })
  return [
    pairs(5, 1.6),
    pairs(7, 1.2),
    pairs(10, 1),
    pairs(15, 0.8),
    pairs(30, 0.55),
    pairs(100, 0.28),
    pairs(12, 0.8, 'greater'),
    groups(5, 2),
    groups(8, 1.5),
    groups(20, 0.9),
    groups(10, 1.1, 2),
    groups(5, 1.5, 6),
    groups(12, 0.9, 5),
    groups(30, -0.6, 4, 'less'),
    groups(12, -1, 1, 'less'),
    shares(20, 0.5, 0.35),
    shares(100, 0.9, -0.12),
    shares(40, 0.3, 0.25, 'greater'),
    solved(30, 0.4, 0.3),
    solved(200, 0.1, 0.06),
    ...pilots(seed),
  ]
}

/** Future runs are drawn from the pilot's own values, as many as a large pilot has. */
function pilots(seed: number): readonly Case[] {
  const random = counterRandom(seed, 78)
  const z = normalDeviates(random)
  const values = Array.from({ length: 40 }, () => Math.exp(z()))
  const centre = meanOf(values)
  const spread = Math.sqrt(values.length / (values.length - 1))
  const skewed = (n: number, effect: number): Case => ({
    data: 'a pilot of 40 lognormal differences',
    n,
    effect,
    model: aim =>
      modelOf(
        samplesFrom({ control: values.map(() => 0), candidate: values }, { isPaired: true, kind: 'numbers' }),
        aim,
      ),
    draw: by =>
      samplesFrom(
        {
          control: new Array<number>(n).fill(0),
          candidate: Array.from({ length: n }, () => by + spread * ((values[random.below(40)] ?? 0) - centre)),
        },
        { isPaired: true, kind: 'numbers' },
      ),
  })
  const sd = Math.sqrt(sumOfSquares(values) / (values.length - 1))
  const size = (n: number): number => (2.9 * sd) / Math.sqrt(n)
  return [skewed(20, size(20)), skewed(100, size(100)), skewed(100, -size(100)), crossedPilot(z), crossedGroupsPilot(z)]
}

/** Tasks and seeds vary as in the pilot; twice as many tasks are run with the same number of seeds. */
function crossedPilot(z: () => number): Case {
  const [tasks, seeds] = [30, 5]
  const pilot = crossedTable(tasks, seeds, { task: 0.5, seed: 0.3, run: 1 }, 0, z)
  const [crossing] = pilot.crossed ?? []
  const both = crossing && meanOfCrossing(crossing, pilot)
  if (both === undefined || !isAvailable(both)) throw new Error('the pilot is a whole table')
  const { rows, columns, error } = both.parts
  const sd = {
    task: Math.sqrt(Math.max(0, rows - error) * tasks),
    seed: Math.sqrt(Math.max(0, columns - error) * seeds),
    run: Math.sqrt(error * tasks * seeds),
  }
  return {
    data: `a pilot of ${tasks} tasks × ${seeds} seeds, crossed`,
    n: 2 * tasks,
    effect: 2.5 * Math.sqrt((rows + columns - error) / 2 + columns / 2),
    model: aim => modelOf(pilot, aim),
    draw: by => crossedTable(2 * tasks, seeds, sd, by, z),
  }
}

/** Arms with their own tasks, each with its own seeds that shift all of them: future runs vary as in this pilot. */
function crossedGroupsPilot(z: () => number): Case {
  const [tasks, seeds] = [25, 5]
  const armOf = (units: number, sd: { readonly task: number; readonly seed: number; readonly run: number }, by = 0) =>
    crossedTable(units, seeds, sd, by, z)
  const sds = { task: 0.5, seed: 0.4, run: 1 }
  const arms = [armOf(tasks, sds), armOf(tasks, sds)] as const
  const known = arms.map(arm => {
    const [crossing] = arm.crossed ?? []
    const both = crossing && meanOfCrossing(crossing, arm)
    if (both === undefined || !isAvailable(both)) throw new Error('the pilot is a whole table')
    const { rows, columns, error } = both.parts
    return {
      task: Math.sqrt(Math.max(0, rows - error) * tasks),
      seed: Math.sqrt(Math.max(0, columns - error) * seeds),
      run: Math.sqrt(error * tasks * seeds),
    }
  })
  return {
    data: `a pilot of ${tasks} against ${tasks} tasks × ${seeds} seeds, crossed`,
    n: 2 * tasks,
    effect: 1.1,
    model: aim => modelOf(asGroups(arms[0], arms[1]), aim),
    draw: by => asGroups(armOf(2 * tasks, known[0] ?? sds), armOf(2 * tasks, known[1] ?? sds, by)),
  }
}

/** The values of two tables as arms that are not paired. */
function asGroups(control: Samples, candidate: Samples): Samples {
  const armCrossing = ({ crossed: [crossing] = [] }: Samples) => ({
    levels: crossing?.levels ?? 0,
    cells: (crossing?.cells ?? []).map(({ unit, level, candidate: value }) => ({ unit, level, value })),
  })
  return {
    ...samplesFrom(
      { control: control.candidate, candidate: candidate.candidate },
      { isPaired: false, kind: 'numbers' },
    ),
    crossedGroups: [{ block: 'seed', control: armCrossing(control), candidate: armCrossing(candidate) }],
  }
}

function modelOf(pilot: Samples, aim: Aim): PowerModel {
  const model = pilotModel(pilot, aim, { method: 'auto', trials: 2000, resamples: 299, seed: 1 })
  if ('unavailable' in model) throw new Error(model.unavailable)
  return model
}

function crossedTable(
  tasks: number,
  seeds: number,
  sd: { readonly task: number; readonly seed: number; readonly run: number },
  effect: number,
  z: () => number,
): Samples {
  const ofSeed = Array.from({ length: seeds }, () => sd.seed * z())
  const rows = Array.from({ length: tasks }, () => {
    const own = sd.task * z()
    return ofSeed.map(other => effect + own + other + sd.run * z())
  })
  const cells = rows.flatMap((row, unit) => row.map((candidate, level) => ({ unit, level, control: 0, candidate })))
  return {
    ...samplesFrom({ control: rows.map(() => 0), candidate: rows.map(meanOf) }, { isPaired: true, kind: 'numbers' }),
    crossed: [{ block: 'seed', levels: seeds, cells }],
  }
}
