import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Evidence, EvidenceRun } from '../../plan/evidence.ts'
import { journalFile } from '../directory/experiment-directory.ts'
import { lastLine } from '../directory/last-line.ts'
import { Journal } from '../journal/journal.ts'

/** What is known of runs besides the evidence: what they printed last, and all that was spent on them. */
export function runFactsOf({ sources }: Evidence): {
  lastLineOf(run: EvidenceRun): string | null
  spentOn(run: EvidenceRun): Spent | null
} {
  const pathOf = new Map(sources.map(({ name, path }) => [name, path]))
  const spentIn = new Map(sources.map(({ name, path }) => [name, spentOnRetries(path)]))
  return {
    lastLineOf({ source, name }) {
      const dir = join(pathOf.get(source) ?? '', 'runs', name)
      return lastLine(join(dir, 'stderr.txt')) || lastLine(join(dir, 'stdout.txt')) || null
    },
    spentOn({ source, name, cost_usd }) {
      const spent = spentIn.get(source)?.get(name)
      return spent !== undefined ? spent : cost_usd === null ? null : { usd: cost_usd, isAssumed: false }
    },
  }
}

interface Spent {
  readonly usd: number
  readonly isAssumed: boolean
}

/** The runs of which the last attempt's cost does not say all: those with several attempts, or with an assumed cost. */
function spentOnRetries(dir: string): ReadonlyMap<string, Spent | null> {
  // A table has no journal.
  if (!existsSync(journalFile(dir))) return new Map()
  const journal = Journal.openExisting(journalFile(dir))
  try {
    const rows = journal.all<{ name: string; usd: number | null; assumed: number }>(
      `SELECT r.name, sum(a.cost_usd) AS usd, max(a.cost_assumed) AS assumed
       FROM attempts a JOIN runs r ON r.id = a.run_id WHERE r.attempts > 1 OR a.cost_assumed = 1 GROUP BY r.id`,
    )
    return new Map(
      rows.map(({ name, usd, assumed }) => [name, usd === null ? null : { usd, isAssumed: assumed === 1 }]),
    )
  } finally {
    journal.close()
  }
}
