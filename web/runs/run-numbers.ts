import type { RunRecord } from '../../src/define/observation.ts'
import { numberNames } from '../../src/report/findings/view.ts'

/** Numbers that assay itself records for every run. A metric of the same name is the same number. */
const booked = ['cost_usd', 'wall_s'] as const

/** A number of a run, as every analysis reads it. */
export function numberOf(run: RunRecord, name: string): number | null {
  const own = run.metrics[name]
  if (own !== undefined) return own
  return name === 'cost_usd' || name === 'wall_s' ? run[name] : null
}

/** The names of all numbers of these runs, each once: declared ones first, assay's own last. */
export function numbersOf(runs: readonly RunRecord[], declared: readonly string[] = []): readonly string[] {
  const metrics = [...new Set([...declared, ...numberNames(runs)])].filter(name => !isBooked(name))
  return [...metrics, ...booked.filter(name => runs.some(run => numberOf(run, name) !== null))]
}

export const isBooked = (name: string): boolean => booked.some(one => one === name)
