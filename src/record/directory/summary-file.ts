import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AssayError, systemCode } from '../../util/errors.ts'
import type { Summary } from '../summary.ts'

/** Rewrites `summary.json` atomically: a reader sees the old one or the new one, never half. */
export function writeSummaryFile(dir: string, summary: Summary): void {
  const file = join(dir, 'summary.json')
  const draft = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(draft, `${JSON.stringify(summary, null, 2)}\n`)
    renameSync(draft, file)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    throw new AssayError('cannot_write', `the directory of the experiment is gone: ${dir}`, {
      hint: 'Somebody moved or deleted it meanwhile. If it was moved, give the same command with its new place.',
      cause: error,
    })
  }
}
