import { systemCode } from '../util/errors.ts'

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
