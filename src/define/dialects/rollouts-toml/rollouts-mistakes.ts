import { existsSync } from 'node:fs'
import type { SourceProblem } from '../../problems.ts'
import { resolvePath } from '../../read-files.ts'
import type { LoadContext } from '../dialect.ts'
import { entryOf, identityOf } from './entries.ts'
import type { WrittenRollouts, WrittenTask } from './rollouts-schema.ts'

/** Folders next to those of benchmarks. */
const reserved = ['temp', 'runs']

/** Checks beyond the schema. */
export function rolloutsMistakes(written: WrittenRollouts, name: string, context: LoadContext): SourceProblem[] {
  return [
    ...(reserved.includes(name.toLowerCase()) ? [nameIsTaken(name)] : []),
    ...repeatedEntries(written.tasks),
    ...written.tasks.flatMap((task, index) => [...variableMistakes(task, index), ...missingFile(task, index, context)]),
    ...(written.tasks.every(({ rollouts }) => rollouts === 0) ? [nothingToRun] : []),
  ]
}

const nameIsTaken = (name: string): SourceProblem => ({
  path: ['name'],
  message: `a benchmark can't be called "${name}"`,
  hint: `${name}/ is the folder for other files beside the benchmarks: choose another name`,
})

const nothingToRun: SourceProblem = {
  path: ['tasks', 0, 'rollouts'],
  message: 'every entry has rollouts = 0, so nothing would be run',
}

/** Two entries for the same runs could contradict each other about their number. */
function* repeatedEntries(tasks: readonly WrittenTask[]): Generator<SourceProblem> {
  const seen = new Map<string, number>()
  for (const [index, task] of tasks.entries()) {
    const identity = identityOf(entryOf(task))
    const before = seen.get(identity)
    if (before === undefined) seen.set(identity, index)
    else
      yield {
        path: ['tasks', index],
        message: `entry ${index + 1} is the same as entry ${before + 1}: task, model, overrides and environment are equal`,
        hint: `give entry ${before + 1} more rollouts instead`,
      }
  }
}

/** The environment is part of the variant, so it is stored with every run: no place for a key. */
const secretName = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i

function* variableMistakes({ environment_variables }: WrittenTask, index: number): Generator<SourceProblem> {
  for (const [name, value] of Object.entries(environment_variables)) {
    const path = ['tasks', index, 'environment_variables', name]
    if (secretName.test(name) && value !== '')
      yield {
        path,
        part: 'key',
        message: `${name} looks like a secret, and this file is stored with the results`,
        hint: 'Set it in the environment of `assay run`: agents reach their models without seeing the key.',
      }
    if (name === 'TIMEOUT_SEC' && !(Number(value) > 0 && Number.isFinite(Number(value))))
      yield { path, message: `expected a number of seconds above 0, got ${JSON.stringify(value)}` }
  }
}

/** A named file that does not exist would be silently skipped. */
function missingFile(task: WrittenTask, index: number, context: LoadContext): readonly SourceProblem[] {
  const { overrides, apply_overrides } = task
  if (overrides === undefined || !apply_overrides || existsSync(resolvePath(overrides, context))) return []
  return [
    {
      path: ['tasks', index, 'overrides'],
      message: `no such file: ${overrides}`,
      hint: 'paths start in the folder of this file, then in the working directory',
    },
  ]
}
