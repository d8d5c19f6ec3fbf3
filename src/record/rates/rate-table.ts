import type { Journal } from '../journal/journal.ts'
import type { RateState } from './rate-state.ts'

/** The rates that the workers of an experiment share: a row for each provider and key. */

/** Which provider and key: rates are counted for each pair of them. */
export interface RateKey {
  readonly provider: string
  /** A short digest that tells nothing about it. */
  readonly key: string
}

/** Made when it is first needed: what it holds is worthless after a minute, so journals without it are as good. */
export function makeRateTable(journal: Journal): void {
  journal.run(
    `CREATE TABLE IF NOT EXISTS rates (provider TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL,
       PRIMARY KEY (provider, key)) STRICT, WITHOUT ROWID`,
  )
}

export function readRate(journal: Journal, { provider, key }: RateKey): RateState | null {
  const row = journal.get<{ state: string }>('SELECT state FROM rates WHERE provider = ? AND key = ?', provider, key)
  return row === undefined ? null : (JSON.parse(row.state) as RateState)
}

export function writeRate(journal: Journal, { provider, key }: RateKey, state: RateState): void {
  journal.run('INSERT OR REPLACE INTO rates VALUES (?, ?, ?)', provider, key, JSON.stringify(state))
}

/** All that there are; for those who only look. */
export function sharedRates(journal: Journal): (RateKey & { readonly state: RateState })[] {
  const isThere = journal.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'rates'") !== undefined
  if (!isThere) return []
  return journal
    .all<RateKey & { state: string }>('SELECT provider, key, state FROM rates ORDER BY provider, key')
    .map(({ provider, key, state }) => ({ provider, key, state: JSON.parse(state) as RateState }))
}
