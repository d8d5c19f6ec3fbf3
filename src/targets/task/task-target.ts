import { rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { Description, Target } from '../../define/target.ts'
import { behaviourOf } from '../../models/names/settings-of.ts'
import { endSandboxes } from '../../process/sandbox/sandbox.ts'
import { sha256 } from '../../util/hash.ts'
import type { JsonObject } from '../../util/json.ts'
import { isModule, moduleDigest } from '../agent/strategies/choose-strategy.ts'
import { rehearsalIdentity, rehearsalNotes } from '../rehearsal.ts'
import { isBeside } from './agents/program-mounts.ts'
import { boxLeftovers } from './box-leftovers.ts'
import { checkTask } from './check.ts'
import { completeTask } from './complete.ts'
import { hasWorked, socketOf } from './phases/agent-work.ts'
import { judgeModels, readyTask } from './ready.ts'
import { type TaskSpec, taskSpec } from './spec.ts'
import { workOnTask } from './work.ts'

/** A run is one rollout: an agent works on a task in a sandbox, and tests or judges score the result. */
export const taskTarget: Target<TaskSpec> = {
  kind: 'task',
  schema: taskSpec,
  complete: completeTask,
  check: checkTask,
  ready: readyTask,
  identity,
  describe,
  bound: () => 'per_call',
  notes: rehearsalNotes,
  execute: workOnTask,
  scoresAgain: true,
  hasOnlyScoringLeft: hasWorked,
  leftovers: boxLeftovers,
  endLost,
  programFiles,
}

/** The box of an interrupted attempt, and the socket of its model proxy. */
async function endLost(tokens: readonly string[]): Promise<void> {
  await endSandboxes(tokens)
  for (const token of tokens) rmSync(socketOf(token), { force: true })
}

/** Files next to the experiment that its own agents consist of. */
function programFiles({ agents = {} }: TaskSpec, { folder }: Experiment): readonly string[] {
  return Object.values(agents)
    .flatMap(({ command }) => command.filter(isBeside).map(word => resolve(folder, word)))
    .filter(path => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)
}

/** The part shared by all runs. Tasks, agents and overrides are levels: their contents are in the keys of their runs. */
function identity(spec: TaskSpec, experiment: Experiment): JsonObject {
  const { network, provided, env, judge, time, assay } = spec
  const judges = judgeModels(spec).map(name => [name, behaviourOf(name, experiment.models ?? {})] as const)
  return plain({
    network,
    ...(provided.length > 0 && { provided }),
    ...(Object.keys(env).length > 0 && {
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, sha256(value).slice(0, 12)])),
    }),
    ...(judge !== undefined && { judge, judges: Object.fromEntries(judges) }),
    ...(Object.keys(time).length > 0 && { time }),
    ...(assay !== undefined && { assay, ...ownStrategy(assay, experiment) }),
    ...rehearsalIdentity(experiment),
  })
}

/** A module that the target names is not a level: a change of it makes all runs stale. */
function ownStrategy({ strategy = '' }: NonNullable<TaskSpec['assay']>, { folder }: Experiment): JsonObject {
  const digest = isModule(strategy) ? moduleDigest(strategy, { folder, cwd: process.cwd() }) : null
  return digest === null ? {} : { strategy_module: digest }
}

const plain = (data: object): JsonObject => JSON.parse(JSON.stringify(data))

function describe(_: TaskSpec, { params, block }: Run, __: unknown, { folder }: Experiment): Description {
  const words = [params.agent, params.model, block.task].filter(word => typeof word === 'string')
  return { command: words, cwd: folder }
}
