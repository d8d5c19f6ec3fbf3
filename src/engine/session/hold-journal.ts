import { linkSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { isAlive, thisProcess } from '../../process/processes.ts'
import { type Holder, heldBy, holderFile, isElsewhere, readHolder } from '../../record/journal/journal.ts'
import { systemCode } from '../../util/errors.ts'
import { networkFileSystem, writeWhole } from '../../util/files.ts'

/** Times in milliseconds; `isShared` says whether other machines may see a folder. */
const usual = { beatMs: 5_000, watchMs: 17_000, isShared: isOnNetwork }

/**
 * On a network file system, one process on one machine works on an experiment. A second process is refused; if the
 * first is on another machine, it is watched for a while before, as it may be dead: clocks of machines are not
 * compared. Returns the function that releases the journal.
 */
export async function holdJournal(journal: string, times: Partial<typeof usual> = {}): Promise<() => void> {
  const { beatMs, watchMs, isShared } = { ...usual, ...times }
  if (!isShared(dirname(journal))) return () => undefined
  const file = holderFile(journal)
  const { pid, startTime, bootId } = thisProcess()
  const own: Holder = { host: hostname(), boot_id: bootId, pid, start_time: startTime, beat: 0 }
  while (!isTaken(file, own)) {
    const other = readHolder(journal)
    if (other !== null && !(await isGone(other, journal, watchMs))) throw heldBy(other, journal)
    // An unreadable file has no owner: it is rewritten.
    rmSync(file, { force: true })
  }
  let { beat } = own
  const isOwn = () => {
    const now = readHolder(journal)
    return now !== null && now.boot_id === own.boot_id && now.pid === own.pid
  }
  const beating = setInterval(() => {
    // If another process took it over, the journal itself tells this process so.
    if (isOwn()) writeWhole(file, JSON.stringify({ ...own, beat: ++beat }))
  }, beatMs).unref()
  return () => {
    clearInterval(beating)
    if (isOwn()) rmSync(file, { force: true })
  }
}

/** Linking either succeeds completely or fails, on network file systems too. */
function isTaken(file: string, own: Holder): boolean {
  const draft = `${file}.${own.pid}`
  writeFileSync(draft, JSON.stringify(own))
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

async function isGone(other: Holder, journal: string, watchMs: number): Promise<boolean> {
  const { boot_id: bootId, pid, start_time: startTime } = other
  if (!isElsewhere(other)) return !isAlive({ bootId, pid, startTime })
  await new Promise(resolve => setTimeout(resolve, watchMs))
  const now = readHolder(journal)
  return now === null || (now.pid === pid && now.boot_id === bootId && now.beat === other.beat)
}

function isOnNetwork(folder: string): boolean {
  try {
    return networkFileSystem(statfsSync(folder).type) !== undefined
  } catch {
    return false
  }
}
