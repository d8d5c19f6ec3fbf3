import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SmallMap } from '../util/collections.ts'
import { type ProcessEntry, readProcess } from './processes.ts'

// A process whose parent ends goes to the nearest ancestor that has declared itself a subreaper. So everything that a
// run starts stays a descendant of this process, even if it forks twice, makes its own session and clears its
// environment, by which it is otherwise identified.

/** The needed functions of the C library. */
interface SystemCalls {
  control(option: number, a: number, b: number, c: number, d: number): number
  peekChild(kind: number, id: number, information: Buffer, options: number): number
  waitForOne(pid: number, status: Int32Array, options: number, usage: BigInt64Array): number
}

let isSubreaper = false

/** From now on orphans among the descendants of this process become its children. */
export function becomeSubreaper(libc: SystemCalls): void {
  if (isSubreaper) return
  isSubreaper = libc.control(setChildSubreaper, 1, 0, 0, 0) === 0
  if (isSubreaper)
    subscribe('child_process', message => {
      const { process: child } = message as { readonly process: ChildProcess }
      nodesOwn.push(child)
      child.once('close', () => void nodesOwn.splice(nodesOwn.indexOf(child), 1))
    })
}

const setChildSubreaper = 36

/** Children that Node started; their numbers are known a moment later. */
const nodesOwn: ChildProcess[] = []

/** Leaders of groups that were started here and have not ended. */
const leaders = new SmallMap<number, true>()

export const leaderBegins = (pid: number): void => leaders.set(pid, true)
export const leaderEnds = (pid: number): void => void leaders.delete(pid)

/** Whether this process started it itself. */
const isOwn = (pid: number): boolean => leaders.get(pid) === true || nodesOwn.some(child => child.pid === pid)

let ownSession: number | undefined

/**
 * Living processes that became children of this one because their parents ended, and that are in no session of ours.
 */
export function strays(processes: readonly ProcessEntry[]): readonly ProcessEntry[] {
  if (!isSubreaper) return []
  ownSession ??= readProcess(process.pid)?.session
  return processes.filter(
    entry => entry.parent === process.pid && !entry.zombie && entry.session !== ownSession && !isOwn(entry.pid),
  )
}

/** The same by the kernel's list of this process's children, which takes no time. */
export function childStrays(): readonly ProcessEntry[] {
  if (!isSubreaper) return []
  try {
    const pids = childrenOfThread(process.pid, process.pid)
    const entries = pids.filter(pid => !isOwn(pid)).flatMap(pid => readProcess(pid) ?? [])
    return strays(entries)
  } catch {
    return []
  }
}

/**
 * Every process that this one has started, and all their descendants: none can get away, as orphans come here. Much
 * less to read than all processes of the machine; null if unknown, and then all of them must be read.
 */
export function descendants(): readonly ProcessEntry[] | null {
  if (!isSubreaper || !listsChildren) return null
  const found: ProcessEntry[] = []
  const waiting = [process.pid]
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop())
    for (const child of childrenOf(pid)) {
      waiting.push(child)
      const entry = readProcess(child)
      if (entry !== null) found.push(entry)
    }
  return found
}

/** A kernel may be built without these lists. */
const listsChildren = existsSync(`/proc/self/task/${process.pid}/children`)

/**
 * Empty for a process that has ended meanwhile: its children are children of this process then, and found by the next
 * check.
 */
function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap(thread => childrenOfThread(pid, Number(thread)))
  } catch {
    return []
  }
}

const childrenOfThread = (pid: number, thread: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')
    .split(' ')
    .filter(child => child !== '')
    .map(Number)

/** Whether a group other than this one was started here and still has its leader: a stray may be one of its. */
export const areOthersUnderWay = (except: number): boolean => leaders.entries().some(([pid]) => pid !== except)

/** Collects dead strays within two seconds: no other process does, and each occupies a process id. */
export function collectStrays(libc: SystemCalls): void {
  if (!isSubreaper || isCollecting) return
  isCollecting = true
  setTimeout(() => {
    isCollecting = false
    const areMoreDead = listsChildren ? collectListed(libc) : collectSeen(libc)
    if (areMoreDead) collectStrays(libc)
  }, collectEveryMs).unref()
}

let isCollecting = false

// Only those that were already dead a second ago: a child of another thread, of a library or of a second copy of assay
// in this process is collected sooner by its own parent, which otherwise would not learn of its end.
let seenDead: ReadonlySet<number> = new Set()

/** Strays come to the main thread. Returns whether some must be checked again. */
function collectListed(libc: SystemCalls): boolean {
  const children = childrenOfThread(process.pid, process.pid).filter(pid => !isOwn(pid))
  const dead = new Set(children.filter(pid => readProcess(pid)?.zombie === true))
  for (const pid of dead)
    if (seenDead.has(pid)) {
      libc.waitForOne(pid, status, dontBlock, usage)
      dead.delete(pid)
    }
  seenDead = dead
  return dead.size > 0
}

/** One at a time, where the kernel lists no children. */
function collectSeen(libc: SystemCalls): boolean {
  information.fill(0)
  if (libc.peekChild(anyChild, 0, information, peekOptions) !== 0) return false
  const pid = information.readInt32LE(pidOffset)
  if (pid === 0 || isOwn(pid)) return false
  if (seenDead.has(pid)) libc.waitForOne(pid, status, dontBlock, usage)
  seenDead = new Set([pid])
  return true
}

const collectEveryMs = 1_000
const anyChild = 0
// WNOHANG.
const dontBlock = 1
// WNOHANG, WEXITED, WNOWAIT.
const peekOptions = 1 | 4 | 0x01000000
// The position of si_pid in a siginfo_t.
const pidOffset = 16
const information = Buffer.alloc(256)
const status = new Int32Array(1)
const usage = new BigInt64Array(32)
