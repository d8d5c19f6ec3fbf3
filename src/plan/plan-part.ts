import type { Experiment } from '../define/experiment.ts'

/**
 * Everything in an experiment that decides which runs there are. Planning only sees this part, so whatever changes a
 * plan is in its hash: code in this folder that reads another field does not compile until the field is added here.
 */
export type PlanPart = ReturnType<typeof planPart>

export function planPart(experiment: Experiment) {
  const { name, dialect, params, factors, zip, include, exclude, ablations, constraints } = experiment
  const { blocks, replicates, seed, naming, contents, cells, search, planners, stoppers } = experiment
  return {
    ...{
      name,
      dialect,
      params,
      factors,
      zip,
      include,
      exclude,
      ablations,
      constraints,
      blocks,
      replicates,
      seed,
      naming,
    },
    ...(contents && { contents }),
    ...(cells && { cells }),
    ...(search && { search }),
    ...(planners && { planners }),
    ...(stoppers && { stoppers }),
  }
}
