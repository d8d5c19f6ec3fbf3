import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { limitsInForce } from '../../engine/rules/limits.ts'
import { experimentStatus } from '../../engine/status/experiment-status.ts'
import { journalFile } from '../../record/directory/experiment-directory.ts'
import { definitionOf, limitsSet, readExperiment } from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import type { Summary } from '../../record/summary.ts'
import { datasetVersion } from '../experiments/dataset-version.ts'
import { readJournal } from '../experiments/read-journal.ts'
import type { Progress } from '../wire.ts'
import { runningSeries } from './running-series.ts'

const mostRunning = 24

/** How the experiment in a folder stands now. */
export const progressOf = (dir: string, now: number): Progress => readJournal(dir, journal => read(journal, dir, now))

function read(journal: Journal, dir: string, now: number): Progress {
  const status = experimentStatus(journal, dir, now)
  const row = readExperiment(journal)
  const limits = row === undefined ? null : limitsInForce(definitionOf(row).limits, limitsSet(row))
  const running = status.running.slice(0, mostRunning)
  const series = runningSeries(journal)
  const { dir: _dir, ...summary } = status.summary
  return {
    name: status.name,
    summary,
    control: status.control,
    workers: status.workers.map(({ kind, host, pid, slots }) => ({ kind, host, pid, slots })),
    forecast: status.forecast,
    budget_usd: status.budgetUsd,
    limits: limits && {
      jobs: limits.jobs,
      timeout_ms: limits.timeout_ms,
      budget_usd: limits.budget_usd,
      run_budget_usd: limits.run_budget_usd,
    },
    rates: status.rates.map(({ key: _key, complained_at_once: _complained, ...rate }) => rate),
    running: running.map(run => ({ ...run, series: series.get(run.run) ?? [] })),
    left_ms: status.workers.length === 0 ? null : timeLeft(journal, status.summary, now),
    is_writable: isWritable(dir),
    version: datasetVersion(journal),
  }
}

/** At the pace at which runs have ended since the newest process came. */
function timeLeft(journal: Journal, { pending, running }: Summary, now: number): number | null {
  const pace = journal.get<{ since: number; ended: number }>(
    `SELECT w.joined_at AS since, (SELECT count(*) FROM attempts a WHERE a.ended_at >= w.joined_at) AS ended
     FROM workers w WHERE w.left_at IS NULL ORDER BY w.joined_at LIMIT 1`,
  )
  if (pace === undefined || pace.ended === 0 || pending + running === 0) return null
  // What runs now is half done, on average.
  return ((pending + running / 2) * (now - pace.since)) / pace.ended
}

function isWritable(dir: string): boolean {
  try {
    accessSync(journalFile(dir), constants.W_OK)
    accessSync(join(dir), constants.W_OK)
    return true
  } catch {
    return false
  }
}
