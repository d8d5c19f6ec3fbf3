import type { Experiment } from '../define/experiment.ts'
import { ownTargets } from '../define/own-modules.ts'
import type { Target } from '../define/target.ts'
import { AssayError } from '../util/errors.ts'
import { didYouMean } from '../util/suggest.ts'
import { commandTarget } from './command/command-target.ts'
import { functionTarget } from './function/function-target.ts'
import { promptTarget } from './prompt/prompt-target.ts'
import { scenarioTarget } from './scenario/scenario-target.ts'
import { schedSimTarget } from './sched-sim/sched-sim-target.ts'
import { sweagentTarget } from './sweagent/sweagent-target.ts'
import { agentTarget } from './task/agent-target.ts'
import { taskTarget } from './task/task-target.ts'

/** Everything that a run can be, by the `kind` written in the configuration. */
export const targets: readonly Target[] = [
  erased(agentTarget),
  erased(commandTarget),
  erased(functionTarget),
  erased(promptTarget),
  erased(scenarioTarget),
  erased(schedSimTarget),
  erased(sweagentTarget),
  erased(taskTarget),
]

/** The target of an experiment: a built-in one, or one that it brings. */
export function targetFor(experiment: Experiment): Target {
  const { kind } = experiment.target
  const all = [...targets, ...ownTargets(experiment, process.cwd())]
  const found = all.find(target => target.kind === kind)
  if (found !== undefined) return found
  if (kind === 'inline')
    throw new AssayError('usage', 'this experiment was defined in code: its target is a function in a script', {
      hint: 'Run that script again to execute the missing runs.',
    })
  const kinds = all.map(target => target.kind)
  throw new AssayError('config', `there is no target of kind "${kind}"; known: ${kinds.join(', ')}`, {
    hint: didYouMean(kind, kinds),
  })
}

/** A target's spec always comes from its own schema: the one place where the type is forgotten. */
function erased<S>(target: Target<S>): Target {
  return target as Target
}
