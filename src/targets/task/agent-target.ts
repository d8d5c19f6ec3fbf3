import * as z from 'zod'
import type { MetricSpec } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { Completion, Target } from '../../define/target.ts'
import { checkAgent } from '../agent/check.ts'
import { agentSettings, agentSettingsSchema } from '../agent/settings.ts'
import { type TaskSpec, taskSpec } from './spec.ts'
import { taskTarget } from './task-target.ts'

/**
 * An experiment's settings of the built-in agent: its tasks and sandbox, as for the target `task`, and its own
 * settings.
 */
const agentSpec = z.lazy(() =>
  taskSpec
    .unwrap()
    .omit({ agent: true, agents: true, assay: true })
    .extend({
      kind: z
        .literal('agent')
        .describe('The built-in coding agent works on tasks: think, one command, observe, until it submits.'),
      ...agentSettings,
    }),
)

type AgentSpec = z.output<typeof agentSpec>

/** A run is one rollout of the built-in agent: everything except the agent is as in the target `task`. */
export const agentTarget: Target<AgentSpec> = {
  kind: 'agent',
  schema: agentSpec,
  complete(spec, around) {
    const whole = taskTarget.complete?.(taskOf(spec), around)
    const { problems, blocks, contents, metrics } = whole ?? nothingAdded
    return {
      ...{ problems, blocks, contents, factors: [] },
      spec: JSON.parse(JSON.stringify(spec)),
      metrics: [...metrics, ...agentMetrics([...metrics, ...around.metrics])],
    }
  },
  check: (spec, experiment) => [...taskTarget.check(taskOf(spec), experiment), ...checkAgent(spec, experiment)],
  ready: async (spec, experiment, runs, mode, isElsewhere) =>
    (await taskTarget.ready?.(taskOf(spec), experiment, withAgent(runs), mode, isElsewhere)) ?? [],
  identity: (spec, experiment) => taskTarget.identity(taskOf(spec), experiment),
  describe: (spec, run, place, experiment) => taskTarget.describe(taskOf(spec), asTaskRun(run), place, experiment),
  bound: (spec, run) => taskTarget.bound(taskOf(spec), run),
  notes: (spec, experiment) => taskTarget.notes?.(taskOf(spec), experiment) ?? [],
  execute: (spec, run, context) => taskTarget.execute(taskOf(spec), asTaskRun(run), context),
  scoresAgain: true,
  ...(taskTarget.leftovers && { leftovers: taskTarget.leftovers }),
  hasOnlyScoringLeft: dir => taskTarget.hasOnlyScoringLeft?.(dir) ?? false,
  endLost: async tokens => taskTarget.endLost?.(tokens),
}

const nothingAdded: Pick<Completion, 'problems' | 'blocks' | 'contents' | 'metrics'> = {
  ...{ problems: [], blocks: [], contents: {}, metrics: [] },
}

/** The same for the target `task`, which names its agent. */
function taskOf(spec: AgentSpec): TaskSpec {
  const own = Object.entries(spec).filter(([name]) => Object.hasOwn(agentSettings, name))
  const rest = Object.entries(spec).filter(([name]) => !Object.hasOwn(agentSettings, name))
  const assay = own.length === 0 ? {} : { assay: agentSettingsSchema.parse(Object.fromEntries(own)) }
  return taskSpec.parse({ ...Object.fromEntries(rest), kind: 'task', agent: 'assay', ...assay })
}

const asTaskRun = (run: Run): Run => ({ ...run, params: { agent: 'assay', ...run.params } })

function* withAgent(runs: Iterable<Run>): Generator<Run> {
  for (const run of runs) yield asTaskRun(run)
}

/** The metrics that people compare; all others are reported too. Without scores the question is the cost. */
function agentMetrics(known: readonly MetricSpec[]): readonly MetricSpec[] {
  const hasPrimary = known.some(({ primary }) => primary)
  const reported = (name: string, goal: MetricSpec['goal'], primary = false): MetricSpec => ({
    ...{ name, goal, primary: primary && !hasPrimary },
    source: { kind: 'reported' },
  })
  return [
    reported('total_cost', 'minimize', true),
    reported('n_turns', 'minimize'),
    reported('submitted', 'maximize'),
  ].filter(({ name }) => known.every(one => one.name !== name))
}
