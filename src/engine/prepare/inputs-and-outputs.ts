import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { OutputSpec } from '../../define/experiment.ts'
import { inputFiles, noSuchInput } from '../../define/read-files.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { elsewhereFile, runFolder } from '../../record/places.ts'
import { completedOutputs } from '../../record/read/standing.ts'
import { reopenRuns } from '../../record/runs/settle.ts'
import { AssayError } from '../../util/errors.ts'
import type { RunRequest } from '../call.ts'

/** Reports the places of all `inputs` that match nothing, before anything is made. */
export function refuseMissingInputs(
  { experiment, errorAt = plainError }: Pick<RunRequest, 'experiment' | 'errorAt'>,
  cwd: string,
): void {
  const places = { folder: experiment.folder, cwd }
  const problems = experiment.inputs.flatMap((input, index) =>
    inputFiles(input, places) === null ? [{ path: ['inputs', index], message: noSuchInput(input, places) }] : [],
  )
  if (problems.length > 0) throw errorAt(problems)
}

const plainError: NonNullable<RunRequest['errorAt']> = problems =>
  new AssayError('config', problems.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'), {
    hint: 'Paths are relative to the configuration file.',
  })

interface LostOutput {
  readonly run: string
  readonly path: string
}

/** Completed runs whose declared outputs are gone become ready again: a result without its files is not a result. */
export function reopenLostOutputs(journal: Journal, dir: string, outputs: readonly OutputSpec[]): LostOutput[] {
  if (outputs.length === 0) return []
  const lost = completedOutputs(journal).flatMap(({ id, name, had }) => {
    const path = lostOutput(outputs, had, runFolder(dir, name))
    return path === null ? [] : [{ id, run: name, path }]
  })
  reopenRuns(
    journal,
    lost.map(({ id }) => id),
    'anew',
  )
  return lost
}

/** A declared output that is gone: a required one, or an optional one that existed. */
export function lostOutput(outputs: readonly OutputSpec[], had: readonly string[], runDir: string): string | null {
  const lost = outputs.find(({ path, required }) => (required || had.includes(path)) && !existsSync(join(runDir, path)))
  return lost === undefined || isElsewhere(runDir, lost.path) ? null : lost.path
}

/** Whether the file stayed on the machine that performed the run. */
function isElsewhere(runDir: string, path: string): boolean {
  const file = join(runDir, elsewhereFile)
  const isMoved = existsSync(file) ? elsewhere.safeParse(JSON.parse(readFileSync(file, 'utf8'))) : null
  return isMoved?.success === true && isMoved.data.paths.includes(path)
}

const elsewhere = z.lazy(() => z.object({ paths: z.array(z.string()) }))
