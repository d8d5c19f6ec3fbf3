import type { Experiment, SearchSpec } from '../../define/experiment.ts'
import { AssayError } from '../../util/errors.ts'
import type { Planner, PlannerMethod, PlannerOptions, Selection } from '../planner.ts'
import { untilTarget } from '../search/until-target.ts'
import { selecting } from '../select/selecting.ts'
import { bayes } from './bayes.ts'
import { grid } from './grid.ts'
import { random } from './random.ts'
import { sobol } from './sobol.ts'
import { tpe } from './tpe.ts'

/** A new method is a file, and a line here. */
const methods: Readonly<Record<SearchSpec['method'], PlannerMethod>> = { grid, random, sobol, bayes, tpe }

/** The planner that an experiment asks for, proposing only what is selected. */
export function plannerFor(experiment: Experiment, options: PlannerOptions): Planner {
  const { search } = experiment
  const method = methods[search?.method ?? 'grid']
  const { selection } = options
  if (method !== grid) refuseParts(selection, method.method)
  const most = method === grid ? (search?.max_runs ?? null) : null
  const first = most === null ? selection.first : Math.min(most, selection.first ?? most)
  return untilTarget(selecting(method.make(experiment, options), { ...selection, first }, experiment), search)
}

/** A search that is told nothing of a part of its proposals would wait for them, or propose them for ever. */
function refuseParts({ filters, shard }: Selection, method: string): void {
  if (filters.length === 0 && shard === null) return
  throw new AssayError(
    'usage',
    `${filters.length > 0 ? '--filter' : '--shard'} can't be used with a ${method} search`,
    {
      hint: 'Narrow the space with `constraints`, or share the work with `assay worker`.',
    },
  )
}
