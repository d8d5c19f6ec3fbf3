import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderWith } from './assay.ts'

/**
 * A folder that several tests begin with, such as one with a finished experiment: made for the first of them, and
 * copied for each, so that none sees another's changes.
 */
export function prepared(make: () => Promise<string>): () => Promise<string> {
  let original: Promise<string> | undefined
  return async () => {
    original ??= make().then(keep)
    const folder = folderWith()
    cpSync(await original, folder, { recursive: true })
    return folder
  }
}

/** Files of one test are deleted after it; the original must outlive it. */
function keep(folder: string): string {
  const kept = mkdtempSync(join(tmpdir(), 'assay-prepared-'))
  cpSync(folder, kept, { recursive: true })
  return kept
}
