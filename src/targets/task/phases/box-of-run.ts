import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Box, BoxSpec, Mount, Placed, Root, Sandbox } from '../../../process/sandbox/box.ts'
import { readRegular, writeWhole } from '../../../util/files.ts'
import { variablesFor } from '../environment.ts'
import type { TaskSpec } from '../spec.ts'
import type { TaskRun } from '../task-of-run.ts'

/** Shared by the boxes of one run. */
export interface RunBoxes {
  readonly sandbox: Sandbox
  readonly root: Root
  readonly spec: TaskSpec
  readonly about: TaskRun
  readonly token: string
  readonly workdir: string
  readonly initial: readonly Placed[]
  /** The run's own folder. */
  readonly dir: string
  /** Where the agent's files are kept, a folder for each step. */
  readonly kept: string
}

/** The files of a step, and of those before it, the last first. */
export const filesOfSteps = (boxes: RunBoxes, last: number): readonly string[] =>
  Array.from({ length: last + 1 }, (_, at) => filesOfAttempt(boxes, last - at, chosenAttempt(boxes, last - at)))

/** An agent may try a step several times, each time with fresh files. */
export const filesOfAttempt = ({ kept }: RunBoxes, step: number, attempt: number): string =>
  join(kept, attempt === 0 ? String(step) : `${step}.${attempt}`)

const chosenFile = ({ kept }: RunBoxes, step: number): string => join(kept, `${step}.chosen`)

/** From now on the files of this attempt are those of the step. */
export const chooseAttempt = (boxes: RunBoxes, step: number, attempt: number): void =>
  writeWhole(chosenFile(boxes, step), `${attempt}\n`)

const chosenAttempt = (boxes: RunBoxes, step: number): number => Number(readRegular(chosenFile(boxes, step)) ?? 0)

/** Enough for any build, and too few for a fork bomb to be felt. */
const mostProcesses = 1024

export const outputOf = ({ output_mb }: TaskSpec): number => Math.round(output_mb * 1_000_000)

/** Where results of the box appear outside of it: a folder of the run's logs, writable from inside by every user. */
export function logMount({ dir, root, about }: RunBoxes, name: 'agent' | 'verifier' | 'artifacts'): Mount {
  const source = join(dir, 'logs', name)
  mkdirSync(source, { recursive: true })
  const users = [root.user, ...about.task.steps.flatMap(step => [step.agentUser, step.verifyUser])]
  if (users.some(user => user !== null)) chmodSync(source, 0o777)
  return { source, target: `/logs/${name}`, writable: true }
}

/** Whether the box has its own network, in which any port is free. */
export const hasOwnNetwork = ({ sandbox, spec, about }: RunBoxes): boolean =>
  sandbox.can.cutsNetwork && !(spec.network === 'task' && about.task.limits.network)

export function openBox(
  boxes: RunBoxes,
  own: Pick<BoxSpec, 'files' | 'beneath' | 'mounts' | 'ports' | 'env' | 'user'> & { readonly network: boolean },
): Promise<Box> {
  const { sandbox, root, about, token, initial, workdir, spec, dir } = boxes
  const { limits, environment } = about.task
  const user = own.user ?? root.user
  return sandbox.open({
    token,
    root,
    initial: [{ source: emptyHome(dir), target: home }, ...initial],
    workdir,
    memoryMb: limits.memoryMb,
    pids: mostProcesses,
    storageMb: limits.storageMb,
    ...own,
    ...(user !== null && { user }),
    network: own.network && spec.network === 'task' ? 'host' : 'none',
    env: {
      ...(sandbox.can.anyPath && { HOME: home }),
      ...root.env,
      ...variablesFor(about.task, environment.env),
      ...about.env,
      ...own.env,
    },
  })
}

/** The agent's own place for settings, outside of its work. Not below /tmp: codex keeps no programs there. */
export const home = '/home/assay'

/** Every user may write there: a task can name the user that the agent works as. */
function emptyHome(dir: string): string {
  const folder = join(dir, 'stage', 'home')
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o1777)
  return folder
}
