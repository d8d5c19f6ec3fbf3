import { type Experiment, worksOnTasks } from '../../define/experiment.ts'
import { AssayError } from '../../util/errors.ts'
import { longFlag } from '../../util/words.ts'
import type { OptionName, Options } from '../options.ts'

const taskOptions = ['agent', 'sandbox', 'provided', 'rollouts'] as const satisfies readonly OptionName[]

/** The experiment with the options about agents, their boxes and the number of rollouts applied. */
export function withTasks(experiment: Experiment, options: Options): Experiment {
  const given = taskOptions.find(name => options[name] !== undefined)
  if (given === undefined) return experiment
  const { target, factors } = experiment
  if (!worksOnTasks(target))
    throw new AssayError('usage', `${longFlag(given)}: a target of kind "${target.kind}" runs no tasks in sandboxes`, {
      hint: 'It is for targets of kind "task" and "agent".',
    })
  const { agent, sandbox, provided, rollouts } = options
  if (agent !== undefined && target.kind === 'agent')
    throw new AssayError('usage', `--agent: a target of kind "agent" is the built-in agent`, {
      hint: 'Other agents work on the same tasks with a target of kind "task".',
    })
  return {
    ...experiment,
    target: {
      ...target,
      ...(sandbox !== undefined && { sandbox }),
      ...(provided !== undefined && { provided: [...provided] }),
    },
    ...(agent !== undefined && {
      factors: [...factors.filter(({ name }) => name !== 'agent'), { name: 'agent', levels: [agent], when: null }],
    }),
    ...(rollouts !== undefined && replicated(experiment, rollouts)),
  }
}

function replicated({ cells }: Experiment, rollouts: number): Pick<Experiment, 'replicates' | 'cells'> {
  if (!Number.isInteger(rollouts)) throw new AssayError('usage', `--rollouts: expected a whole number, got ${rollouts}`)
  return {
    replicates: rollouts,
    ...(cells !== undefined && { cells: cells.map(cell => ({ ...cell, replicates: rollouts })) }),
  }
}
