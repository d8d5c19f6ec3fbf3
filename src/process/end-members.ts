import { setTimeout as sleep } from 'node:timers/promises'
import { systemCode } from '../util/errors.ts'
import { type AttemptProcess, membersOf } from './members.ts'
import { listProcesses, type ProcessEntry } from './process-table.ts'

/**
 * SIGTERM, after the grace SIGKILL, and back only when every process of the attempts is gone.
 * The result counts the processes that were ended. Ones that can't be ended (another user's, or stuck in the kernel)
 * are waited for no longer than {@link stuckMs}.
 */
export async function endMembers(attempts: readonly AttemptProcess[], graceMs: number): Promise<number> {
  if (attempts.length === 0) return 0
  const told = new Set<string>()
  const killAt = performance.now() + graceMs
  let pause = 10
  for (;;) {
    const members = look(attempts)
    const now = performance.now()
    if (members?.length === 0 || now > killAt + stuckMs) return told.size
    for (const member of members ?? []) tell(member, now >= killAt, told)
    await sleep(Math.max(1, now < killAt ? Math.min(pause, killAt - now) : pause))
    pause = Math.min(pause * 1.5, 100)
  }
}

const stuckMs = 30_000

/** null: it can't be seen now, as when too many files are open. Then nobody may be taken for gone. */
function look(attempts: readonly AttemptProcess[]): readonly ProcessEntry[] | null {
  try {
    return membersOf(listProcesses(), attempts)
  } catch {
    return null
  }
}

/** SIGTERM once to each, as programs count them; SIGKILL as often as needed. */
function tell(member: ProcessEntry, kill: boolean, told: Set<string>): void {
  const identity = `${member.pid} ${member.startTime}`
  const first = !told.has(identity)
  told.add(identity)
  if (kill) send(member.pid, 'SIGKILL')
  else if (first) send(member.pid, 'SIGTERM')
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const code = systemCode(error)
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
