import { readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Outcome, unkillableClass } from '../define/outcome.ts'
import { systemCode } from '../util/errors.ts'
import {
  type AttemptProcess,
  ageOf,
  isNotOlder,
  listProcesses,
  membersOf,
  type ProcessEntry,
  readEnvironment,
  readProcess,
  tokenVariable,
} from './processes.ts'
import { areOthersUnderWay, childStrays, strays } from './strays.ts'

/** A process that could not be ended: another user's, or stuck in the kernel. */
export interface Survivor {
  readonly pid: number
  readonly command: string
  /** As `ps` has it: D waits for a device or a file system, T is stopped. */
  readonly state: string
}

/**
 * Ends everything that the attempt started, including grandchildren that left the group, and waits until it is gone.
 * Processes that can't be ended are abandoned a while after SIGKILL, and returned. `isSpared`: a process that has the
 * attempt's token and is ours.
 */
export async function endGroup(
  attempt: AttemptProcess,
  graceMs: number,
  isSpared: (pid: number) => boolean = () => false,
): Promise<readonly Survivor[]> {
  const { survivors } = await endMembers([attempt], graceMs, attempt, isSpared)
  return survivors
}

/** For an attempt that could not be ended: its slot is given up, and the user must deal with its remaining processes. */
export const unkillable = (survivors: readonly Survivor[]): Outcome => ({
  kind: 'infra_error',
  error_class: unkillableClass,
  message: `it could not be ended, not even by SIGKILL: ${survivorText(survivors)}. \`assay doctor\` lists such processes`,
})

/** In words. */
export const survivorText = (survivors: readonly Survivor[]): string =>
  survivors
    .map(({ pid, command, state }) => `process ${pid} (${command}), ${stateWords[state] ?? `in state ${state}`}`)
    .join('; ')

const stateWords: { readonly [state: string]: string } = {
  D: 'which waits for a device or a file system',
  T: 'which is stopped',
  S: 'which sleeps',
  R: 'which runs',
}

interface Ending {
  /** How many processes were ended. */
  readonly ended: number
  readonly survivors: readonly Survivor[]
}

/**
 * SIGTERM, after the grace SIGKILL, and back only when every process of the attempts is gone. A program that forks and
 * ends, again and again, is never where the last listing saw it: so whole groups are killed at once, and only several
 * looks in a row that find nothing count. `own`: the one that was started by this process, which its strays have come to.
 */
async function endMembers(
  attempts: readonly AttemptProcess[],
  graceMs: number,
  own: AttemptProcess | null = null,
  isSpared: (pid: number) => boolean = () => false,
): Promise<Ending> {
  if (attempts.length === 0) return { ended: 0, survivors: [] }
  const signalled = new Set<string>()
  const killAt = performance.now() + graceMs
  let pause = 10
  let emptyLooks = 0
  for (let isKilling = false; ; ) {
    const seen = look(attempts, own, isSpared)
    const now = performance.now()
    emptyLooks = seen?.members.length === 0 && straysNow(own, isSpared).length === 0 ? emptyLooks + 1 : 0
    if (emptyLooks >= looksFor(own)) return { ended: signalled.size, survivors: [] }
    if (now > killAt + giveUpMs) return { ended: signalled.size, survivors: (seen?.members ?? []).map(survivorOf) }
    if (!isKilling && now >= killAt) {
      isKilling = true
      pause = 1
    }
    for (const member of seen?.members ?? []) signalProcess(member, isKilling, signalled)
    if (isKilling) for (const group of seen?.groups ?? []) send(-group, 'SIGKILL')
    if (isKilling) hunt(own, isSpared)
    await sleep(emptyLooks > 0 ? recheckMs : Math.max(1, isKilling ? pause : Math.min(pause, killAt - now)))
    pause = Math.min(pause * 1.5, 100)
  }
}

/** The kernel acts on SIGKILL at once, if it can. */
const giveUpMs = 10_000
const recheckMs = 5

/** A listing may miss a program that keeps forking. Only for a program that was started here are all children known. */
const looksFor = (own: AttemptProcess | null): number => (own === null || own.pid === null ? 5 : 2)

interface Seen {
  readonly members: readonly ProcessEntry[]
  /** Groups in which every process is a member. */
  readonly groups: readonly number[]
}

/** null: it can't be seen now, as when too many files are open. Then no process may be taken for gone. */
function look(
  attempts: readonly AttemptProcess[],
  own: AttemptProcess | null,
  isSpared: (pid: number) => boolean,
): Seen | null {
  try {
    const processes = listProcesses()
    const more = own === null ? [] : straysOf(own, strays(processes))
    const members = membersOf(processes, attempts, more).filter(({ pid }) => !isSpared(pid))
    const pids = new Set(members.map(({ pid }) => pid))
    const mixed = new Set(processes.filter(({ pid, zombie }) => !zombie && !pids.has(pid)).map(({ group }) => group))
    const groups = new Set(members.map(({ group }) => group).filter(group => group > 1 && !mixed.has(group)))
    return { members, groups: [...groups] }
  } catch {
    return null
  }
}

/** A listing takes a while, during which a process may have forked to another number; children are listed at once. */
const straysNow = (own: AttemptProcess | null, isSpared: (pid: number) => boolean): readonly ProcessEntry[] =>
  own === null ? [] : straysOf(own, childStrays()).filter(({ pid }) => !isSpared(pid))

/**
 * A program that makes a new session with every fork lives for less than a listing takes, so only children are searched
 * for it.
 */
function hunt(own: AttemptProcess | null, isSpared: (pid: number) => boolean): void {
  for (let round = 0; round < huntRounds; round++) {
    const found = straysNow(own, isSpared)
    if (found.length === 0) return
    for (const { pid } of found) send(pid, 'SIGKILL')
  }
}

const huntRounds = 50

/**
 * When strays were first seen that may belong to another attempt: they are ended when no other attempt is left that
 * they could belong to.
 */
let unclearSince: AttemptProcess | null = null

/**
 * Strays of this attempt: younger than it, and either marked as its own or, while no other is running, without any
 * owner.
 */
function straysOf(attempt: AttemptProcess, found: readonly ProcessEntry[]): readonly ProcessEntry[] {
  if (found.length === 0) return []
  // Without a leader, or with one that ended at once, it is unknown which of them are younger.
  if (attempt.pid === null || attempt.startTime === null)
    return found.filter(({ pid }) => isMarkedWith(pid, attempt.token))
  const younger = found.filter(entry => isNotOlder(entry, attempt))
  if (younger.length === 0 || !areOthersUnderWay(attempt.pid)) return younger
  const marked = younger.filter(({ pid }) => isMarkedWith(pid, attempt.token))
  if (marked.length < younger.length) unclearSince ??= attempt
  return marked
}

const isMarkedWith = (pid: number, token: string): boolean =>
  readEnvironment(pid).split('\0').includes(`${tokenVariable}=${token}`)

/** Nothing is running any more: ends strays of earlier attempts whose owner was unclear. */
export async function endUnclearStrays(): Promise<void> {
  if (unclearSince === null) return
  const { startTime } = unclearSince
  unclearSince = null
  const until = performance.now() + giveUpMs
  for (let emptyLooks = 0; emptyLooks < 2 && performance.now() < until; await sleep(recheckMs)) {
    const found = strays(listProcesses()).filter(entry => isNotOlder(entry, { startTime }))
    emptyLooks = found.length === 0 ? emptyLooks + 1 : 0
    for (const { pid } of found) send(pid, 'SIGKILL')
  }
}

/** Ends exactly this process and nothing it has started, if possible. */
export async function endProcess({
  pid,
  startTime,
}: Pick<ProcessEntry, 'pid'> & { startTime: string | null }): Promise<void> {
  const until = performance.now() + giveUpMs
  const isThere = (): boolean => {
    const found = readProcess(pid)
    return found !== null && !found.zombie && (startTime === null || found.startTime === startTime)
  }
  for (; isThere() && performance.now() < until; await sleep(10)) send(pid, 'SIGKILL')
}

/** Abandoned processes of runs: those that survived SIGKILL, and those whose assay is gone. */
export function leftBehind(): readonly Survivor[] {
  const isMarked = (pid: number): boolean => readEnvironment(pid).includes(`${tokenVariable}=`)
  return listProcesses()
    .filter(({ pid, parent, zombie }) => !zombie && (parent === 1 || isKillPending(pid)) && isMarked(pid))
    .map(survivorOf)
}

/** By the masks of pending signals in its status: SIGKILL is the ninth. */
const isKillPending = (pid: number): boolean =>
  [...read(pid, 'status').matchAll(/^(?:SigPnd|ShdPnd):\s+([0-9a-f]+)$/gm)].some(
    ([, mask]) => (Number.parseInt((mask ?? '').slice(-3), 16) & 0x100) !== 0,
  )

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

function survivorOf({ pid }: ProcessEntry): Survivor {
  const stat = read(pid, 'stat')
  const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim() || read(pid, 'comm').trim()
  return { pid, command: command.slice(0, 200), state: stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '?' }
}

/** SIGTERM once to each, as programs count them; SIGKILL as often as needed. */
function signalProcess(member: ProcessEntry, kill: boolean, signalled: Set<string>): void {
  const identity = `${member.pid} ${member.startTime}`
  const first = !signalled.has(identity)
  signalled.add(identity)
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
 * After a crash: ends every process that still belongs to these attempts, waits until it is gone, and returns their
 * number. A process that is just being started has neither its program nor its token yet, only those of its parent: so
 * there is a second check after a moment, and more as long as such a process exists.
 */
export async function endOrphans(
  attempts: readonly AttemptProcess[],
  graceMs: number,
  moment: () => Promise<unknown> = () => sleep(momentMs),
): Promise<number> {
  if (attempts.length === 0) return 0
  let { ended } = await endMembers(attempts, graceMs)
  const until = performance.now() + longestMs
  do {
    await moment()
    ended += (await endMembers(attempts, graceMs)).ended
  } while (isOneStarting() && performance.now() < until)
  return ended
}

const momentMs = 100
const longestMs = 2_000

/** Whether an orphan still looks like this process: the process that starts programs is an assay too. */
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
 * Whether a program that ended has left processes in sessions of their own. They are children of this process by now,
 * which almost always has no children but those that it started: so only these are checked.
 */
export const hasDaemons = (attempt: AttemptProcess): boolean => straysOf(attempt, childStrays()).length > 0

/**
 * Whether a group still has processes after its leader ended: one system call, as almost always there are none. A
 * daemon in its own session is not seen here.
 */
export function hasLeftovers(pid: number): boolean {
  try {
    process.kill(-pid, 0)
    return true
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}
