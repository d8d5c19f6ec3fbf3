import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { AssayError, messageOf } from '../../util/errors.ts'
import { type Columns, number, type RowOf, text } from './columns.ts'
import {
  damagedFile,
  damageIn,
  headerDamage,
  identityOf,
  isDamaged,
  noteOpened,
  refuseLogAlone,
  sizeOf,
} from './damage.ts'
import { refuseElsewhere } from './holder.ts'
import {
  diskFull,
  isBusy,
  isFull,
  isLocked,
  isReadOnly,
  locked,
  mayWrite,
  openDatabase,
  patienceMs,
  readOnly,
  unreadable,
} from './open-database.ts'
import { Statement } from './statement.ts'
import { journalVersion, tables, upgrades } from './tables.ts'

export { type Holder, heldBy, holderFile, isElsewhere, readHolder } from './holder.ts'
export { isBusy } from './open-database.ts'

const dataVersionColumns = { data_version: number }

/** No version of assay has written a later one. */
const anyVersion = 10_000

/** Up to this size a journal is checked whenever it is opened: it takes a tenth of a second at most. */
const quicklyCheckedBytes = 32e6

/**
 * A write-ahead log, so that readers never wait and a commit does not wait for the disk. It is folded into the database
 * every 8,000 pages (32 MB) instead of every 1,000: folding does wait for the disk, and with ten pages a run it would
 * do so every hundred runs. The loop folds it every few seconds as well: see {@link Journal.fold}.
 */
const settings = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA wal_autocheckpoint = 8000;
PRAGMA cache_size = -16000;
`

/**
 * The experiment's database, the only source of truth. Several processes on one machine may have it open: SQLite
 * serialises their short transactions. This class knows only SQL; the modules next to it know what the tables mean.
 */
export class Journal {
  readonly file: string
  #database: DatabaseSync
  /** Identifies the file, whatever later has its name. */
  #identity: string | null
  readonly #statements = new Map<string, Statement>()
  #durable = false
  #patienceMs = patienceMs

  private constructor(file: string, database: DatabaseSync) {
    this.file = file
    this.#database = database
    this.#identity = identityOf(file)
  }

  /** Opens the journal; makes an empty one if there is none. */
  static open(file: string): Journal {
    return Journal.#open(file, { isChecked: sizeOf(file) <= quicklyCheckedBytes })
  }

  /** Opens a journal that this process has just written and closed: it was checked when it was first opened. */
  static openAgain(file: string): Journal {
    return existsSync(file) ? Journal.#open(file, { isChecked: false }) : Journal.openExisting(file)
  }

  static #open(file: string, { isChecked }: { readonly isChecked: boolean }): Journal {
    refuseElsewhere(file)
    refuseLogAlone(file)
    const journal = new Journal(file, openDatabase(file))
    try {
      journal.#refuseForeign()
      if (isChecked) journal.#refuseDamaged()
      journal.#database.exec(settings)
      journal.#makeTables()
      // A new file only has an identity from now on.
      journal.#identity = identityOf(file)
      noteOpened(file)
      return journal
    } catch (error) {
      journal.close()
      throw error instanceof AssayError ? error : unreadable(file, error)
    }
  }

  /** Opens an existing journal, read-only if it can't be written, as with another user's results. */
  static openExisting(file: string): Journal {
    if (!existsSync(file))
      throw new AssayError('not_found', `there is no experiment here: ${file} does not exist`, {
        hint: 'Give the directory that `assay run` printed, the one with journal.db in it. If journal.db was deleted, `assay repair` makes it again from the results in runs/.',
      })
    return mayWrite(file) ? Journal.open(file) : Journal.openToRead(file)
  }

  /**
   * Opens a journal only for reading: nothing is locked, written or upgraded. An older version is refused, since
   * reading it would change it.
   */
  static openToRead(file: string): Journal {
    if (!existsSync(file)) throw new AssayError('not_found', `there is no experiment here: ${file} does not exist`)
    refuseElsewhere(file)
    refuseLogAlone(file)
    const journal = new Journal(file, openDatabase(file, { readOnly: true }))
    noteOpened(file)
    try {
      journal.#refuseForeign()
      if (journal.#version() < journalVersion)
        throw new AssayError('older_version', `${file} was written by an older assay`, {
          hint: '`assay status` on its directory brings it up to date.',
        })
      return journal
    } catch (error) {
      journal.close()
      throw error instanceof AssayError ? error : unreadable(file, error)
    }
  }

  /** Every row with the requested columns; a row with anything else is an error. stored.ts reads JSON inside a column. */
  all<Of extends Columns>(columns: Of, sql: string, ...values: readonly SQLInputValue[]): RowOf<Of>[] {
    return this.#explaining(() => this.#prepare(sql).all(columns, values))
  }

  get<Of extends Columns>(columns: Of, sql: string, ...values: readonly SQLInputValue[]): RowOf<Of> | undefined {
    return this.#explaining(() => this.#prepare(sql).get(columns, values))
  }

  /** Whether there is any such row. */
  has(sql: string, ...values: readonly SQLInputValue[]): boolean {
    return this.#explaining(() => this.#prepare(sql).has(values))
  }

  /** Rows one at a time, for tables that should not be in memory completely. */
  *iterate<Of extends Columns>(
    columns: Of,
    sql: string,
    ...values: readonly SQLInputValue[]
  ): Generator<RowOf<Of>, undefined> {
    // A cursor needs a statement of its own: a cached one may be in use further up the stack.
    const rows = this.#explaining(() => this.#prepareOnce(sql).iterate(columns, values))
    try {
      for (;;) {
        const next = this.#explaining(() => rows.next())
        if (next.done) return
        yield next.value
      }
    } finally {
      rows.return(undefined)
    }
  }

  /** The number of rows changed. */
  run(sql: string, ...values: readonly SQLInputValue[]): number {
    return this.#explaining(() => Number(this.#prepare(sql).run(values).changes))
  }

  insert(sql: string, ...values: readonly SQLInputValue[]): number {
    return this.#explaining(() => Number(this.#prepare(sql).run(values).lastInsertRowid))
  }

  /**
   * Does all of `work` or nothing. `durable` survives a power cut too; it is for money, because it waits for the disk.
   * An inner transaction joins the outer one.
   */
  transaction<T>(work: () => T, options: { durable?: boolean } = {}): T {
    if (this.#database.isTransaction) return work()
    this.#setDurable(options.durable ?? false)
    this.run('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.run('COMMIT')
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.#prepare('ROLLBACK').run([])
      throw error
    }
  }

  /** How long a statement waits from now on; meanwhile the process is blocked, including timers and signals. */
  setPatience(ms: number = patienceMs): void {
    this.#patienceMs = ms
    this.#database.exec(`PRAGMA busy_timeout = ${ms}`)
  }

  /** Changes whenever another connection has committed. */
  dataVersion(): number {
    return this.get(dataVersionColumns, 'PRAGMA data_version')?.data_version ?? 0
  }

  /**
   * Folds the write-ahead log into the database, unless a reader is in the way: then a copy or a backup of journal.db
   * alone, and a directory that has lost its log, miss only a few seconds.
   */
  fold(): void {
    this.#explaining(() => this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)'))
  }

  /** Whether the open file is still the one that others find under its name. */
  place(): 'in_place' | 'removed' | 'replaced' {
    const now = identityOf(this.file)
    return now === this.#identity ? 'in_place' : now === null ? 'removed' : 'replaced'
  }

  /**
   * After the file was removed, writes the open database under its name again and continues with that. Only for a
   * process that alone has it open: others would keep using the removed file.
   */
  putBack(): void {
    const draft = `${this.file}.${process.pid}.tmp`
    this.saveCopy(draft)
    // The log of the removed file is not the new one's.
    for (const suffix of ['-wal', '-shm']) rmSync(`${this.file}${suffix}`, { force: true })
    linkSync(draft, this.file)
    rmSync(draft)
    this.#statements.clear()
    this.#database.close()
    this.#database = openDatabase(this.file)
    this.#database.exec(settings)
    this.setPatience(this.#patienceMs)
    this.#durable = false
    this.#identity = identityOf(this.file)
  }

  /** Writes all committed data to a separate file, which is on the disk when this returns. */
  saveCopy(file: string): void {
    rmSync(file, { force: true })
    this.#explaining(() => this.#prepareOnce('VACUUM INTO ?').run([file]))
    const descriptor = openSync(file, 'r')
    fsyncSync(descriptor)
    closeSync(descriptor)
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #prepareOnce(sql: string): Statement {
    return new Statement(this.#database.prepare(sql), this)
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#prepareOnce(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  /** Turns SQLite's complaints about a disk or a file into a helpful error; a mistake in our SQL stays as it is. */
  #explaining<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (isFull(error)) throw diskFull(this.file, error)
      if (isLocked(error)) throw locked(this.file, error)
      if (isReadOnly(error)) throw readOnly(this.file, error)
      throw isDamaged(error) ? damagedFile(this.file, messageOf(error), error) : error
    }
  }

  #setDurable(durable: boolean): void {
    if (durable === this.#durable) return
    this.#database.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
    this.#durable = durable
  }

  #makeTables(): void {
    if (this.#version() === journalVersion) return
    this.transaction(() => {
      // Another process may have made them between the check and the lock.
      if (this.#version() === 0) this.#database.exec(tables)
      for (const { from, sql, after } of upgrades) {
        if (this.#version() !== from) continue
        this.#database.exec(sql)
        after?.(this)
      }
    })
  }

  /** Before anything is read or written: a damaged page may contain what decides which runs are repeated. */
  #refuseDamaged(): void {
    const damage = damageIn(this.#database) ?? headerDamage(this.file)
    if (damage !== null) throw damagedFile(this.file, damage)
  }

  #version(): number {
    return this.get({ user_version: number }, 'PRAGMA user_version')?.user_version ?? 0
  }

  /** Checks before writing anything: a database that is not ours stays unchanged, to the byte. */
  #refuseForeign(): void {
    const version = this.#version()
    if (version > anyVersion) throw damagedFile(this.file, `it says that its version is ${version}`)
    if (version > journalVersion)
      throw new AssayError(
        'newer_version',
        `${this.file} was written by a newer assay (journal version ${version}, this one reads up to ${journalVersion})`,
        { hint: 'Use the newer assay for this directory. Nothing was changed.' },
      )
    const names = this.all({ name: text }, `SELECT name FROM sqlite_master WHERE type = 'table'`).map(row => row.name)
    if (version === 0 ? names.length === 0 : names.includes('experiment')) return
    if (names.includes('runs') && names.includes('attempts'))
      throw damagedFile(this.file, 'a part of its schema is gone')
    throw new AssayError('unreadable_journal', `${this.file} is a database, but not one that assay made`, {
      hint: 'Choose another place with --out-root. Nothing was changed.',
      facts: { foreign: true },
    })
  }
}

/** Does a necessary write once no other program has the journal locked; after too long, the error is thrown. */
export async function whenFree<T>(work: () => T, giveUpMs = 60_000): Promise<T> {
  const until = performance.now() + giveUpMs
  for (;;)
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      await sleep(retryMs)
    }
}

const retryMs = 200
