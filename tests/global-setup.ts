import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Before all tests: those that start the real program find it up to date, and whatever any of them makes in the folder
 * for temporary files is made in one that is gone afterwards.
 */
export function setup(): () => void {
  const script = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))
  execFileSync(process.execPath, [script, '--if-changed'], { stdio: 'inherit' })
  // The real path: on macOS the folder for temporary files is a link, and programs tell where they really are.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-tests-')))
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true, force: true })
  }
}
