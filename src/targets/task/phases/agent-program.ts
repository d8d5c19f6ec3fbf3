import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Box, Mount } from '../../../process/sandbox/box.ts'
import { AssayError } from '../../../util/errors.ts'
import type { JsonObject } from '../../../util/json.ts'
import { type Agent, startOf } from '../agents/agent-plan.ts'
import { findProgram, isSystemProgram } from '../agents/find-program.ts'
import { agentFiles, besideExperiment, type ProgramInBox, programInBox } from '../agents/program-mounts.ts'
import { isPlainCommands, typedScript } from '../agents/typed-solution.ts'
import { variablesFor } from '../environment.ts'
import { layOut } from '../stage.ts'
import type { Solution, TaskStep } from '../task.ts'
import { home, type RunBoxes } from './box-of-run.ts'

/** The agent, and the values for the placeholders of its command. */
export interface AgentChoice {
  readonly agent: Agent
  /** null: it calls no models. */
  readonly models: AgentModels | null
  /** The base of relative paths in its command. */
  readonly folder: string
  /** The run's parameters: they may be used in the command too. */
  readonly params: JsonObject
}

/** The address at which an agent reaches models from inside its box. */
export interface AgentModels {
  /** The model proxy's unix socket, outside of the box; null: it listens at the port itself. */
  readonly socket: string | null
  /** Inside the box. */
  readonly port: number
  /** Worth nothing elsewhere. */
  readonly key: string
}

export const instructionFile = '/logs/agent/instruction.md'

/** The command that starts in the box. */
export interface AgentProgram {
  readonly argv: readonly string[]
  readonly stdin: string | null
  readonly env: Readonly<Record<string, string>>
  /** null: the working directory of the task. */
  readonly cwd: string | null
  /** A call of another program that it can't do without. */
  readonly needs?: readonly string[]
}

export function programOf(
  step: TaskStep,
  box: Box,
  boxes: RunBoxes,
  { agent, folder, params, models }: AgentChoice,
): AgentProgram {
  if (agent.kind !== 'command') return solutionProgram(step, boxes)
  const { model, env } = boxes.about
  const start = startOf(agent.command, {
    instruction: step.instruction,
    instructionFile: box.at(instructionFile),
    workdir: box.at(boxes.workdir),
    home: box.at(home),
    model,
    baseUrl: models === null ? '' : `http://127.0.0.1:${models.port}`,
    params,
  })
  const passed = (agent.command.pass_env ?? []).flatMap(name => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const { argv } = programOfAgent(agent, folder)
  return {
    argv: [...argv, ...start.argv.slice(1).map(word => besideExperiment(word, folder))],
    stdin: start.stdin,
    env: { ...Object.fromEntries(passed), ...env, ...start.env },
    cwd: null,
  }
}

/** The oracle executes the solution of the task's author. */
function solutionProgram({ solution, name }: TaskStep, boxes: RunBoxes): AgentProgram {
  const { task } = boxes.about
  if (solution === null)
    throw new AssayError(
      'config',
      `${task.id}${task.steps.length > 1 ? `, step "${name}",` : ''} has no solution for the oracle`,
    )
  switch (solution.kind) {
    case 'script':
      return { argv: solution.command, stdin: null, env: variablesFor(task, solution.env), cwd: null }
    case 'patch': {
      const text = 'file' in solution.patch ? readFileSync(solution.patch.file, 'utf8') : solution.patch.text
      return { argv: ['git', 'apply', '--whitespace=nowarn', '-'], stdin: text, env: {}, cwd: null }
    }
    case 'keystrokes': {
      const { commands } = solution
      const common = { env: {}, cwd: null }
      return isPlainCommands(commands)
        ? { ...common, argv: ['bash'], stdin: commands.map(({ command }) => `${command}\n`).join('') }
        : { ...common, argv: ['sh', '-c', typedScript(commands)], stdin: null, needs: ['tmux', '-V'] }
    }
  }
}

/** The names under which the usual packages look for address and key. */
export function modelVariables({ key, port }: AgentModels): Readonly<Record<string, string>> {
  const address = `http://127.0.0.1:${port}`
  return {
    OPENAI_BASE_URL: `${address}/v1`,
    OPENAI_API_BASE: `${address}/v1`,
    OPENAI_API_KEY: key,
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_API_KEY: key,
  }
}

export function agentMounts(
  { solution }: TaskStep,
  { dir }: RunBoxes,
  { agent, folder }: AgentChoice,
): readonly Mount[] {
  if (agent.kind === 'command') {
    const { command, mounts = [] } = agent.command
    return [...programOfAgent(agent, folder).mounts, ...agentFiles(command, mounts, folder)]
  }
  if (agent.kind !== 'oracle' || solution?.kind !== 'script') return []
  return solutionFolders(solution).map((target, at) => {
    const source = join(dir, 'stage', `solution-${at}`)
    // The previous step had it, and could write to it.
    rmSync(source, { recursive: true, force: true })
    layOut(
      solution.files.filter(({ to }) => folderOf(to) === target),
      target,
      source,
      solution.command,
    )
    return { source, target, writable: true }
  })
}

/**
 * `python3` in a user's own command is the box's, as for every other program there, not the one of this machine that
 * comes first in PATH. A program that this machine lacks may be part of the task's environment.
 */
function programOfAgent({ command: { command }, install }: CommandAgent, folder: string): ProgramInBox {
  const [name = ''] = command
  const found = install === null && isSystemProgram(name) ? null : findProgram(name, folder)
  return found === null ? { argv: [name], mounts: [] } : programInBox(found)
}

type CommandAgent = Extract<Agent, { kind: 'command' }>

/** `/solution` of `/solution/solve.sh`. */
const folderOf = (path: string): string => `/${path.split('/')[1] ?? ''}`

const solutionFolders = ({ files }: Extract<Solution, { kind: 'script' }>): readonly string[] => [
  ...new Set(files.map(({ to }) => folderOf(to))),
]
