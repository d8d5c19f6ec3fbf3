import { constants } from 'node:os'
import { join } from 'node:path'
import type { AttemptResult, Job } from '../define/job.ts'
import type { Outcome } from '../define/outcome.ts'
import { writeAtomically } from './write-atomically.ts'

/** A run for people and their scripts. The first ten keys are those of the original sweep runner, in its order. */
export function writeMeta(runDir: string, job: Job, result: AttemptResult): void {
  const { run } = job
  const meta = {
    ablation_flags: run.flags,
    ablation_name: run.ablation,
    cmd: result.command,
    cwd: result.cwd,
    end_time_unix_s: result.ended_at / 1000,
    exit_code: exitCodeOf(result.outcome),
    params: run.params,
    run_id: run.name,
    start_time_unix_s: result.started_at / 1000,
    wall_time_s: result.wall_s,
    key: run.key,
    block: run.block,
    replicate: run.replicate,
    seed: run.seed,
    attempt: job.attempt,
    outcome: result.outcome,
    cpu_s: result.cpu_s,
    max_rss_bytes: result.max_rss_bytes,
    metrics: Object.fromEntries(
      result.metrics.map(reading => [reading.metric, 'value' in reading ? reading.value : null]),
    ),
    cost_usd: result.cost_usd,
  }
  writeAtomically(join(runDir, 'meta.json'), `${JSON.stringify(meta, null, 2)}\n`)
}

/** As Python's subprocess says it: negative is the number of a signal. */
function exitCodeOf(outcome: Outcome): number | null {
  const signal = Object.entries(constants.signals).find(([name]) => name === outcome.signal)
  return signal === undefined ? (outcome.exit_code ?? null) : -signal[1]
}
