import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AssayError, messageOf } from '../../util/errors.ts'
import { readStartOf } from '../../util/files.ts'
import { shellQuote } from '../../util/words.ts'

export function isDamaged(error: unknown): boolean {
  return /malformed|not a database|no such (table|column)|unsupported file format/.test(messageOf(error))
}

/** The first thing that SQLite finds wrong with the pages of a database; null: nothing. */
export function damageIn(database: DatabaseSync): string | null {
  const [found] = database.prepare('PRAGMA quick_check(1)').all()
  const text = String(Object.values(found ?? {})[0] ?? 'ok')
  return text === 'ok' ? null : text.replace(/^\*\*\* in database main \*\*\*\s*/, '')
}

/** SQLite opens a file that claims a later format as read-only. */
export function headerDamage(file: string): string | null {
  const header = readStartOf(file, 100)?.start
  if (header === undefined || header.length < 100) return null
  const isKnown = [header[18], header[19]].every(version => version === 1 || version === 2)
  return isKnown ? null : 'its header says that it is of an unknown format'
}

/** The same for a file of any size; one that SQLite can't even open is damaged too. */
export function damageOf(file: string): string | null {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    return damageIn(database) ?? headerDamage(file)
  } catch (error) {
    return isDamaged(error) ? messageOf(error) : null
  } finally {
    database?.close()
  }
}

export function damagedFile(file: string, damage: string, cause?: unknown): AssayError {
  return new AssayError('unreadable_journal', `the journal ${file} is damaged: ${damage}`, {
    cause,
    hint: repairHint(dirname(file)),
    facts: { file, damage },
  })
}

export const repairHint = (dir: string): string =>
  `\`assay repair ${shellQuote(dir)}\` saves what can be read of it, takes in the results in runs/, and keeps the damaged file.`

/**
 * Journals that this process opened recently: after an unexpected failure, the first question is whether one of them is
 * damaged.
 */
export const openedLately: string[] = []

export function noteOpened(file: string): void {
  const at = openedLately.indexOf(file)
  if (at !== -1) openedLately.splice(at, 1)
  openedLately.push(file)
  if (openedLately.length > 8) openedLately.shift()
}

/** If the database is gone or empty, SQLite would take its log for a useless one and delete it. */
export function refuseLogAlone(file: string): void {
  if (sizeOf(file) > 0 || sizeOf(`${file}-wal`) === 0) return
  const what = existsSync(file) ? 'is empty' : 'is gone'
  throw new AssayError('unreadable_journal', `the journal ${file} ${what}, and its log ${file}-wal is still there`, {
    hint: repairHint(dirname(file)),
    facts: { file, damage: what },
  })
}

export const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

export function identityOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}
