import type { Run } from '../define/run.ts'

/** What a run has reported of the search's metric so far. */
export interface SeriesSoFar {
  readonly run: Run
  /** Whether it is still running. */
  readonly isRunning: boolean
  /** Whether it ended by itself, so that its whole course is known. */
  readonly isComplete: boolean
  readonly steps: readonly number[]
  readonly values: readonly number[]
}

/** A running run to be stopped, and why: one sentence for a person. */
export interface Stop {
  readonly run: string
  readonly reason: string
}

/**
 * Which running runs to stop. Pure: the same series give the same decisions. `running` are those that can be stopped
 * from here; `all` also has the series of finished runs and of running ones elsewhere.
 */
export type Stopper = (running: readonly SeriesSoFar[], all: readonly SeriesSoFar[]) => readonly Stop[]

export type Goal = 'minimize' | 'maximize'

/** Values of which smaller is better, whatever the goal. */
export function lossesOf({ values }: SeriesSoFar, goal: Goal): readonly number[] {
  return goal === 'minimize' ? values : values.map(value => -value)
}

/** The inverse: a loss as its run reported it. */
export const reported = (loss: number, goal: Goal): string =>
  Number((goal === 'minimize' ? loss : -loss).toPrecision(4)).toString()

export const bestOf = (losses: readonly number[]): number => losses.reduce((one, other) => Math.min(one, other))
