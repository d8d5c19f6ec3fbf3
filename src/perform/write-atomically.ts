import { renameSync, writeFileSync } from 'node:fs'

/** The whole file or the one before, never half of it. No fsync: a file that a power cut takes costs one run, an fsync per run costs more than all else. */
export function writeAtomically(file: string, content: string): void {
  writeFileSync(`${file}.tmp`, content)
  renameSync(`${file}.tmp`, file)
}
