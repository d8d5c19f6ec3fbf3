import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { AssayError } from '../../util/errors.ts'

const candidates = [
  'experiment.yaml',
  'experiment.yml',
  'experiment.json',
  'experiment.toml',
  'bench/experiments/default.json',
] as const

/** The configuration that is meant when none is named, or only the folder that it is in. */
export function findConfig(cwd: string, named?: string): string {
  const found = candidates.find(file => existsSync(resolve(cwd, file)))
  if (found !== undefined) return found
  if (named !== undefined)
    throw new AssayError('usage', `${named} holds neither an experiment file nor the results of an experiment`, {
      hint: `an experiment file there would be called ${candidates.join(', ')}; results have a journal.db`,
      facts: { folder: cwd, candidates },
    })
  throw new AssayError('usage', 'no configuration file was given, and none was found here', {
    hint: `name one with -c/--config, or make one of ${candidates.join(', ')} (assay init writes the first)`,
    facts: { cwd, candidates },
  })
}
