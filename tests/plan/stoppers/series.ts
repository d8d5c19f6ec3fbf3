import type { SeriesSoFar } from '../../../src/plan/stoppers/registry.ts'

/** A run's series for a stopper; steps count from 1 unless given. */
export function series(
  name: string,
  values: readonly number[],
  more: Partial<SeriesSoFar> & { block?: string } = {},
): SeriesSoFar {
  const { block = 'a', ...facts } = more
  const run = { key: name, name, params: {}, ablation: null, flags: [], block: { block }, replicate: 1, seed: 1 }
  return { run, isRunning: true, isComplete: false, steps: values.map((_, index) => index + 1), values, ...facts }
}

export const complete = (
  name: string,
  values: readonly number[],
  more: Partial<SeriesSoFar> & { block?: string } = {},
) => series(name, values, { isRunning: false, isComplete: true, ...more })

/** The names of those that a stopper would stop. */
export const namesOf = (stops: readonly { readonly run: string }[]): readonly string[] => stops.map(({ run }) => run)
