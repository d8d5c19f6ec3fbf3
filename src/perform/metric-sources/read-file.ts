import { closeSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceReading } from '../../define/experiment.ts'
import { messageOf } from '../../util/errors.ts'
import { openRegular } from '../../util/files.ts'
import { noReading, problemReading } from './readings.ts'

export interface FileSpec {
  /** Relative to the run's directory. */
  readonly file: string
  readonly optional?: boolean | undefined
}

/** A file in the run's directory, open while `use` reads it; or a reading with the reason why there is none. */
export function withDescriptor(
  runDir: string,
  metric: string,
  spec: FileSpec,
  use: (descriptor: number, size: number) => SourceReading,
): SourceReading {
  try {
    const opened = openRegular(join(runDir, spec.file), runDir)
    if (opened === 'missing')
      return spec.optional === true ? noReading : problemReading(metric, `${spec.file} was not written`)
    if ('problem' in opened) return problemReading(metric, `${spec.file} ${opened.problem}`)
    try {
      return use(opened.descriptor, opened.size)
    } finally {
      closeSync(opened.descriptor)
    }
  } catch (error) {
    return problemReading(metric, `${spec.file} could not be read: ${messageOf(error)}`)
  }
}

/** Its whole text, given to `use`. */
export function withFile(
  runDir: string,
  metric: string,
  spec: FileSpec,
  use: (text: string) => SourceReading,
): SourceReading {
  return withDescriptor(runDir, metric, spec, (descriptor, size) => {
    if (size > mostBytes)
      return problemReading(
        metric,
        `${spec.file} has ${Math.round(size / 1e6)} MB; at most ${mostBytes / 1e6} MB are read`,
      )
    return use(readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, ''))
  })
}

const mostBytes = 64_000_000
