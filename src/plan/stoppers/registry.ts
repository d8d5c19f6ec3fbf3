import * as z from 'zod'
import type { EarlyStop, Experiment } from '../../define/experiment.ts'
import { ownParts } from '../../define/own-modules.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Goal, Stopper } from '../stopper.ts'
import { asha } from './asha.ts'
import { hyperband } from './hyperband.ts'
import { median } from './median.ts'
import { paired } from './paired.ts'

// The types of a stopper come with the way to get one.
export type { SeriesSoFar, Stop, Stopper } from '../stopper.ts'

/** A rule as a module exports it, by the name that `search.early_stop.type` gives. */
export interface StopperRule {
  readonly type: string
  make(settings: JsonObject, goal: Goal): Stopper
}

/** `experiment`: lists modules of its own. */
export function stopperFor(
  rule: EarlyStop,
  goal: Goal,
  experiment: Pick<Experiment, 'stoppers' | 'folder' | 'search'> = { folder: '.' },
): Stopper {
  const what = experiment.search?.counts === 'variants' ? 'trials' : 'runs'
  switch (rule.type) {
    case 'hyperband':
      return hyperband(rule, goal, what)
    case 'asha':
      return asha(rule, goal, what)
    case 'median':
      return median(rule, goal, what)
    case 'paired':
      return paired(rule, goal)
    case 'own':
      return ownStopper(rule, goal, experiment)
  }
}

function ownStopper(
  { name, settings }: EarlyStop & { readonly type: 'own' },
  goal: Goal,
  { stoppers, folder }: Pick<Experiment, 'stoppers' | 'folder'>,
): Stopper {
  const found = ownParts('stoppers', stoppers, { folder, cwd: process.cwd() }).find(part => part.name === name)
  if (found === undefined) throw new AssayError('config', `there is no stopper "${name}"`)
  const stopper: unknown = ownRule.parse(found.exported).make.call(found.exported, settings, goal)
  const parsed = ownDecision.safeParse(stopper)
  if (parsed.success) return parsed.data
  throw new AssayError('config', `make() of the stopper "${name}" must give a function, and gave ${typeof stopper}`)
}

const ownRule = z.lazy(() => z.object({ make: z.custom<StopperRule['make']>() }))
const ownDecision = z.custom<Stopper>(value => typeof value === 'function')
