import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { systemCode } from '../util/errors.ts'
import { hasProc, readProcess } from './process-table.ts'

/** Which process, beyond doubt: pids are used again, and start times are counted from the boot. */
export interface ProcessIdentity {
  readonly bootId: string
  readonly pid: number
  readonly startTime: string | null
}

export const thisProcess = (): ProcessIdentity => ({
  bootId: bootId(),
  pid: process.pid,
  startTime: startTimeOf(process.pid),
})

/** Whether that very process is still running. A zombie is not: it only waits to be collected. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.bootId !== bootId()) return false
  const found = readProcess(identity.pid)
  if (found === null) return isHidden(identity.pid)
  return !found.zombie && (identity.startTime === null || found.startTime === identity.startTime)
}

/** Whether there is such a process that we may not look at: another user's, where /proc is mounted with `hidepid`. */
function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

/** null: there is no such process. */
export function startTimeOf(pid: number): string | null {
  return readProcess(pid)?.startTime ?? null
}

let thisBoot: string | undefined

/** Changes with every start of the machine. */
export function bootId(): string {
  thisBoot ??= hasProc
    ? readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    : execFileSync('sysctl', ['-n', 'kern.boottime'], { encoding: 'utf8' }).trim()
  return thisBoot
}
