import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Experiment } from '../../../define/experiment.ts'
import type { Problem } from '../../../define/target.ts'
import type { Sandbox } from '../../../process/sandbox/box.ts'
import type { TaskSpec } from '../spec.ts'
import { dockerfilesOf } from '../task-of-run.ts'
import type { Agent } from './agent-plan.ts'
import { findProgram } from './find-program.ts'
import { isBeside } from './program-mounts.ts'

export interface ProgramContext {
  readonly spec: TaskSpec
  readonly experiment: Experiment
  /** null: none can be used here. */
  readonly sandbox: Sandbox | null
  /** The tasks of the runs, as the experiment names them. */
  readonly tasks: readonly string[]
}

/** Problems that would keep an agent from starting in every run. */
export function programProblems(agent: Agent, context: ProgramContext): readonly Problem[] {
  if (agent.kind !== 'command') return []
  const { spec, experiment } = context
  if (agent.isDirect && spec.network === 'none')
    return [
      {
        path: ['target', 'agent'],
        message: `${agent.name} talks to its provider itself, past the model proxy: it is not metered, and needs the network`,
        hint: 'allow it with target.network: task; its calls are in no budget',
      },
    ]
  const missing = [...missingFiles(agent, experiment), ...missingProgram(agent, context)]
  return missing.map(problem => ({ ...problem, isOnlyForRuns: true }))
}

type CommandAgent = Extract<Agent, { kind: 'command' }>

/** A file that is not there would be looked for in the box, and the agent would fail on every task. */
function missingFiles({ name, command: { command, mounts = [] } }: CommandAgent, { folder }: Experiment): Problem[] {
  const path = ['target', 'agents', name]
  const written = [
    ...command.map((word, at) => ({ word, path: [...path, 'command', at] })).filter(({ word }) => isBeside(word)),
    ...mounts.map((word, at) => ({ word, path: [...path, 'mounts', at] })),
  ]
  return written
    .filter(({ word }) => !word.includes('{') && !existsSync(resolve(folder, word)))
    .map(({ word, path: at }) => ({
      path: at,
      message: `there is no ${word} beside the experiment`,
      hint: `it would be ${resolve(folder, word)}`,
    }))
}

function missingProgram(
  { name: agent, install, command }: CommandAgent,
  { spec, experiment, sandbox, tasks }: ProgramContext,
): Problem[] {
  const [name = ''] = command.command
  if (isBeside(name) || name.includes('{') || findProgram(name, experiment.folder) !== null) return []
  if (install !== null)
    return [
      {
        path: ['target', 'agent'],
        message: `the agent ${agent} is not installed: there is no program "${name}" in PATH`,
        hint: `install it (${install}), or choose another: oracle, nop, or one of your own under agents`,
      },
    ]
  // An image has its own programs, and any other path is one in the box.
  if (sandbox === null || sandbox.can.images || name.includes('/')) return []
  if (dockerfilesOf(tasks, spec, experiment).some(file => mayBring(name, file, spec))) return []
  return [
    {
      path: ['target', 'agents', agent, 'command', 0],
      message: `there is no program "${name}" in PATH, and no Dockerfile of the tasks brings it`,
      hint: `boxes of ${sandbox.backend} have the programs of this machine: install it, or write its path; ./${name} is a file beside the experiment`,
    },
  ]
}

/** By its name, in a folder of programs, or by what a step downloads. */
function mayBring(name: string, dockerfile: string, { network }: TaskSpec): boolean {
  const text = readFileSync(dockerfile, 'utf8')
  return text.includes(name) || /\bbin\b|\bPATH\b/.test(text) || (network === 'task' && /^\s*RUN\b/im.test(text))
}
