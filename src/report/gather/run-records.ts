import { join } from 'node:path'
import type { OutcomeKind } from '../../define/outcome.ts'
import { journalFile } from '../../record/directory/experiment-directory.ts'
import { Journal } from '../../record/journal/journal.ts'
import { recordedRuns } from '../../record/read/observations.ts'
import type { RecordedRun } from '../../record/read/recorded-run.ts'
import type { JsonObject } from '../../util/json.ts'
import type { AttemptFacts, RunFacts } from '../dataset/dataset.ts'

export interface RunRecord {
  readonly facts: Omit<RunFacts, 'files' | 'output' | 'trace' | 'reduced'>
  /** Where its files are; null: it has none. */
  readonly folder: string | null
}

/** What the journal knows of each run besides the evidence, by the run's name. */
export function runRecords(dir: string): ReadonlyMap<string, RunRecord> {
  const journal = Journal.openExisting(journalFile(dir))
  try {
    return runRecordsIn(journal, dir)
  } finally {
    journal.close()
  }
}

/** The same, where the journal is open already, and its runs perhaps read. */
export function runRecordsIn(
  journal: Journal,
  dir: string,
  all: Iterable<RecordedRun> = recordedRuns(journal, { withoutMetrics: true }),
): ReadonlyMap<string, RunRecord> {
  const attempts = attemptsByRun(journal)
  const labels = labelsByRun(journal)
  const reasons = reasonsByRun(journal)
  return new Map(
    Array.from(all, recorded => [
      recorded.run.name,
      {
        folder: recorded.has_directory ? join(dir, 'runs', recorded.run.name) : null,
        facts: {
          state: recorded.state,
          seed: recorded.run.seed,
          started_at: recorded.started_at,
          ended_at: recorded.ended_at,
          cpu_s: recorded.cpu_s,
          max_rss_bytes: recorded.max_rss_bytes,
          cost_assumed: recorded.cost_assumed,
          why: reasons.get(recorded.id) ?? null,
          tags: labels.get(recorded.id)?.tags ?? [],
          notes: labels.get(recorded.id)?.notes ?? [],
          attempts: attempts.get(recorded.id) ?? [],
        },
      },
    ]),
  )
}

/** One pass over the table instead of a query per run. */
function attemptsByRun(journal: Journal): ReadonlyMap<number, readonly AttemptFacts[]> {
  const byRun = new Map<number, AttemptFacts[]>()
  const rows = journal.iterate<AttemptRow>(
    `SELECT run_id, number, outcome, facts, started_at, wall_s, cost_usd, superseded FROM attempts ORDER BY number, id`,
  )
  for (const { run_id, facts, superseded, ...row } of rows) {
    const { message } = JSON.parse(facts ?? '{}') as JsonObject
    const attempt = { ...row, message: typeof message === 'string' ? message : null, superseded: superseded === 1 }
    const own = byRun.get(run_id)
    if (own === undefined) byRun.set(run_id, [attempt])
    else own.push(attempt)
  }
  return byRun
}

interface AttemptRow {
  readonly run_id: number
  readonly number: number
  readonly outcome: OutcomeKind | null
  readonly facts: string | null
  readonly started_at: number
  readonly wall_s: number | null
  readonly cost_usd: number | null
  readonly superseded: number
}

function labelsByRun(journal: Journal): ReadonlyMap<number, Pick<RunFacts, 'tags' | 'notes'>> {
  const rows = journal.all<{ run_id: number; kind: 'tag' | 'note'; text: string }>(
    'SELECT run_id, kind, text FROM labels WHERE run_id IS NOT NULL ORDER BY at, rowid',
  )
  return new Map(
    [...Map.groupBy(rows, ({ run_id }) => run_id)].map(([run, own]) => {
      const texts = (kind: string) => own.filter(row => row.kind === kind).map(row => row.text)
      return [run, { tags: texts('tag'), notes: texts('note') }] as const
    }),
  )
}

/** A grid's reason is that it is a grid: only a search has more to say. */
function reasonsByRun(journal: Journal): ReadonlyMap<number, string> {
  const rows = journal.all<{ id: number; why: string }>(`SELECT id, why FROM runs WHERE why <> 'grid'`)
  return new Map(rows.map(({ id, why }) => [id, why]))
}
