import type { Experiment } from '../../define/experiment.ts'
import type { AttemptMode, Run } from '../../define/run.ts'
import type { Problem } from '../../define/target.ts'
import type { Sandbox } from '../../process/sandbox/box.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { readyAgent } from '../agent/ready.ts'
import { sideModels } from '../agent/side-models.ts'
import { judgesOf } from '../prompt/asserts/judge.ts'
import { readyModels } from '../ready-models.ts'
import { type Agent, agentNamed } from './agents/agent-plan.ts'
import { programProblems } from './agents/program-problems.ts'
import type { TaskSpec } from './spec.ts'
import { sandboxFor } from './work.ts'

/**
 * Before any money is spent: checks the sandbox, the programs of the agents, and the models and keys that they and the
 * judges need.
 */
export async function readyTask(
  spec: TaskSpec,
  experiment: Experiment,
  runs: Iterable<Run>,
  mode: AttemptMode,
  isElsewhere = false,
): Promise<readonly Problem[]> {
  // To score, no agent is started.
  const { agents, models, unnamed, tasks, assayParams } = mode === 'score' ? nothingUsed : used(spec, runs)
  const { sandbox, problems } = isElsewhere ? nothingOpened : await openedSandbox(spec)
  return [
    ...problems,
    ...agents.flatMap(agent => programProblems(agent, { spec, experiment, sandbox, tasks })),
    ...unnamed.map(modelMissing),
    ...(await readyAgent(spec.assay ?? {}, experiment, assayParams)),
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
  /** The different parameters of runs of the built-in agent. */
  readonly assayParams: readonly JsonObject[]
  /** As the experiment names them. */
  readonly tasks: readonly string[]
}

const nothingUsed: Used = { agents: [], models: [], unnamed: [], assayParams: [], tasks: [] }

function used(spec: TaskSpec, runs: Iterable<Run>): Used {
  const { agents: own = {} } = spec
  const agents = new Map<string, Agent>()
  const models = new Set<string>()
  const unnamed = new Set<string>()
  const assayParams = new Map<string, JsonObject>()
  const tasks = new Set<string>()
  for (const { params, block } of runs) {
    if (typeof params.agent !== 'string') continue
    if (typeof block.task === 'string') tasks.add(block.task)
    const agent = agents.get(params.agent) ?? agentNamed(params.agent, own)
    agents.set(params.agent, agent)
    if (agent.kind !== 'command' && agent.kind !== 'assay') continue
    if (typeof params.model === 'string') models.add(params.model)
    else if (needsModel(agent)) unnamed.add(params.agent)
    if (agent.kind !== 'assay') continue
    const before = assayParams.size
    assayParams.set(JSON.stringify(params), params)
    // Runs of one variant differ only in their blocks.
    if (assayParams.size > before) for (const model of sideModels(spec.assay ?? {}, params)) models.add(model)
  }
  return {
    agents: [...agents.values()],
    models: [...models],
    unnamed: [...unnamed],
    assayParams: [...assayParams.values()],
    tasks: [...tasks],
  }
}

const needsModel = (agent: Agent): boolean =>
  agent.kind === 'assay' || (agent.kind === 'command' && agent.command.command.some(text => text.includes('{model}')))

interface Opened {
  readonly sandbox: Sandbox | null
  readonly problems: readonly Problem[]
}

/** Nothing is known about other machines here. */
const nothingOpened: Opened = { sandbox: null, problems: [] }

async function openedSandbox({ sandbox }: TaskSpec): Promise<Opened> {
  try {
    return { sandbox: await sandboxFor(sandbox), problems: [] }
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    const { message, hint } = error
    const problem = { path: ['target', 'sandbox'], message, ...(hint !== undefined && { hint }) }
    return { sandbox: null, problems: [{ ...problem, isOnlyForRuns: true }] }
  }
}

const modelMissing = (agent: string): Problem => ({
  path: ['factors'],
  message: `the agent ${agent} needs a model, and none is named`,
  hint: 'add a factor or a parameter: factors: { model: [gpt-5-mini] }',
})
