import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { Problem } from '../../define/target.ts'
import { AssayError } from '../../util/errors.ts'
import { sideModels } from '../agent/side-models.ts'
import { judgesOf } from '../prompt/asserts/judge.ts'
import { readyModels } from '../ready-models.ts'
import { type Agent, agentNamed } from './agents/agent-plan.ts'
import { findProgram } from './agents/find-program.ts'
import type { TaskSpec } from './spec.ts'
import { sandboxFor } from './work.ts'

/** Before any money is spent: a sandbox, the programs of the agents, and the models and keys that they need. */
export async function readyTask(
  spec: TaskSpec,
  experiment: Experiment,
  runs: Iterable<Run>,
): Promise<readonly Problem[]> {
  const { agents, models, unnamed } = used(spec, runs)
  return [
    ...(await sandboxProblems(spec)),
    ...agents.flatMap(agent => programProblems(agent, spec, experiment)),
    ...unnamed.map(modelMissing),
    ...(await readyModels([...new Set([...models, ...judgeModels(spec)])], experiment)),
  ]
}

export const judgeModels = ({ judge }: TaskSpec): readonly string[] =>
  judge === undefined ? [] : [...new Set(judgesOf({}, judge).map(({ model }) => model))]

interface Used {
  readonly agents: readonly Agent[]
  readonly models: readonly string[]
  /** Agents that some run starts without a model, although they ask for one. */
  readonly unnamed: readonly string[]
}

function used(spec: TaskSpec, runs: Iterable<Run>): Used {
  const { agents: own = {} } = spec
  const agents = new Map<string, Agent>()
  const models = new Set<string>()
  const unnamed = new Set<string>()
  for (const { params } of runs) {
    if (typeof params.agent !== 'string') continue
    const agent = agents.get(params.agent) ?? agentNamed(params.agent, own)
    agents.set(params.agent, agent)
    if (agent.kind !== 'command' && agent.kind !== 'assay') continue
    if (typeof params.model === 'string') models.add(params.model)
    else if (needsModel(agent)) unnamed.add(params.agent)
    if (agent.kind === 'assay') for (const model of sideModels(spec.assay ?? {}, params)) models.add(model)
  }
  return { agents: [...agents.values()], models: [...models], unnamed: [...unnamed] }
}

const needsModel = (agent: Agent): boolean =>
  agent.kind === 'assay' || (agent.kind === 'command' && agent.command.command.some(text => text.includes('{model}')))

async function sandboxProblems({ sandbox }: TaskSpec): Promise<readonly Problem[]> {
  try {
    await sandboxFor(sandbox)
    return []
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    return [
      { path: ['target', 'sandbox'], message: error.message, ...(error.hint !== undefined && { hint: error.hint }) },
    ]
  }
}

function programProblems(agent: Agent, { network }: TaskSpec, { folder }: Experiment): readonly Problem[] {
  if (agent.kind !== 'command') return []
  const [name = ''] = agent.command.command
  const path = ['target', 'agent']
  if (agent.isDirect && network === 'none')
    return [
      {
        path,
        message: `${agent.name} talks to its provider itself, past the model proxy: it is not metered, and needs the network`,
        hint: 'allow it with target.network: task; its calls are in no budget',
      },
    ]
  // In an image it may be installed although this machine has none.
  if (agent.install === null || findProgram(name, folder) !== null) return []
  return [
    {
      path,
      message: `the agent ${agent.name} is not installed: there is no program "${name}" in PATH`,
      hint: `install it (${agent.install}), or choose another: oracle, nop, or one of your own under target.agents`,
    },
  ]
}

const modelMissing = (agent: string): Problem => ({
  path: ['factors'],
  message: `the agent ${agent} needs a model, and none is named`,
  hint: 'add a factor or a parameter: factors: { model: [gpt-5-mini] }',
})
