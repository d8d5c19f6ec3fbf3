import type { SeriesSoFar } from '../stopper.ts'

export type Goal = 'minimize' | 'maximize'

/** Values such that smaller is better, whatever the goal. */
export function lossesOf({ values }: SeriesSoFar, goal: Goal): readonly number[] {
  return goal === 'minimize' ? values : values.map(value => -value)
}

/** The other way round: a loss as its run reported it. */
export const reported = (loss: number, goal: Goal): string =>
  Number((goal === 'minimize' ? loss : -loss).toPrecision(4)).toString()

export const bestOf = (losses: readonly number[]): number => losses.reduce((one, other) => Math.min(one, other))
