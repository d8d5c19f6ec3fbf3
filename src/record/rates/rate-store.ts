import * as z from 'zod'
import { number, text } from '../journal/columns.ts'
import type { Journal } from '../journal/journal.ts'
import { damaged, jsonIn } from '../journal/stored.ts'

/** Which provider and key: rates are counted for each pair of them. */
export interface RateKey {
  readonly provider: string
  /** A short digest that reveals nothing about the key. */
  readonly key: string
}

/** Where rates shared by several workers are kept. A worker reads, decides and writes in one step. */
export interface RateStore {
  /** Changes once another process may have written something. */
  version(): number
  /** All that there are, by provider and key. */
  all(): readonly (RateKey & { readonly state: RateState })[]
  /** null: it is not shared yet. */
  read(key: RateKey): RateState | null
  write(key: RateKey, state: RateState): void
  /** The workers that are present: others have no calls under way. */
  workers(): ReadonlySet<string>
}

/** Between the processes of one experiment: a row of its journal for each provider and key. */
export function journalRates(journal: Journal): RateStore {
  return {
    version: () => journal.dataVersion(),
    all: () => {
      const isThere = journal.has("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'rates'")
      if (!isThere) return []
      return journal
        .all(
          { provider: text, key: text, state: text },
          'SELECT provider, key, state FROM rates ORDER BY provider, key',
        )
        .map(({ provider, key, state }) => ({ provider, key, state: stateIn(state, journal) }))
    },
    read({ provider, key }) {
      makeTable(journal)
      const sql = 'SELECT state FROM rates WHERE provider = ? AND key = ?'
      const row = journal.get(stateColumns, sql, provider, key)
      return row === undefined ? null : stateIn(row.state, journal)
    },
    write({ provider, key }, state) {
      makeTable(journal)
      journal.run('INSERT OR REPLACE INTO rates VALUES (?, ?, ?)', provider, key, JSON.stringify(state))
    },
    workers: () =>
      new Set(journal.all({ id: number }, 'SELECT id FROM workers WHERE left_at IS NULL').map(({ id }) => String(id))),
  }
}

const stateColumns = { state: text }

/** Made when first needed: its content is worthless after a minute, so a journal without it is just as good. */
function makeTable(journal: Journal): void {
  journal.run(
    `CREATE TABLE IF NOT EXISTS rates (provider TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL,
       PRIMARY KEY (provider, key)) STRICT, WITHOUT ROWID`,
  )
}

function stateIn(text: string, journal: Journal): RateState {
  const { data } = rateStateSchema.safeParse(jsonIn(text, 'rates.state', journal))
  if (data !== undefined) return data
  throw damaged(text, 'rates.state', journal, 'how a rate stands')
}

/** Inside one process without a journal. The workers are those of the given set, as it changes. */
export function memoryRates(workers: ReadonlySet<string>): RateStore {
  const states = new Map<string, RateKey & { readonly state: RateState }>()
  const idOf = ({ provider, key }: RateKey) => `${provider} ${key}`
  let version = 0
  return {
    version: () => version,
    all: () => [...states.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kept]) => kept),
    read: key => states.get(idOf(key))?.state ?? null,
    write({ provider, key }, state) {
      version++
      states.set(idOf({ provider, key }), { provider, key, state })
    },
    workers: () => workers,
  }
}

/**
 * How much of a provider's rate one key uses, and how the provider responded. Plain data: kept in the journal if
 * several processes share it, changed only by the engine's rules. Times are milliseconds on the machine's monotonic
 * clock.
 */
export interface RateState {
  /** The boot that times are counted from. */
  readonly boot: string
  /** When it was last read. */
  readonly at: number
  /** What was sent in each second of the last minute. */
  readonly seconds: readonly SentInSecond[]
  /** Nothing is sent before this time, because the provider asked for it. */
  readonly blocked_until: number
  /** How many calls may run at once since the provider complained; null: it has not. Grows by fractions. */
  readonly ceiling: number | null
  /** How many there were at once when it first complained. */
  readonly complained_at_once: number | null
  /** When the ceiling was last cut: complaints about calls sent before that belong to the same episode. */
  readonly cut_at: number
  /** Episodes in a row, without a successful call in between. */
  readonly episodes: number
  /** Calls under way, by the worker that sent them. */
  readonly under_way: { readonly [worker: string]: number }
}

export interface SentInSecond {
  /** When the second began. */
  readonly at: number
  readonly requests: number
  readonly tokens: number
}

/** As read back from storage. */
export const rateStateSchema: z.ZodType<RateState> = z.lazy(() =>
  z.object({
    boot: z.string().default(''),
    at: z.number(),
    seconds: z.array(z.object({ at: z.number(), requests: z.number(), tokens: z.number() })),
    blocked_until: z.number(),
    ceiling: z.number().nullable(),
    complained_at_once: z.number().nullable(),
    cut_at: z.number(),
    episodes: z.number(),
    under_way: z.record(z.string(), z.number()),
  }),
)

export const unusedRate: RateState = {
  boot: '',
  at: 0,
  seconds: [],
  blocked_until: 0,
  ceiling: null,
  complained_at_once: null,
  cut_at: 0,
  episodes: 0,
  under_way: {},
}
