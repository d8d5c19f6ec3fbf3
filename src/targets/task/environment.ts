import { join, resolve } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import { hostRoot, type Root, type Sandbox } from '../../process/sandbox/box.ts'
import { recipeOf } from '../../process/sandbox/sandbox.ts'
import { AssayError } from '../../util/errors.ts'
import { fillVariables } from './formats/host-variables.ts'
import type { TaskSpec } from './spec.ts'
import type { Task } from './task.ts'

/** The cache of file systems built for tasks. */
const rootsIn = ({ folder, out_root }: Experiment): string => join(resolve(folder, out_root), '.cache', 'roots')

/** The file system that a task's boxes start from. Rejects with `unsupported_environment`. */
export async function rootFor(
  task: Task,
  sandbox: Sandbox,
  options: {
    readonly spec: TaskSpec
    readonly experiment: Experiment
    readonly token: string
    readonly signal: AbortSignal
    readonly onLine: (line: string) => void
  },
): Promise<Root> {
  const { spec, experiment, token, signal, onLine } = options
  refuseUnsupported(task, sandbox)
  const { dockerfile, context, image, repo, buildSec } = task.environment
  // The Dockerfile of a task with a repository clones it and installs a codex: here both come from outside the box.
  if (repo !== null && !sandbox.can.images) return hostRoot
  if (dockerfile === null && image === null) return hostRoot
  const recipe = recipeOf({ dockerfile, image, context: context ?? task.dir })
  const { all = 1, build = all } = spec.time
  const cacheDir = rootsIn(experiment)
  return sandbox.build(recipe, {
    provided: spec.provided,
    // An engine makes images as usual; only boxes are cut off from the network.
    network: sandbox.can.images || (spec.network === 'task' && task.limits.network),
    timeoutMs: buildSec * build * 1000,
    cacheDir,
    token,
    signal,
    onLine,
  })
}

function refuseUnsupported({ unsupported, limits, environment, steps, id }: Task, { can, backend }: Sandbox): void {
  const missing = [
    ...unsupported,
    ...(limits.gpus > 0 ? [`${limits.gpus} GPUs`] : []),
    ...(limits.allowedHosts !== null ? ['a network with only some hosts'] : []),
    ...(!can.anyPath && steps.some(({ tests }) => tests.kind === 'script') ? ['tests at absolute paths'] : []),
    ...(!can.images && environment.image !== null && environment.dockerfile === null
      ? [`the image ${environment.image}`]
      : []),
  ]
  if (missing.length === 0) return
  throw new AssayError('unsupported_environment', `${id} needs what ${backend} can't give here: ${missing.join('; ')}`)
}

/** Variables of the task's environment. A reference to an unset variable of this machine is refused, as in Harbor. */
export function variablesFor(task: Task, values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const filled = fillVariables(values, process.env)
  if (filled.missing.length > 0)
    throw new AssayError(
      'unsupported_environment',
      `${task.id} needs variables that are not set: ${filled.missing.join(', ')}`,
    )
  return filled.values
}
