import type { UnfinishedAttempt } from '../../define/job.ts'
import type { Journal } from '../journal/journal.ts'
import { runOf } from '../journal/run-row.ts'

/**
 * A dead worker's attempts become this worker's, in one transaction: of several who notice the death only one gets
 * them, and if that one dies too, they are found again.
 */
export function takeOver(journal: Journal, deadWorkerId: number, workerId: number, now: number): UnfinishedAttempt[] {
  return journal.transaction(() => {
    const rows = journal.all<UnfinishedRow>(
      `SELECT r.key, r.name, r.spec, a.number AS attempt, a.token, a.pid, a.start_time AS startTime, a.started_at,
              a.timeout_ms, a.cap_usd AS run_budget_usd
       FROM attempts a JOIN runs r ON r.id = a.run_id WHERE a.worker_id = ? AND a.ended_at IS NULL`,
      deadWorkerId,
    )
    journal.run('UPDATE attempts SET worker_id = ? WHERE worker_id = ? AND ended_at IS NULL', workerId, deadWorkerId)
    journal.run('UPDATE workers SET left_at = coalesce(left_at, ?) WHERE id = ?', now, deadWorkerId)
    journal.run('UPDATE experiment SET planner_lease = NULL WHERE planner_lease = ?', deadWorkerId)
    return rows.map(({ key, name, spec, ...attempt }) => ({ run: runOf({ key, name, spec }), ...attempt }))
  })
}

interface UnfinishedRow extends Omit<UnfinishedAttempt, 'run'> {
  readonly key: string
  readonly name: string
  readonly spec: string
}
