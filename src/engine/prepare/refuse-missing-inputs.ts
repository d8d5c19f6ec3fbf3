import { inputFiles, noSuchInput } from '../../define/files/paths.ts'
import { AssayError } from '../../util/errors.ts'
import type { RunRequest } from '../request.ts'

/** Says of all `inputs` that match nothing where they stand, before anything is made. */
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
