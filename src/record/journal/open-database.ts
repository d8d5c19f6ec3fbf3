import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { AssayError, messageOf, systemCode } from '../../util/errors.ts'
import { damagedFile, isDamaged } from './damage.ts'

/** How long a statement waits for another process's transaction; transactions here take well under a millisecond. */
export const patienceMs = 5_000

export function openDatabase(file: string, options: { readonly readOnly?: boolean } = {}): DatabaseSync {
  try {
    return new DatabaseSync(placeOf(file), { ...options, timeout: patienceMs })
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** Without its write-ahead log, a read-only journal must be opened as immutable, or SQLite would make a log. */
function placeOf(file: string): string | URL {
  if (!existsSync(file) || mayWrite(file) || existsSync(`${file}-wal`)) return file
  const url = pathToFileURL(file)
  url.search = 'immutable=1'
  return url
}

export function mayWrite(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    accessSync(dirname(file), constants.W_OK)
    return true
  } catch {
    return false
  }
}

export function unreadable(file: string, error: unknown): AssayError {
  if (isFull(error)) return diskFull(file, error)
  if (isLocked(error)) return locked(file, error)
  if (isDamaged(error)) return damagedFile(file, messageOf(error), error)
  return new AssayError('unreadable_journal', `can't open the journal ${file}: ${messageOf(error)}`, {
    cause: error,
    hint: 'Is the directory readable and writable, and is journal.db a file that assay made?',
  })
}

export function isFull(error: unknown): boolean {
  return systemCode(error) === 'ENOSPC' || /database or disk is full|disk I\/O error/.test(messageOf(error))
}

export function isLocked(error: unknown): boolean {
  return /database (table )?is locked/.test(messageOf(error))
}

/** Whether another program has the journal locked: the operation was not done and can be retried. */
export const isBusy = (error: unknown): boolean =>
  error instanceof AssayError && error.code === 'busy' && isLocked(error.cause)

export function locked(file: string, error: unknown): AssayError {
  return new AssayError('busy', `another program has locked the journal ${file} and does not release it`, {
    cause: error,
    hint: 'Is it open in a program that writes to it, such as a sqlite3 shell in a transaction? Nothing was lost.',
  })
}

export const isReadOnly = (error: unknown): boolean => /attempt to write a readonly database/.test(messageOf(error))

export function readOnly(file: string, error: unknown): AssayError {
  return new AssayError('cannot_write', `the journal ${file} can be read here, but not written`, {
    cause: error,
    hint: 'Copy the whole directory to a place where you can write, and continue there.',
  })
}

export function diskFull(file: string, error: unknown): AssayError {
  return new AssayError('cannot_write', `can't write the journal ${file}: ${messageOf(error)}`, {
    cause: error,
    hint: 'Free some space and run the same command again. Finished runs are kept.',
  })
}
