import type { Run } from '../../define/run.ts'
import { AssayError } from '../../util/errors.ts'
import { sha256OfJson } from '../../util/hash.ts'
import type { JsonObject } from '../../util/json.ts'
import { withChangedState } from './branch-state.ts'
import { withOverrides } from './formats/overrides.ts'
import { assembleFiles } from './formats/scenario-files.ts'
import type { Scenario } from './scenario.ts'
import type { ScenarioSpec, Trunk } from './spec.ts'
import { withStateTexts } from './state-texts.ts'
import { isTrunk } from './trunk.ts'

/** What a run plays. */
export interface PlayedScenario {
  /** The folder, as written. */
  readonly path: string
  readonly scenario: Scenario
  /** The run that it continues; null: it starts at the beginning. */
  readonly trunk: Trunk | null
  /** The parameters that changed the state after the trunk's last turn. */
  readonly changed: readonly string[]
  readonly digest: string
}

/** The scenario of a run, with its parameters applied; `check` has found the problems. */
export function scenarioOfRun(spec: ScenarioSpec, run: Pick<Run, 'params'>): PlayedScenario {
  const params = withStateTexts(run.params, spec.texts)
  const known = Object.keys(spec.files ?? {})
  const path = String(params.scenario ?? known[0] ?? '')
  const files = spec.files?.[path]
  if (files === undefined) throw new AssayError('config', `there is no scenario "${path}"; known: ${known.join(', ')}`)
  const { files: overridden, problems } = withOverrides(files, params)
  const [problem] = problems
  if (problem !== undefined)
    throw new AssayError('config', problem.message, problem.hint === undefined ? {} : { hint: problem.hint })
  const { scenario, problems: wrong } = assembleFiles(overridden)
  if (scenario === null) throw new AssayError('config', wrong.join('\n'))
  const taken = trunkOf(spec, params)
  const { trunk, changed } = taken === null ? { trunk: null, changed: [] } : withChangedState(taken, params, scenario)
  return { path, scenario, trunk, changed, digest: sha256OfJson({ scenario, trunk }) }
}

function trunkOf({ trunks = {} }: ScenarioSpec, { branch_from: level }: JsonObject): Trunk | null {
  if (level === undefined || isTrunk(level)) return null
  const trunk = trunks[String(level)]
  if (trunk === undefined) throw new AssayError('config', `there is no run to branch from: ${String(level)}`)
  return trunk
}

/** The models that playing a scenario may call, each once. */
export const modelsOf = ({
  actors,
  world_state_model,
  summary_model,
  metrics,
  checks,
  context_window,
  turns,
}: Scenario): readonly string[] => [
  ...new Set([
    ...actors.map(({ model }) => model),
    world_state_model,
    ...(context_window !== null && turns > context_window + 1 ? [summary_model] : []),
    ...metrics.flatMap(({ extraction }) => (extraction.kind === 'model' ? [extraction.model] : [])),
    ...(checks === null ? [] : [checks.model]),
  ]),
]
