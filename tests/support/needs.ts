import { existsSync } from 'node:fs'
import { TestRunner } from 'vitest'
import { hasProc } from '../../src/process/processes.ts'

/** Skips the test that calls it, with the reason, where the machine lacks something. */
export function needs(isThere: boolean, reason: string): void {
  if (!isThere) TestRunner.getCurrentTest()?.context.skip(reason)
}

/** For tests that look at the processes of the machine: macOS has no /proc, and `ps` shows no environments. */
export const needsProc = (): void => needs(hasProc, 'there is no /proc here')

/** For tests that write to a full disk: macOS has no /dev/full. */
export const needsFullDevice = (): void => needs(existsSync('/dev/full'), 'there is no /dev/full here')

/** For tests on a terminal: `script` of macOS has other options. */
export const needsScript = (): void =>
  needs(process.platform === 'linux' && existsSync('/usr/bin/script'), 'script(1) of util-linux is not installed')
