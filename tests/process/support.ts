import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { endGroup } from '../../src/process/end.ts'
import { startTimeOf } from '../../src/process/processes.ts'
import { spawnGroup } from '../../src/process/spawn/spawn-group.ts'

export const program = (name: string): string => join(import.meta.dirname, '../fixtures/programs', name)

export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'assay-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A fixture program as an attempt's group; its remaining processes are ended with the test. */
export function startProgram(name: string, args: readonly string[] = []) {
  const dir = temporaryDirectory()
  // Test files run in threads of one process, so its pid would not distinguish them.
  const token = randomUUID()
  const stdoutFile = join(dir, 'stdout.txt')
  const spawned = spawnGroup({
    argv: [program(name), ...args],
    cwd: dir,
    env: { ...process.env, ASSAY_ATTEMPT: token },
    stdoutFile,
    stderrFile: join(dir, 'stderr.txt'),
  })
  const pid = spawned.pid ?? -1
  const attempt = { token, pid, startTime: startTimeOf(pid) }
  onTestFinished(async () => void (await endGroup(attempt, 0)))
  return { attempt, pid, exit: spawned.exit, stdoutFile }
}

/** Back when the file holds the text; the content so far. */
export async function fileWith(file: string, text: string): Promise<string> {
  const content = () => (existsSync(file) ? readFileSync(file, 'latin1') : '')
  await expect.poll(content).toContain(text)
  return content()
}
