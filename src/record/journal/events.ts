import type { JsonObject } from '../../util/json.ts'
import type { Journal } from './journal.ts'

/** Appends to the experiment's log: starts, halts, changed limits, stops and their reasons. */
export function logEvent(journal: Journal, kind: string, data: JsonObject, now: number): void {
  journal.insert('INSERT INTO events (at, kind, data) VALUES (?, ?, ?)', now, kind, JSON.stringify(data))
}

export interface LoggedEvent {
  readonly at: number
  readonly kind: string
  readonly data: JsonObject
}

export function loggedEvents(journal: Journal, newest: number): LoggedEvent[] {
  const rows = journal.all<{ at: number; kind: string; data: string }>(
    'SELECT at, kind, data FROM (SELECT * FROM events ORDER BY id DESC LIMIT ?) ORDER BY id',
    newest,
  )
  return rows.map(row => ({ ...row, data: JSON.parse(row.data) as JsonObject }))
}
