import type { Experiment } from '../../define/experiment.ts'
import { resolvePath } from '../../define/read-files.ts'
import type { Run } from '../../define/run.ts'
import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json } from '../../util/json.ts'
import { repositoriesOf } from './complete.ts'
import { applyOverrides } from './formats/oneshot/apply-overrides.ts'
import { readOverrides } from './formats/oneshot/overrides.ts'
import { readTasks } from './read-tasks.ts'
import type { TaskSpec } from './spec.ts'
import type { BrokenTask, Overrides, RunSettings, Task } from './task.ts'

/** What one run is about: its task with overrides applied, its agent and model, and its own variables. */
export interface TaskRun {
  readonly task: Task
  readonly agent: string
  readonly model: string | null
  readonly env: Readonly<Record<string, string>>
  /** The run's time limit for the agent, in seconds; null: the task's. */
  readonly agentSec: number | null
}

export function taskOfRun(spec: TaskSpec, run: Run, experiment: Experiment): TaskRun {
  const { params } = run
  const { task, settings } = withOverrides(readOne(spec, run, experiment), run, experiment)
  const env = { ...spec.env, ...settings.env, ...variablesOf(params.environment_variables) }
  return {
    task,
    agent: textOf(params.agent) ?? 'nop',
    model: textOf(params.model) ?? settings.model,
    env,
    agentSec: secondsOf(env.TIMEOUT_SEC),
  }
}

function readOne(spec: TaskSpec, { block }: Run, { folder, contents }: Experiment): Task {
  const level = textOf(block.task)
  if (level === null) throw new AssayError('config', 'the run names no task')
  const task = readLevel(level, spec, folder)
  if (task === undefined || task.kind === 'broken')
    throw new AssayError('config', `${level} can't be run: ${task?.problems.join('; ') ?? 'it is gone'}`)
  const planned = contents?.task?.[level]
  if (planned !== undefined && planned !== '' && planned !== task.digest)
    throw new AssayError('config', `the files of ${level} have changed since the experiment was planned`, {
      hint: 'Run the same command again: runs of the changed task are made anew.',
    })
  return task
}

function readLevel(level: string, spec: TaskSpec, folder: string): Task | BrokenTask | undefined {
  const around = { folder, cwd: process.cwd() }
  const [task] = readTasks(resolvePath(level, around), { repos: repositoriesOf(spec, around) })
  return task
}

/** The readable Dockerfiles of these tasks. */
export function dockerfilesOf(levels: readonly string[], spec: TaskSpec, { folder }: Experiment): readonly string[] {
  return levels.flatMap(level => {
    const task = readLevel(level, spec, folder)
    return task?.kind === 'task' ? (task.environment.dockerfile ?? []) : []
  })
}

const nothingSet: RunSettings = { model: null, provider: null, baseUrl: null, env: {} }

/** The task's own overrides.json first, then the file that the experiment names. */
function withOverrides(task: Task, { params }: Run, experiment: Experiment): { task: Task; settings: RunSettings } {
  if (params.apply_overrides === false) return { task, settings: nothingSet }
  const named = textOf(params.overrides)
  const file =
    named === null ? null : readOverrides(resolvePath(named, { folder: experiment.folder, cwd: process.cwd() }))
  const all = [task.overrides, file].filter((one): one is Overrides => one !== null)
  return all.reduce<{ task: Task; settings: RunSettings }>(
    (before, overrides) => {
      const { task: after, settings } = applyOverrides(before.task, overrides)
      return {
        task: after,
        settings: {
          ...settings,
          model: settings.model ?? before.settings.model,
          env: { ...before.settings.env, ...settings.env },
        },
      }
    },
    { task, settings: nothingSet },
  )
}

function variablesOf(given: Json | undefined): Readonly<Record<string, string>> {
  if (!isJsonObject(given)) return {}
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, textOf(value) ?? JSON.stringify(value)]),
  )
}

function secondsOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const seconds = Number(text)
  if (Number.isFinite(seconds) && seconds > 0) return seconds
  throw new AssayError('config', `TIMEOUT_SEC: expected a number of seconds above 0, got "${text}"`)
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
