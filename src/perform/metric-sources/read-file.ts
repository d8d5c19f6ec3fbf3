import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../util/errors.ts'
import { noReading, problemReading, type SourceReading } from './metric-source.ts'

export interface FileSpec {
  /** Relative to the run's directory. */
  readonly file: string
  readonly optional?: boolean | undefined
}

/** The text of a file in the run's directory, given to `use`; or the reading that says why there is none. */
export function withFile(
  runDir: string,
  metric: string,
  spec: FileSpec,
  use: (text: string) => SourceReading,
): SourceReading {
  try {
    const path = join(runDir, spec.file)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined)
      return spec.optional === true ? noReading : problemReading(metric, `${spec.file} was not written`)
    if (found.size > mostBytes)
      return problemReading(
        metric,
        `${spec.file} has ${Math.round(found.size / 1e6)} MB; at most ${mostBytes / 1e6} MB are read`,
      )
    return use(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    return problemReading(metric, `${spec.file} could not be read: ${messageOf(error)}`)
  }
}

const mostBytes = 64_000_000
