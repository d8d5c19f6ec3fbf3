import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { systemCode } from '../util/errors.ts'
import { hasProc, type ProcessEntry, readEnvironment, readProcess } from './process-table.ts'

/** The environment variable that marks every process of an attempt, even one that left the process group. */
export const tokenVariable = 'ASSAY_ATTEMPT'

/** What the processes of an attempt are recognised by. */
export interface AttemptProcess {
  readonly token: string
  /** The leader of the attempt's process group and session; null when it never got that far. */
  readonly pid: number | null
  readonly startTime: string | null
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

/**
 * The living processes that belong to any of the attempts: members of the group or session, those that carry the token
 * in their environment, and whatever those have started. Never by name, and never this process itself.
 */
export function membersOf(
  processes: readonly ProcessEntry[],
  attempts: readonly AttemptProcess[],
): readonly ProcessEntry[] {
  const leaders = new Map(processes.map(entry => [entry.pid, entry]))
  const groups = new Map(attempts.map(attempt => [attempt.pid, attempt]))
  const marks = new Set(attempts.map(({ token }) => `${tokenVariable}=${token}`))
  const living = processes.filter(entry => !entry.zombie && entry.pid !== process.pid)
  const found = new Set<ProcessEntry>()
  for (const entry of living) if (isInGroup(entry, groups, leaders) || isMarked(entry, marks)) found.add(entry)
  addDescendants(found, living)
  return [...found]
}

function isInGroup(
  entry: ProcessEntry,
  groups: ReadonlyMap<number | null, AttemptProcess>,
  leaders: ReadonlyMap<number, ProcessEntry>,
): boolean {
  const attempt = groups.get(entry.group) ?? groups.get(entry.session)
  if (attempt === undefined || attempt.pid === null) return false
  const leader = leaders.get(attempt.pid)
  if (leader !== undefined && attempt.startTime !== null) return leader.startTime === attempt.startTime
  // The leader is gone. Its number is not given away while the group lives, but perhaps the group is another one by now.
  return entry.startedAt >= attempt.startedAt - clockSlackMs
}

// Start times count from a boot time that is only known to the second.
const clockSlackMs = 2000

const isMarked = (entry: ProcessEntry, marks: ReadonlySet<string>): boolean =>
  readEnvironment(entry.pid)
    .split('\0')
    .some(variable => marks.has(variable))

/** Catches a grandchild that left the group and cleared its environment. */
function addDescendants(found: Set<ProcessEntry>, living: readonly ProcessEntry[]): void {
  const pids = new Set([...found].map(entry => entry.pid))
  for (let before = -1; found.size > before && found.size > 0; ) {
    before = found.size
    for (const entry of living)
      if (pids.has(entry.parent)) {
        found.add(entry)
        pids.add(entry.pid)
      }
  }
}

/** Which process, beyond doubt: pids are used again, and start times are counted from the boot. */
interface ProcessIdentity {
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
function bootId(): string {
  thisBoot ??= hasProc
    ? readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    : execFileSync('sysctl', ['-n', 'kern.boottime'], { encoding: 'utf8' }).trim()
  return thisBoot
}
