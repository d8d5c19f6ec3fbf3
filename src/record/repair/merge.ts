import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { outcomeKinds } from '../../define/outcome.ts'
import { sha256 } from '../../util/hash.ts'
import { number, numberOrNull, text, textOrNull } from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'
import { isJson, outcomeIn, runIn } from '../journal/stored.ts'
import { type RawRow, readable, scanTable } from './scan-table.ts'

/** What a source had that the journal did not. */
export interface Merged {
  readonly runs: number
  readonly attempts: number
  readonly hasDefinition: boolean
}

export const nothingMerged: Merged = { runs: 0, attempts: 0, hasDefinition: false }

/**
 * Adds the content of another database of the same experiment, row by row: unreadable or nonsensical rows are left out.
 * Attempts are the same if their tokens are, runs if their keys are, so merging twice changes nothing.
 */
export function mergeFrom(journal: Journal, file: string, workerId: number): Merged {
  let source: DatabaseSync
  try {
    source = openDamaged(file)
  } catch {
    return nothingMerged
  }
  try {
    return journal.transaction(() => new Merging(journal, source, workerId).all(), { durable: true })
  } finally {
    source.close()
  }
}

/** A schema with a damaged entry is read as far as possible. */
function openDamaged(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { defensive: false })
  database.exec('PRAGMA writable_schema = ON')
  return database
}

class Merging {
  readonly #journal: Journal
  readonly #source: DatabaseSync
  readonly #workerId: number
  readonly #workers = new Map<SQLInputValue, number>()
  /** By their ids in the source: the ids here. */
  readonly #runs = new Map<SQLInputValue, number>()
  readonly #attempts = new Map<SQLInputValue, { readonly id: number; readonly isNew: boolean }>()
  readonly #columns = new Map<string, ReadonlySet<string>>()

  constructor(journal: Journal, source: DatabaseSync, workerId: number) {
    this.#journal = journal
    this.#source = source
    this.#workerId = workerId
  }

  all(): Merged {
    const hasDefinition = this.#definition()
    if (this.#isEmpty('workers', 'id <> ?', this.#workerId)) this.#allWorkers()
    const pending: { readonly id: number; readonly row: RawRow }[] = []
    let runs = 0
    for (const row of scanTable(this.#source, 'runs')) {
      const taken = this.#run(row)
      if (taken === null) continue
      this.#runs.set(row.id ?? null, taken.id)
      if (taken.isNew) runs++
      pending.push({ id: taken.id, row })
    }
    const attempts = this.#allAttempts()
    for (const { id, row } of pending) this.#standing(id, row)
    this.#rest()
    return { runs, attempts, hasDefinition }
  }

  /** The experiment with its definition, if the journal has none and both are intact in the source. */
  #definition(): boolean {
    for (const row of readable(this.#source, 'SELECT * FROM fingerprints'))
      if (isJson(row.parts)) this.#insert('fingerprints', row)
    if (!this.#isEmpty('experiment')) return false
    const [experiment] = readable(this.#source, 'SELECT * FROM experiment')
    if (experiment === undefined) return false
    const kept = [...readable(this.#source, 'SELECT * FROM definitions')].filter(isWholeDefinition)
    const isKept = (id: SQLInputValue | undefined) => kept.some(definition => definition.id === id)
    if (!isKept(experiment.definition) || !isKept(experiment.own_definition)) return false
    for (const row of kept) this.#insert('definitions', row)
    // The progress of the plan is determined again from the runs.
    this.#insert('experiment', {
      ...experiment,
      ...{ generation_hash: '', definition_hash: '', planner_state: null, planner_lease: null, control: 'go' },
      ...(isJson(experiment.limits_set) ? {} : { limits_set: '{}' }),
      ...(isJson(experiment.programs) ? {} : { programs: '{}' }),
    })
    return true
  }

  #allWorkers(): void {
    for (const { id = null, ...row } of scanTable(this.#source, 'workers')) {
      const added = this.#insert('workers', {
        ...row,
        provenance_id: null,
        left_at: row.left_at ?? row.heartbeat_at ?? 0,
      })
      if (added !== null) this.#workers.set(id, added)
    }
  }

  #run(row: RawRow): { readonly id: number; readonly isNew: boolean } | null {
    const { key, name, spec } = row
    if (typeof key !== 'string' || typeof name !== 'string' || typeof spec !== 'string') return null
    if (!isKeyOf(key, name) || !makesSense(() => runIn({ key, name, spec }, this.#journal))) return null
    const known = this.#journal.get({ id: number }, 'SELECT id FROM runs WHERE key = ?', key)
    if (known !== undefined) return { id: known.id, isNew: false }
    const { id: _, ...rest } = row
    // Its state follows from its attempts, if those are readable.
    const blank = { state: 'ready', attempts: 0, attempt_id: null, token: null, continues: null, outcome: null }
    const added = this.#insert('runs', {
      ...rest,
      ...blank,
      settled: null,
      cost_usd: 0,
      capped_usd: 0,
      calls: 0,
      tokens: 0,
    })
    return added === null ? null : { id: added, isNew: true }
  }

  #allAttempts(): number {
    let count = 0
    for (const { id = null, ...row } of scanTable(this.#source, 'attempts')) {
      const run = this.#runs.get(row.run_id ?? null)
      if (run === undefined || !this.#isAttempt(row)) continue
      const known = this.#journal.get({ id: number }, 'SELECT id FROM attempts WHERE token = ?', String(row.token))
      if (known !== undefined) {
        this.#attempts.set(id, { id: known.id, isNew: false })
        continue
      }
      const worker = this.#workers.get(row.worker_id ?? null) ?? this.#workerId
      const added = this.#insert('attempts', { ...row, run_id: run, worker_id: worker, continues: null })
      if (added === null) continue
      count++
      this.#attempts.set(id, { id: added, isNew: true })
      this.#partsOf(id, added, row)
    }
    return count
  }

  #isAttempt({ token, outcome = null, facts = null, ended_at }: RawRow): boolean {
    if (typeof token !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(token)) return false
    if (ended_at === null) return true
    const kind = outcomeKinds.find(one => one === outcome)
    return kind !== undefined && makesSense(() => outcomeIn(kind, facts === null ? null : String(facts), this.#journal))
  }

  /** Numbers and money of an attempt that is new here. Its cost is never less than its own row says. */
  #partsOf(sourceId: SQLInputValue, id: number, attempt: RawRow): void {
    for (const table of ['metrics', 'series'])
      for (const row of readable(this.#source, `SELECT * FROM ${table} WHERE attempt_id = ?`, sourceId))
        if (table === 'metrics' || (isJson(row.steps) && isJson(row.points)))
          this.#insert(table, { ...row, attempt_id: id })
    let charged = 0
    for (const { id: _, ...row } of readable(
      this.#source,
      'SELECT * FROM ledger NOT INDEXED WHERE attempt_id = ? ORDER BY id',
      sourceId,
    )) {
      if (this.#insert('ledger', { ...row, attempt_id: id }) === null) continue
      if (row.kind === 'charge' || row.kind === 'assumed') charged += Number(row.usd)
    }
    const missing = Number(attempt.cost_usd ?? 0) - charged
    if (!(missing > noiseUsd)) return
    const kind = attempt.cost_assumed === 1 ? 'assumed' : 'charge'
    this.#insert('ledger', { attempt_id: id, at: attempt.ended_at ?? attempt.started_at ?? 0, kind, usd: missing })
  }

  /** The state of a run follows from its last attempt, and from its own row if that makes sense. */
  #standing(id: number, row: RawRow): void {
    const last = this.#journal.get(
      lastAttemptColumns,
      `SELECT a.id, a.number, a.token, a.outcome, a.fingerprint, a.ended_at, r.attempt_id FROM attempts a
       JOIN runs r ON r.id = a.run_id WHERE a.run_id = ? AND a.superseded = 0 ORDER BY a.number DESC, a.id DESC LIMIT 1`,
      id,
    )
    if (last === undefined || last.id === last.attempt_id) return
    const isOwn = this.#attempts.get(row.attempt_id ?? null)?.id === last.id
    const recordedState =
      isOwn && ['ready', 'finished', 'quarantined'].includes(String(row.state)) ? row.state : 'finished'
    const state = last.ended_at === null ? 'running' : (recordedState ?? 'finished')
    const settled = state === 'finished' || state === 'quarantined'
    const fingerprint = isOwn && typeof row.fingerprint === 'string' ? row.fingerprint : last.fingerprint
    this.#journal.run(
      `UPDATE runs SET state = ?, attempts = ?, attempt_id = ?, token = ?, outcome = ?, fingerprint = ?, continues = ?,
         settled = ?, (cost_usd, cost_assumed, cost_unknown, capped_usd, calls, tokens) =
           (SELECT coalesce(sum(cost_usd), 0), max(cost_assumed), max(cost_unknown), sum(capped_usd), sum(calls), sum(tokens)
            FROM attempts WHERE run_id = runs.id AND number >= runs.counts_from)
       WHERE id = ?`,
      state,
      last.number,
      last.id,
      last.token,
      last.outcome,
      settled ? fingerprint : null,
      this.#attempts.get(row.continues ?? null)?.id ?? last.id,
      settled && typeof row.settled === 'number' ? row.settled : settled ? 0 : null,
      id,
    )
    this.#history(id, row)
  }

  /** What decides whether it is retried. */
  #history(id: number, { retries, failure = null, failures, cut_at = null, mode }: RawRow): void {
    if (!isJson(retries) || typeof failures !== 'number' || (mode !== 'run' && mode !== 'score')) return
    try {
      this.#journal.run(
        'UPDATE runs SET retries = ?, failure = ?, failures = ?, cut_at = ?, mode = ? WHERE id = ?',
        ...[retries ?? '{}', failure, failures, cut_at, mode, id],
      )
    } catch {
      // Values that no run can have: its history is forgotten.
    }
  }

  /** Data for display only: labels, events, provenance. */
  #rest(): void {
    for (const row of readable(this.#source, 'SELECT * FROM trials'))
      this.#insert('trials', { ...row, taken_by: this.#workers.get(row.taken_by ?? null) ?? null })
    for (const table of ['events', 'provenance'] as const) {
      if (!this.#isEmpty(table)) continue
      for (const { id: _, ...row } of scanTable(this.#source, table))
        if (isJson(row.data ?? row.facts)) this.#insert(table, row)
    }
    if (!this.#isEmpty('labels')) return
    for (const row of scanTable(this.#source, 'labels'))
      this.#insert('labels', {
        ...row,
        run_id: row.run_id === null ? null : (this.#runs.get(row.run_id ?? null) ?? null),
      })
  }

  #isEmpty(table: string, condition = 'true', ...values: readonly SQLInputValue[]): boolean {
    return !this.#journal.has(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`, ...values)
  }

  /** Its id; null if such a row is impossible or already there. */
  #insert(table: string, row: RawRow): number | null {
    const names = Object.keys(row).filter(name => this.#columnsOf(table).has(name))
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
    try {
      return this.#journal.insert(sql, ...names.map(name => row[name] ?? null))
    } catch {
      return null
    }
  }

  #columnsOf(table: string): ReadonlySet<string> {
    const known = this.#columns.get(table)
    if (known !== undefined) return known
    const rows = this.#journal.all({ name: text }, `PRAGMA table_info(${table})`)
    const names = new Set(rows.map(({ name }) => name))
    this.#columns.set(table, names)
    return names
  }
}

const lastAttemptColumns = {
  id: number,
  number: number,
  token: text,
  outcome: textOrNull,
  fingerprint: text,
  ended_at: numberOrNull,
  /** The run's last attempt so far. */
  attempt_id: numberOrNull,
}

/** A key is a hash, and most names end with the beginning of it. */
function isKeyOf(key: string, name: string): boolean {
  const [, tail] = /__([0-9a-f]{12})$/.exec(name) ?? []
  return /^[0-9a-f]{32}$/.test(key) && (tail === undefined || key.startsWith(tail))
}

/** Far below the price of a token. */
const noiseUsd = 1e-12

/** Its id is its hash, unless it was written before there were ids. */
const isWholeDefinition = ({ id, text }: RawRow): boolean =>
  typeof id === 'string' && typeof text === 'string' && isJson(text) && (id.length !== 64 || id === sha256(text))

function makesSense(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

/** What the experiment has spent according to a source, whether or not its rows account for it. */
export function spentIn(file: string): number {
  let source: DatabaseSync | undefined
  try {
    source = openDamaged(file)
    const [row] = readable(source, 'SELECT spent_usd FROM experiment')
    const usd = Number(row?.spent_usd ?? 0)
    return Number.isFinite(usd) ? usd : 0
  } catch {
    return 0
  } finally {
    source?.close()
  }
}

/**
 * Makes the running totals match the rows: the amount spent is never less than any source says. Returns the part that
 * no attempt accounts for.
 */
export function recountMoney(journal: Journal, atLeastUsd: number): number {
  const sums = journal.get(
    { charged: number, reserved: number, settled: number },
    `SELECT (SELECT coalesce(sum(usd), 0) FROM ledger WHERE kind IN ('charge', 'assumed')) AS charged,
            (SELECT coalesce(sum(reserved_usd), 0) FROM attempts WHERE ended_at IS NULL) AS reserved,
            (SELECT coalesce(max(settled), 0) FROM runs) AS settled`,
  ) ?? { charged: 0, reserved: 0, settled: 0 }
  const before = journal.get({ spent_usd: number }, 'SELECT spent_usd FROM experiment')?.spent_usd ?? 0
  const spent = Math.max(sums.charged, before, atLeastUsd)
  journal.run(
    'UPDATE experiment SET spent_usd = ?, reserved_usd = ?, settled = max(settled, ?)',
    spent,
    sums.reserved,
    sums.settled,
  )
  return spent - sums.charged > noiseUsd ? spent - sums.charged : 0
}
