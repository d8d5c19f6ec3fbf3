import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAlive, thisProcess } from '../process/processes.ts'
import type { Journal } from '../record/journal/journal.ts'
import { type WorkerIdentity, type WorkerRow, workersHere } from '../record/journal/workers.ts'

/** Only for processes that can't be looked at from here (another host or container): how old a sign of life may be. */
const silenceMs = 90_000

export function ownIdentity(): WorkerIdentity {
  const { bootId, pid, startTime } = thisProcess()
  return { host: hostname(), boot_id: bootId, pid_namespace: pidNamespace(), pid, start_time: startTime }
}

/**
 * Whether a worker still lives: boot id, pid and start time tell without a clock, so a sleeping laptop loses nothing.
 * A restarted machine has another boot id; another host or pid namespace can only be judged by its heartbeat.
 */
export function isPresent(worker: WorkerRow, now: number): boolean {
  const here = ownIdentity()
  const sameMachine = worker.host === here.host || worker.boot_id === here.boot_id
  if (sameMachine && worker.boot_id !== here.boot_id) return false
  if (sameMachine && worker.pid_namespace === here.pid_namespace)
    return isAlive({ bootId: worker.boot_id, pid: worker.pid, startTime: worker.start_time })
  return now - worker.heartbeat_at < silenceMs
}

/** Those who joined, have not left, and live. */
export const presentWorkers = (journal: Journal, now: number): readonly WorkerRow[] =>
  workersHere(journal).filter(worker => isPresent(worker, now))

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
