import type { SQLInputValue } from 'node:sqlite'
import { anyColumns, number, numberOrNull, type RowOf, text, textOrNull } from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'

/** What one journal had that the other did not. */
export interface MergedJournal {
  readonly runs: number
  readonly attempts: number
  /** Runs that both have completed, in different attempts: the first one counts. */
  readonly conflicts: readonly Conflict[]
}

export interface Conflict {
  readonly run: string
  /** Metrics that differ from those of the attempt that counts; none: the attempts agree. */
  readonly differs: readonly string[]
}

/** Where the files of an attempt go. */
export interface Move {
  readonly run: string
  /** Its token, which its result has. */
  readonly token: string
  /** Its number in the source; null: it is the last one there, in the run's own folder. */
  readonly from: number | null
  /** Its number now; null: it is the one that counts, in the run's own folder. */
  readonly to: number | null
  /** The number of the attempt whose files must move out of the run's own folder. */
  readonly makesRoom: number | null
}

type Row = { readonly [column: string]: SQLInputValue }

/**
 * Adds the content of another sound journal of the same experiment. Runs are the same if their keys are, attempts if
 * their tokens are. Existing ones are skipped, so merging twice changes nothing. In one transaction.
 */
export function mergeJournal(
  journal: Journal,
  source: Journal,
  carry: (moves: readonly Move[]) => void,
): MergedJournal {
  const work = () => {
    const { moves, ...merged } = new Merge(journal, source).all()
    // Everything that is recorded has its files: a merge that is killed in between has recorded nothing.
    carry(moves)
    return merged
  }
  return journal.transaction(work, { durable: true })
}

/** What {@link mergeJournal} would refuse: a name that means one run here and another there. */
export function sharedName(journal: Journal, source: Journal): string | null {
  for (const { key, name } of source.iterate({ key: text, name: text }, 'SELECT key, name FROM runs')) {
    const other = journal.get({ key: text }, 'SELECT key FROM runs WHERE name = ?', name)
    if (other !== undefined && other.key !== key) return name
  }
  return null
}

class Merge {
  readonly #journal: Journal
  readonly #source: Journal
  readonly #workers = new Map<SQLInputValue, number>()
  readonly #runs = new Map<SQLInputValue, number>()
  readonly #attempts = new Map<SQLInputValue, number>()
  readonly #conflicts: Conflict[] = []
  readonly #moves: Move[] = []
  #newRuns = 0
  #newAttempts = 0

  constructor(journal: Journal, source: Journal) {
    this.#journal = journal
    this.#source = source
  }

  all(): MergedJournal & { readonly moves: readonly Move[] } {
    this.#definition()
    this.#allWorkers()
    for (const row of this.#source.iterate(anyColumns, 'SELECT * FROM runs ORDER BY id')) this.#run(row)
    this.#told()
    this.#recount()
    return {
      ...{ runs: this.#newRuns, attempts: this.#newAttempts },
      ...{ conflicts: this.#conflicts, moves: this.#moves },
    }
  }

  /** From now on the whole experiment is planned, whatever part the source was asked for. */
  #definition(): void {
    for (const row of this.#source.all(anyColumns, 'SELECT * FROM fingerprints')) this.#add('fingerprints', row)
    if (this.#journal.has('SELECT 1 FROM experiment')) return
    for (const row of this.#source.all(anyColumns, 'SELECT * FROM definitions')) this.#add('definitions', row)
    const row = this.#source.get(anyColumns, 'SELECT * FROM experiment')
    if (row === undefined) return
    this.#add('experiment', {
      ...row,
      ...{ definition: row.own_definition ?? null, planned: row.definition_planned ?? null, clock_boot: '' },
      ...{ generation_hash: '', definition_hash: '', planner_state: null, planner_done: 0, planner_seen: 0 },
      ...{ planner_lease: null, control: 'go', spent_usd: 0, reserved_usd: 0, overrun_usd: 0, settled: 0 },
    })
    this.#journal.run(
      `UPDATE experiment SET short_id = lower(hex(randomblob(4))),
         plan_options = json_set(plan_options, '$.selection', json('{"filters":[],"first":null,"shard":null}'))`,
    )
  }

  /** With what was recorded of them: machine, commit, versions. */
  #allWorkers(): void {
    for (const { id = null, provenance_id = null, ...row } of this.#source.all(anyColumns, 'SELECT * FROM workers')) {
      const same = this.#journal.get(
        { id: number },
        'SELECT id FROM workers WHERE boot_id = ? AND pid = ? AND joined_at = ? AND host = ?',
        ...[row.boot_id ?? '', row.pid ?? 0, row.joined_at ?? 0, row.host ?? ''],
      )
      const known = this.#source.get(anyColumns, 'SELECT at, facts FROM provenance WHERE id = ?', provenance_id)
      const added = () =>
        this.#add('workers', {
          ...row,
          provenance_id: known === undefined ? null : this.#add('provenance', known),
          left_at: row.left_at ?? row.heartbeat_at ?? 0,
        })
      this.#workers.set(id, same?.id ?? added())
    }
  }

  #run({ id = null, ...row }: Row): void {
    const known = this.#journal.get({ id: number }, 'SELECT id FROM runs WHERE key = ?', row.key ?? '')
    const run = known?.id ?? this.#newRun(row)
    this.#runs.set(id, run)
    const attempts = this.#source.all(anyColumns, 'SELECT * FROM attempts WHERE run_id = ? ORDER BY number, id', id)
    const unknown = attempts.filter(({ token = '' }) => this.#knownAttempt(token) === null)
    for (const attempt of attempts) {
      const there = this.#knownAttempt(attempt.token ?? '')
      if (there !== null) this.#attempts.set(attempt.id ?? null, there)
    }
    if (unknown.length === 0) return
    const before = this.#journal.get(standingColumns, standingSql, run)
    const wins = before === undefined || before.attempt_id === null || rank(row) > rank(before)
    const last = unknown.find(attempt => attempt.id === row.attempt_id)
    for (const attempt of unknown)
      this.#attempt(run, row, attempt, { wins, isCurrent: wins && attempt === last, before })
    if (wins && last !== undefined) this.#takeStanding(run, row)
    if (!wins && row.outcome === 'completed' && before?.outcome === 'completed') this.#conflict(run, row)
    this.#journal.run(sumSql, run)
  }

  #newRun(row: Row): number {
    this.#newRuns++
    const blank = { state: 'ready', attempts: 0, attempt_id: null, token: null, outcome: null, settled: null }
    const generation = this.#journal.get({ generation: number }, 'SELECT generation FROM experiment')?.generation ?? 0
    return this.#add('runs', { ...row, ...blank, continues: null, ready_at: 0, generation })
  }

  #attempt(
    run: number,
    { name, attempt_id }: Row,
    { id = null, ...row }: Row,
    {
      wins,
      isCurrent,
      before,
    }: { readonly wins: boolean; readonly isCurrent: boolean; readonly before: Standing | undefined },
  ): void {
    const isTaken = this.#journal.has('SELECT 1 FROM attempts WHERE run_id = ? AND number = ?', run, row.number ?? 1)
    const next = this.#journal.get(
      { n: numberOrNull },
      'SELECT max(number) + 1 AS n FROM attempts WHERE run_id = ?',
      run,
    )
    const number = isTaken ? (next?.n ?? 1) : Number(row.number ?? 1)
    const isLast = id === attempt_id
    const has = this.#placeOf(row)
    const isKept = !isCurrent && (before?.attempt_id ?? null) !== null
    const added = this.#add('attempts', {
      ...row,
      ...{ run_id: run, number, worker_id: this.#workers.get(row.worker_id ?? null) ?? null },
      continues: this.#attempts.get(row.continues ?? null) ?? null,
      ...(isKept && !wins && { superseded: 1 }),
      ...(isKept && has && { place: `runs/${name}/attempts/${number}` }),
    })
    this.#newAttempts++
    this.#attempts.set(id, added)
    for (const table of ['metrics', 'series'])
      for (const part of this.#source.all(anyColumns, `SELECT * FROM ${table} WHERE attempt_id = ?`, id))
        this.#add(table, { ...part, attempt_id: added })
    for (const { id: _, ...part } of this.#source.all(
      anyColumns,
      'SELECT * FROM ledger WHERE attempt_id = ? ORDER BY id',
      id,
    ))
      this.#add('ledger', { ...part, attempt_id: added })
    if (!has) return
    const from = isLast ? null : Number(row.number)
    const makesRoom = isCurrent && before !== undefined && before.attempt_id !== null ? before.number : null
    this.#moves.push({
      run: String(name),
      token: String(row.token),
      from,
      to: isKept || !isLast ? number : null,
      makesRoom,
    })
    if (makesRoom !== null)
      this.#journal.run(
        'UPDATE attempts SET place = ? WHERE id = ? AND place IS NOT NULL',
        `runs/${name}/attempts/${makesRoom}`,
        before?.attempt_id ?? null,
      )
  }

  #placeOf = ({ place = null }: Row): boolean => typeof place === 'string' && place.startsWith('runs/')

  #takeStanding(run: number, row: Row): void {
    const current = this.#attempts.get(row.attempt_id ?? null) ?? null
    this.#journal.run(
      `UPDATE runs SET state = ?, outcome = ?, fingerprint = ?, attempt_id = ?, token = ?, retries = ?, failure = ?,
         failures = ?, cut_at = ?, mode = ?, continues = ?, in_definition = max(in_definition, ?) WHERE id = ?`,
      ...[row.state ?? 'ready', row.outcome ?? null, row.fingerprint ?? null, current, row.token ?? null],
      ...[row.retries ?? '{}', row.failure ?? null, row.failures ?? 0, row.cut_at ?? null, row.mode ?? 'run'],
      ...[this.#attempts.get(row.continues ?? null) ?? null, row.in_definition ?? 0, run],
    )
  }

  #conflict(run: number, { name, attempt_id = null }: Row): void {
    const counted = this.#journal.get({ attempt_id: numberOrNull }, 'SELECT attempt_id FROM runs WHERE id = ?', run)
    const other = this.#attempts.get(attempt_id) ?? null
    const differs = this.#journal.all(
      { name: text },
      `SELECT name FROM (SELECT name, value FROM metrics WHERE attempt_id = ?1 EXCEPT SELECT name, value FROM metrics WHERE attempt_id = ?2)
       UNION SELECT name FROM (SELECT name, value FROM metrics WHERE attempt_id = ?2 EXCEPT SELECT name, value FROM metrics WHERE attempt_id = ?1)
       ORDER BY name`,
      counted?.attempt_id ?? null,
      other,
    )
    this.#conflicts.push({ run: String(name), differs: differs.map(metric => metric.name) })
  }

  #knownAttempt(token: SQLInputValue): number | null {
    return this.#journal.get({ id: number }, 'SELECT id FROM attempts WHERE token = ?', token)?.id ?? null
  }

  /** Labels and events, each once. */
  #told(): void {
    for (const row of this.#source.all(anyColumns, 'SELECT * FROM trials'))
      this.#add('trials', { ...row, taken_by: this.#workers.get(row.taken_by ?? null) ?? null })
    for (const { id: _, ...row } of this.#source.all(anyColumns, 'SELECT * FROM events ORDER BY id'))
      this.#addOnce('events', row)
    for (const row of this.#source.all(anyColumns, 'SELECT * FROM labels'))
      this.#addOnce('labels', { ...row, run_id: row.run_id == null ? null : (this.#runs.get(row.run_id) ?? null) })
  }

  /** Running totals, and the order in which runs were settled: by the time they ended. */
  #recount(): void {
    this.#journal.run(
      `UPDATE runs SET settled = o.place FROM (
         SELECT r.id, row_number() OVER (ORDER BY a.ended_at, r.id) AS place
         FROM runs r JOIN attempts a ON a.id = r.attempt_id WHERE r.state IN ('finished', 'quarantined')) o
       WHERE o.id = runs.id`,
    )
    this.#journal.run(
      `UPDATE experiment SET generation_hash = '', planner_state = NULL, planner_done = 0, planner_seen = 0,
         settled = (SELECT coalesce(max(settled), 0) FROM runs),
         spent_usd = (SELECT coalesce(sum(usd), 0) FROM ledger WHERE kind IN ('charge', 'assumed')),
         overrun_usd = (SELECT coalesce(sum(overrun_usd), 0) FROM ledger),
         reserved_usd = (SELECT coalesce(sum(reserved_usd), 0) FROM attempts WHERE ended_at IS NULL)`,
    )
  }

  #add(table: string, row: Row): number {
    const names = Object.keys(row)
    const sql = `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
    return this.#journal.insert(sql, ...names.map(name => row[name] ?? null))
  }

  #addOnce(table: string, row: Row): void {
    const names = Object.keys(row)
    const values = names.map(name => row[name] ?? null)
    const isThere = `SELECT 1 FROM ${table} WHERE ${names.map(name => `${name} IS ?`).join(' AND ')}`
    if (!this.#journal.has(isThere, ...values)) this.#add(table, row)
  }
}

const standingColumns = {
  state: text,
  outcome: textOrNull,
  attempt_id: numberOrNull,
  number: numberOrNull,
}

type Standing = RowOf<typeof standingColumns>

const standingSql = `SELECT r.state, r.outcome, r.attempt_id, a.number FROM runs r
  LEFT JOIN attempts a ON a.id = r.attempt_id WHERE r.id = ?`

const sumSql = `UPDATE runs SET attempts = (SELECT max(number) FROM attempts WHERE run_id = runs.id),
    (cost_usd, cost_assumed, cost_unknown, capped_usd, calls, tokens) =
    (SELECT coalesce(sum(cost_usd), 0), max(cost_assumed), max(cost_unknown), sum(capped_usd), sum(calls), sum(tokens)
     FROM attempts WHERE run_id = runs.id AND number >= runs.counts_from)
  WHERE id = ?`

/** A completed run outranks one that ended otherwise, which outranks one that has not ended. */
function rank({
  state = null,
  outcome = null,
}: {
  readonly state?: SQLInputValue
  readonly outcome?: SQLInputValue
}): number {
  if (outcome === 'completed' && state === 'finished') return 3
  if (state === 'finished' || state === 'quarantined') return 2
  return state === 'running' ? 1 : 0
}
