import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { limitsInForce } from '../../define/limits.ts'
import { experimentStatus } from '../../engine/status/experiment-status.ts'
import { definitionOf, limitsSet, readExperiment } from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { journalFile, readWorkersSeen } from '../../record/places.ts'
import { journalVersion, lastStop, runningSeries } from '../../record/read/activity.ts'
import { readJournal } from '../experiments/read-journal.ts'
import type { Progress } from '../wire.ts'
import { timeLeftIn } from './time-left-in.ts'

const mostRunning = 24

/** The present state of the experiment in a folder. */
export const progressOf = (dir: string, now: number): Progress => readJournal(dir, journal => read(journal, dir, now))

function read(journal: Journal, dir: string, now: number): Progress {
  const status = experimentStatus(journal, dir)
  const row = readExperiment(journal)
  const limits = row === undefined ? null : limitsInForce(definitionOf(journal, row).limits, limitsSet(journal, row))
  const running = status.running.filter(({ is_cut_off }) => !is_cut_off).slice(0, mostRunning)
  const series = runningSeries(journal, { mostMetrics: 4, mostPoints: 120 })
  const { dir: _dir, ...summary } = status.summary
  return {
    name: status.name,
    summary,
    control: status.control,
    workers: status.workers.map(({ kind, host, pid, slots }) => ({ kind, host, pid, slots })),
    machines: status.workers.length === 0 ? [] : readWorkersSeen(dir),
    forecast: status.forecast,
    budget_usd: status.budgetUsd,
    limits: limits && {
      jobs: limits.jobs,
      timeout_ms: limits.timeout_ms,
      budget_usd: limits.budget_usd,
      run_budget_usd: limits.run_budget_usd,
    },
    rates: status.rates.map(({ key: _key, complained_at_once: _complained, ...rate }) => rate),
    running: running.map(({ is_cut_off: _gone, ...run }) => ({ ...run, series: series.get(run.run) ?? [] })),
    left_ms: timeLeftIn(journal, status, now),
    stopped_by: status.workers.length === 0 && status.summary.pending > 0 ? lastStop(journal) : null,
    is_writable: isWritable(dir),
    version: journalVersion(journal),
  }
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
