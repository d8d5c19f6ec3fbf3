import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Summary } from '../summary.ts'

/** Rewrites `summary.json` atomically: a reader sees the old one or the new one, never half. */
export function writeSummaryFile(dir: string, summary: Summary): void {
  const file = join(dir, 'summary.json')
  const draft = `${file}.${process.pid}.tmp`
  writeFileSync(draft, `${JSON.stringify(summary, null, 2)}\n`)
  renameSync(draft, file)
}
