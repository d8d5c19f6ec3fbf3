import type { Experiment } from '../../define/experiment.ts'

/** `bayes, minimize loss`; `grid` if all variants are run. */
export function methodText({ search }: Experiment): string {
  const { method = 'grid', metric = null, goal = null } = search ?? {}
  return metric === null ? method : `${method}, ${goal === null ? '' : `${goal} `}${metric}`
}
