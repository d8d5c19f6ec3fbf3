import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { onTestFinished } from 'vitest'

/** A disk of this size at a folder, until the test is over; false where that is not allowed (it takes root). */
export function mountDisk(folder: string, options: string): boolean {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'assay-test', folder], { stdio: 'ignore' })
  } catch {
    return false
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  return true
}
