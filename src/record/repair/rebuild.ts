import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { AssayError } from '../../util/errors.ts'
import { damagedFile, damageOf, openedLately, sizeOf } from '../journal/damage.ts'
import { definitionOf, ownDefinitionOf, readExperiment } from '../journal/experiment-row.ts'
import { Journal } from '../journal/journal.ts'
import { journalFile } from '../places.ts'
import { type Merged, mergeFrom, nothingMerged, recountMoney, spentIn } from './merge.ts'
import { transplantSchema } from './transplant.ts'

export { repairHint } from '../journal/damage.ts'

export interface Rebuilt extends Merged {
  /** Where the damaged file is kept; null: there was none. */
  readonly kept: string | null
  /** Money that was spent but that no attempt accounts for. */
  readonly unassignedUsd: number
}

/**
 * Makes a new journal from the readable parts of the damaged one, its log, and journals kept earlier. The damaged file
 * stays, under another name. Until the last step everything is unchanged: a repair that was killed is started again and
 * finds the same things.
 */
export function rebuildJournal(dir: string, enroll: (journal: Journal) => number): Rebuilt {
  const file = journalFile(dir)
  const workshop = join(dir, '.repair')
  rmSync(workshop, { recursive: true, force: true })
  mkdirSync(workshop)
  try {
    const draft = join(workshop, 'journal.db')
    const journal = Journal.open(draft)
    let merged: Merged
    let unassignedUsd: number
    try {
      const workerId = enroll(journal)
      const sources = [...copiesOf(file, workshop), ...keptJournals(dir).map(kept => inWorkshop(kept, workshop))]
      merged = mergeAll(journal, sources, workerId)
      unassignedUsd = recountMoney(journal, Math.max(0, ...sources.map(spentIn)))
    } finally {
      journal.close()
    }
    flush(draft)
    const kept = moveAside(file, dir)
    // A log belongs to the file it was written for: the new file must not find it.
    for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    renameSync(draft, file)
    flush(dir)
    return { ...merged, kept, unassignedUsd }
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}

/** What is wrong with a journal: of its file, or of the experiment in it; null: nothing. */
export function damageOfJournal(file: string): string | null {
  if (!existsSync(file)) return 'it is gone'
  if (sizeOf(file) === 0) return 'it is empty'
  const damage = damageOf(file)
  if (damage !== null) return damage
  let journal: Journal | undefined
  try {
    journal = Journal.open(file)
    const row = readExperiment(journal)
    if (row !== undefined) for (const read of [definitionOf, ownDefinitionOf]) read(journal, row)
    return null
  } catch (error) {
    const isDamage = error instanceof AssayError && error.code === 'unreadable_journal' && error.facts.foreign !== true
    if (!isDamage) throw error
    return error.message
  } finally {
    journal?.close()
  }
}

/** The error that explains an unexpected one, if a journal that was just in use is damaged. */
export function damageBehind(error: unknown): AssayError | null {
  for (const file of openedLately.toReversed()) {
    const damage = existsSync(file) ? damageOf(file) : null
    if (damage !== null) return damagedFile(file, damage, error)
  }
  return null
}

/** Saves the journal of a process whose file was removed, for {@link mergeSaved}; gives where. */
export function saveRemoved(journal: Journal, dir: string): string {
  const saved = join(dir, `journal.saved-${process.pid}.db`)
  journal.saveCopy(saved)
  return saved
}

/** Adds to a sound journal what was saved by processes whose own file had been removed. */
export function mergeSaved(journal: Journal, dir: string, worker: () => number): Merged {
  const saved = keptJournals(dir).filter(file => basename(file).startsWith('journal.saved-'))
  if (saved.length === 0) return nothingMerged
  const workshop = join(dir, '.repair')
  rmSync(workshop, { recursive: true, force: true })
  mkdirSync(workshop)
  try {
    const sources = saved.map(file => inWorkshop(file, workshop))
    const merged = mergeAll(journal, sources, worker())
    recountMoney(journal, 0)
    return merged
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}

function mergeAll(journal: Journal, sources: readonly string[], workerId: number): Merged {
  return sources.reduce((sum, source) => {
    const { runs, attempts, hasDefinition } = mergeFrom(journal, source, workerId)
    return {
      runs: sum.runs + runs,
      attempts: sum.attempts + attempts,
      hasDefinition: sum.hasDefinition || hasDefinition,
    }
  }, nothingMerged)
}

/** Journals of this directory that are not in use: kept by earlier repairs, or saved by a process whose file was removed. */
const keptJournals = (dir: string): readonly string[] =>
  readdirSync(dir)
    .filter(name => /^journal\.(damaged|saved)-\d+\.db$/.test(name))
    .toSorted()
    .map(name => join(dir, name))

/** Opening a database changes it: so only copies are opened. */
function inWorkshop(file: string, workshop: string, name = `source-${readdirSync(workshop).length}.db`): string {
  const copy = join(workshop, name)
  copyFileSync(file, copy)
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`)
  return copy
}

/** Ways to read a damaged journal, best first: as it is, without its log, and with a new schema. */
function copiesOf(file: string, workshop: string): readonly string[] {
  const fresh = join(workshop, 'fresh.db')
  Journal.open(fresh).close()
  const log = `${file}-wal`
  if (sizeOf(file) === 0) {
    if (!existsSync(log)) return []
    // Pages in the log of a lost file belong at the same places in a new one.
    const alone = join(workshop, 'log-alone.db')
    copyFileSync(fresh, alone)
    copyFileSync(log, `${alone}-wal`)
    return [alone]
  }
  const copies = [inWorkshop(file, workshop, 'whole.db')]
  if (existsSync(log)) {
    copyFileSync(file, join(workshop, 'without-log.db'))
    copies.push(join(workshop, 'without-log.db'))
  }
  for (const copy of [...copies]) {
    const again = copy.replace('.db', '-new-schema.db')
    copyFileSync(copy, again)
    if (!transplantSchema(fresh, again)) continue
    if (existsSync(`${copy}-wal`)) copyFileSync(`${copy}-wal`, `${again}-wal`)
    copies.push(again)
  }
  return copies
}

/** A copy under the first free name, or the copy made by a repair that was killed afterwards. */
function moveAside(file: string, dir: string): string | null {
  const parts = ['-wal', ''].filter(suffix => sizeOf(`${file}${suffix}`) > 0)
  if (parts.length === 0) return null
  for (let number = 1; ; number++) {
    const kept = join(dir, `journal.damaged-${number}.db`)
    if (parts.every(suffix => isSame(`${file}${suffix}`, `${kept}${suffix}`))) return kept
    if (['-wal', ''].some(suffix => existsSync(`${kept}${suffix}`))) continue
    for (const suffix of parts) {
      copyFileSync(`${file}${suffix}`, `${kept}${suffix}`)
      flush(`${kept}${suffix}`)
    }
    return kept
  }
}

const isSame = (one: string, other: string): boolean =>
  existsSync(other) && sizeOf(one) === sizeOf(other) && readFileSync(one).equals(readFileSync(other))

function flush(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
