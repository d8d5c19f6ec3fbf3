import { readFileSync } from 'node:fs'
import { hasProc, listProcesses, type ProcessEntry } from '../../process/processes.ts'

import { recur } from '../../util/system-clock.ts'
export interface Usage {
  readonly cpu_s: number
  /** null: the process ended before it could be sampled. */
  readonly max_rss_bytes: number | null
}

/**
 * Measures the CPU time and memory of a process and all in its session through `/proc`: after 50 ms, then less and less
 * often, finally once a second. So a very short run is not measured, and CPU time is a lower bound that may miss the
 * last second; the peak memory of a single process is exact, as the kernel records it.
 */
export function sampleUsage(pid: number): { stop(): Usage | null } {
  if (!hasProc) return { stop: () => null }
  let usage: Usage | null = null
  let interval = firstMs
  const cancel = recur(firstMs, () => {
    usage = highest(usage, usageOf(pid))
    interval = Math.min(interval * 2, slowestMs)
    return Math.max(interval, scanMs * leastIdle)
  })
  return {
    stop() {
      cancel()
      return usage
    },
  }
}

const firstMs = 50
const slowestMs = 1000
// Sampling takes longer the more processes the machine has: it uses at most about 2% of a core.
const leastIdle = 50

/** null: no such process. Measuring is never worth a crash. */
function usageOf(pid: number): Usage | null {
  try {
    return look(pid)
  } catch {
    return null
  }
}

function look(pid: number): Usage | null {
  const members = processesNow().filter(entry => entry.session === pid)
  if (members.length === 0) return null
  const memory = members.flatMap(member => memoryOf(member.pid) ?? [])
  const together = memory.reduce((sum, { now }) => sum + now, 0)
  return {
    cpu_s: members.reduce((sum, member) => sum + (member.cpu_s ?? 0), 0),
    max_rss_bytes: memory.length === 0 ? null : Math.max(together, ...memory.map(({ peak }) => peak)),
  }
}

/** Bytes; the kernel's own high-water mark catches peaks between two looks. null: gone, or ending, when it has none any more. */
function memoryOf(pid: number): { readonly now: number; readonly peak: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1024
    const peak = bytes('VmHWM')
    return peak === 0 ? null : { now: bytes('VmRSS'), peak }
  } catch {
    return null
  }
}

const highest = (a: Usage | null, b: Usage | null): Usage | null =>
  a === null || b === null
    ? (a ?? b)
    : { cpu_s: Math.max(a.cpu_s, b.cpu_s), max_rss_bytes: higher(a.max_rss_bytes, b.max_rss_bytes) }

const higher = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

let seen: readonly ProcessEntry[] = []
let seenAt = Number.NEGATIVE_INFINITY
let scanMs = 0

/** Runs sampled in the same tick share one scan. */
function processesNow(): readonly ProcessEntry[] {
  const before = performance.now()
  if (before - seenAt < 5) return seen
  seen = listProcesses()
  seenAt = performance.now()
  scanMs = seenAt - before
  return seen
}
