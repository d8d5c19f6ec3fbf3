import { readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemCode } from '../util/errors.ts'
import { type AttemptProcess, ageOf, listProcesses, membersOf, type ProcessEntry } from './processes.ts'

/** Ends everything that the attempt started, grandchildren that left the group included, and waits until it is gone. */
export async function endGroup(attempt: AttemptProcess, graceMs: number): Promise<void> {
  await endMembers([attempt], graceMs)
}

/**
 * SIGTERM, after the grace SIGKILL, and back only when every process of the attempts is gone.
 * The result counts the processes that were ended. Ones that can't be ended (another user's, or stuck in the kernel)
 * are waited for no longer than {@link stuckMs}.
 */
async function endMembers(attempts: readonly AttemptProcess[], graceMs: number): Promise<number> {
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

/**
 * After a crash: ends every process that still belongs to these attempts and waits until it is gone. The result counts
 * them. One that was just being started has neither its program nor its token yet, only those of who started it: so
 * after a moment there is a second look, and more as long as such a process is there.
 */
export async function endOrphans(
  attempts: readonly AttemptProcess[],
  graceMs: number,
  moment: () => Promise<unknown> = () => sleep(momentMs),
): Promise<number> {
  if (attempts.length === 0) return 0
  let ended = await endMembers(attempts, graceMs)
  const until = performance.now() + longestMs
  do {
    await moment()
    ended += await endMembers(attempts, graceMs)
  } while (isOneStarting() && performance.now() < until)
  return ended
}

const momentMs = 100
const longestMs = 2_000

/** Whether there is an orphan that still is what this process is: who starts programs is an assay too. */
function isOneStarting(): boolean {
  return listProcesses().some(
    entry =>
      entry.parent === 1 &&
      entry.pid !== process.pid &&
      !entry.zombie &&
      ageOf(entry) < longestMs + startSlackMs &&
      programOf(entry.pid) === programOf(process.pid),
  )
}

// Start times are only known to about a second.
const startSlackMs = 2_000

function programOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`)
  } catch {
    return null
  }
}

/**
 * Whether a group still has processes after its leader ended: one system call, as almost always there are none.
 * A daemon that made its own session is not seen here; only its token could find it, and looking takes too long to be
 * done after every run.
 */
export function hasLeftovers(pid: number): boolean {
  try {
    process.kill(-pid, 0)
    return true
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}
