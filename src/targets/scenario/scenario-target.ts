import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { Description, Target } from '../../define/target.ts'
import { canonicalJson } from '../../util/json.ts'
import { rehearsalIdentity, rehearsalNotes } from '../rehearsal.ts'
import { checkScenario } from './check.ts'
import { completeScenario } from './complete.ts'
import { estimateScenario } from './estimate.ts'
import { playScenario } from './play.ts'
import { readyScenario } from './ready.ts'
import { type ScenarioSpec, scenarioSpec } from './spec.ts'

/** A run is one scenario, played turn by turn. */
export const scenarioTarget: Target<ScenarioSpec> = {
  kind: 'scenario',
  schema: scenarioSpec,
  complete: completeScenario,
  check: checkScenario,
  ready: readyScenario,
  // Scenarios, models and trunks are levels: their contents are in the keys of the runs that use them.
  identity: (_, experiment) => rehearsalIdentity(experiment),
  describe,
  bound: () => 'per_call',
  notes: (spec, experiment) => [...rehearsalNotes(spec, experiment), ...(spec.notes ?? [])],
  estimate: estimateScenario,
  execute: playScenario,
}

function describe(_: ScenarioSpec, { params }: Run, __: unknown, { folder }: Experiment): Description {
  const { scenario = '', ...others } = params
  const words = Object.entries(others).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : canonicalJson(value)}`,
  )
  return { command: [String(scenario), ...words], cwd: folder }
}
