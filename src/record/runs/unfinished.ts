import type { AttemptMode, UnfinishedAttempt } from '../../define/job.ts'
import type { Journal } from '../journal/journal.ts'
import { runOf } from '../journal/run-row.ts'
import { earlierAttempt, type SpentRow, spentBy } from './claim.ts'

/**
 * A dead worker's attempts become this worker's, in one transaction: of several who notice the death only one gets
 * them, and if that one dies too, they are found again.
 */
export function takeOver(journal: Journal, deadWorkerId: number, workerId: number, now: number): UnfinishedAttempt[] {
  return journal.transaction(() => {
    const rows = journal.all<UnfinishedRow>(
      `SELECT r.key, r.name, r.spec, a.number AS attempt, a.token, a.pid, a.start_time AS startTime, a.started_at,
              a.timeout_ms, a.cap_usd, a.mode, a.continues, r.capped_usd, r.calls, r.tokens
       FROM attempts a JOIN runs r ON r.id = a.run_id WHERE a.worker_id = ? AND a.ended_at IS NULL`,
      deadWorkerId,
    )
    journal.run('UPDATE attempts SET worker_id = ? WHERE worker_id = ? AND ended_at IS NULL', workerId, deadWorkerId)
    journal.run('UPDATE workers SET left_at = coalesce(left_at, ?) WHERE id = ?', now, deadWorkerId)
    journal.run('UPDATE experiment SET planner_lease = NULL WHERE planner_lease = ?', deadWorkerId)
    return rows.map(row => unfinished(journal, row))
  })
}

function unfinished(journal: Journal, row: UnfinishedRow): UnfinishedAttempt {
  const { attempt, token, pid, startTime, started_at, timeout_ms, cap_usd, mode } = row
  const spent = spentBy(row)
  return {
    ...{ run: runOf(row), attempt, token, pid, startTime, started_at, timeout_ms, mode, spent },
    // The journal keeps what was left for this attempt.
    run_budget_usd: cap_usd === null ? null : cap_usd + spent.usd,
    continues: earlierAttempt(journal, row.continues)?.attempt ?? null,
  }
}

interface UnfinishedRow extends SpentRow {
  readonly key: string
  readonly name: string
  readonly spec: string
  readonly attempt: number
  readonly token: string
  readonly pid: number | null
  readonly startTime: string | null
  readonly started_at: number
  readonly timeout_ms: number | null
  readonly cap_usd: number | null
  readonly mode: AttemptMode
  readonly continues: number | null
}
