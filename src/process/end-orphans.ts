import { endMembers } from './end-members.ts'
import type { AttemptProcess } from './members.ts'
import { bootedAt } from './process-table.ts'

/** After a crash: ends every process that still belongs to these attempts and waits until it is gone. The result counts them. */
export async function endOrphans(attempts: readonly AttemptProcess[], graceMs: number): Promise<number> {
  // Nothing survives a restart of the machine, and the same pid with the same start time may be another process then.
  const sinceBoot = attempts.filter(attempt => attempt.startedAt >= bootedAt() - clockChangeMs)
  return endMembers(sinceBoot, graceMs)
}

const clockChangeMs = 60_000
