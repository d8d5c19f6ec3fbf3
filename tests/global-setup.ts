import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeClocksOfTheDead } from './support/fake-clock.ts'
import { killProcessesOf } from './support/processes.ts'

/**
 * Before all tests: those that start the real program find it up to date, and whatever any of them makes in the folder
 * for temporary files is made in one that is gone afterwards.
 */
export function setup(): () => void {
  const script = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))
  execFileSync(process.execPath, [script, '--if-changed'], { stdio: 'inherit' })
  // The real path: on macOS the temporary folder is a link, and programs report real paths.
  const folder = realpathSync(mkdtempSync(join(inMemory() ?? tmpdir(), 'assay-tests-')))
  const before = { TMPDIR: process.env.TMPDIR, PATH: process.env.PATH }
  process.env.TMPDIR = folder
  process.env.PATH = [folderOfPython(), before.PATH].filter(part => part !== null).join(delimiter)
  return () => {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    killProcessesOf(folder)
    rmSync(folder, { recursive: true, force: true })
    removeClocksOfTheDead()
  }
}

/** Where Python itself is: version managers put a shell script before it that takes longer than Python's start. Null: none. */
function folderOfPython(): string | null {
  try {
    const program = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
    return program === '' ? null : dirname(program)
  } catch {
    return null
  }
}

/** Thousands of small journals cost a sixth of all the time on a disk. Only where programs may run and there is room; null: nowhere. */
function inMemory(): string | null {
  const place = '/dev/shm'
  if (process.env.TMPDIR !== undefined || !existsSync(place)) return null
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize > 4 * 2 ** 30 && mayRunPrograms(place) ? place : null
}

function mayRunPrograms(place: string): boolean {
  try {
    const folder = mkdtempSync(join(place, 'assay-tests-'))
    try {
      writeFileSync(join(folder, 'program'), '#!/bin/sh\n', { mode: 0o755 })
      execFileSync(join(folder, 'program'))
      return true
    } finally {
      rmSync(folder, { recursive: true })
    }
  } catch {
    return false
  }
}
