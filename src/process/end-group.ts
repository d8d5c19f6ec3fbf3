import { systemCode } from '../util/errors.ts'
import { endMembers } from './end-members.ts'
import type { AttemptProcess } from './members.ts'

/** Ends everything that the attempt started, grandchildren that left the group included, and waits until it is gone. */
export async function endGroup(attempt: AttemptProcess, graceMs: number): Promise<void> {
  await endMembers([attempt], graceMs)
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
