import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { systemCode } from '../util/errors.ts'

/** The environment variable that marks every process of an attempt, even one that left the process group. */
export const tokenVariable = 'ASSAY_ATTEMPT'

/** What identifies the processes of an attempt. */
export interface AttemptProcess {
  readonly token: string
  /** The leader of the attempt's process group and session; null if it never got that far. */
  readonly pid: number | null
  readonly startTime: string | null
}

/**
 * The living processes that belong to any of the attempts: members of the group or session, those that carry the token
 * in their environment, those that `more` knows, and all of their descendants. Never by name, and never this process
 * itself.
 */
export function membersOf(
  processes: readonly ProcessEntry[],
  attempts: readonly AttemptProcess[],
  more: readonly ProcessEntry[] = [],
): readonly ProcessEntry[] {
  const leaders = new Map(processes.map(entry => [entry.pid, entry]))
  const groups = new Map(attempts.map(attempt => [attempt.pid, attempt]))
  const marks = new Set(attempts.map(({ token }) => `${tokenVariable}=${token}`))
  const living = processes.filter(entry => !entry.zombie && entry.pid !== process.pid)
  const found = new Set<ProcessEntry>(more)
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
  return isNotOlder(entry, attempt)
}

export const isNotOlder = (entry: ProcessEntry, { startTime }: Pick<AttemptProcess, 'startTime'>): boolean =>
  startTime === null || startOf(entry.startTime) >= startOf(startTime)

/** For comparison: ticks since the machine was started; milliseconds since 1970 if only `ps` is available. */
const startOf = (startTime: string): number => (hasProc ? Number(startTime) : Date.parse(startTime))

/** Milliseconds since a process was started, to about a second. */
export const ageOf = ({ startTime }: ProcessEntry): number =>
  hasProc ? uptime() * 1000 - (startOf(startTime) / ticksPerSecond) * 1000 : Date.now() - startOf(startTime)

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

/** Whether such a process exists but is hidden from us: another user's, if /proc is mounted with `hidepid`. */
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

/** A process as the operating system lists it. */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** A zombie has ended: it only waits to be collected by its parent. */
  readonly zombie: boolean
  /** By a signal or a debugger: stopped on purpose. */
  readonly stopped: boolean
  /** Together with pid and boot: which process this is, as pids are used again. */
  readonly startTime: string
  /** CPU seconds of the process and of children that it waited for; null if unknown. */
  readonly cpu_s: number | null
}

export const hasProc = existsSync('/proc/self/stat')

/** Every process there is. Linux reads `/proc`; elsewhere `ps` is asked. */
export function listProcesses(): readonly ProcessEntry[] {
  if (!hasProc) return listByPs(['-A'])
  return readdirSync('/proc')
    .filter(name => name.charCodeAt(0) <= 57)
    .map(name => readProcess(Number(name)))
    .filter(entry => entry !== null)
}

/** null: there is no such process. */
export function readProcess(pid: number): ProcessEntry | null {
  if (!hasProc) return listByPs(['-p', String(pid)])[0] ?? null
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch (error) {
    return whenHidden(error, null)
  }
}

/** The environment a process was started with; empty if it can't be read. */
export function readEnvironment(pid: number): string {
  if (!hasProc) return ''
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch (error) {
    return whenHidden(error, '')
  }
}

/** The process is gone, or another user's. Anything else, such as too many open files, must not pass for that. */
function whenHidden<T>(error: unknown, answer: T): T {
  if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return answer
  throw error
}

// The kernel's USER_HZ, 100 on every Linux that Node runs on.
const ticksPerSecond = 100

/** One line of `/proc/<pid>/stat`. The program's name is in brackets and may itself contain brackets and spaces. */
export function parseStat(line: string): ProcessEntry {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  const startTime = fields[19] ?? ''
  const state = fields[0] ?? ''
  return {
    pid: Number.parseInt(line, 10),
    parent: field(4),
    group: field(5),
    session: field(6),
    zombie: state === 'Z' || state === 'X',
    stopped: state === 'T' || state === 't',
    startTime,
    cpu_s: (field(14) + field(15) + field(16) + field(17)) / ticksPerSecond,
  }
}

function listByPs(selection: readonly string[]): readonly ProcessEntry[] {
  try {
    const columns = 'pid=,ppid=,pgid=,stat=,lstart='
    const text = execFileSync('ps', [...selection, '-o', columns], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return text.split('\n').flatMap(parsePsLine)
  } catch {
    return []
  }
}

/** `  501   1   501 Ss   Sun Nov 15 21:07:22 2026` */
export function parsePsLine(line: string): readonly ProcessEntry[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*\S)\s*$/.exec(line)
  if (match === null) return []
  const [, pid, parent, group, state = '', startTime = ''] = match
  return [
    {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      // macOS doesn't report the session; a leader's group is the closest substitute.
      session: Number(group),
      zombie: state.startsWith('Z'),
      stopped: state.startsWith('T'),
      startTime,
      cpu_s: null,
    },
  ]
}

let thisBoot: string | undefined

/** Changes with every start of the machine: pids, start times and elapsed milliseconds mean nothing beyond it. */
export function bootId(): string {
  thisBoot ??= readBootId()
  return thisBoot
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    // Not kern.boottime, which moves whenever the clock is set.
    return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim()
  }
}
