import { readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { endMembers } from './end-members.ts'
import type { AttemptProcess } from './members.ts'
import { bootedAt, listProcesses } from './process-table.ts'

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
  // Nothing survives a restart of the machine, and the same pid with the same start time may be another process then.
  const sinceBoot = attempts.filter(attempt => attempt.startedAt >= bootedAt() - clockChangeMs)
  if (sinceBoot.length === 0) return 0
  let ended = await endMembers(sinceBoot, graceMs)
  const until = performance.now() + longestMs
  do {
    await moment()
    ended += await endMembers(sinceBoot, graceMs)
  } while (isOneStarting() && performance.now() < until)
  return ended
}

const clockChangeMs = 60_000
const momentMs = 100
const longestMs = 2_000

/** Whether there is an orphan that still is what this process is: who starts programs is an assay too. */
function isOneStarting(): boolean {
  const since = Date.now() - longestMs - startSlackMs
  return listProcesses().some(
    ({ pid, parent, zombie, startedAt }) =>
      parent === 1 && pid !== process.pid && !zombie && startedAt > since && programOf(pid) === programOf(process.pid),
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
