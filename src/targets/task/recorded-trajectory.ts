import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { atifOfTrace } from '../../models/trajectory/write-atif.ts'
import { readRegular, writeWhole } from '../../util/files.ts'
import type { Worked } from './phases/agent-work.ts'

/** Where a run keeps its trajectory. */
const file = 'trajectory.json'

/**
 * Writes what an agent did that asked its models through the proxy, out of the run's trace, which must be complete. assay's
 * own agent has written its trajectory itself.
 */
export function recordTrajectory(
  dir: string,
  about: {
    readonly id: string
    readonly task: string
    readonly agent: string
    readonly model: string | null
    readonly worked: Worked | null
  },
): void {
  const trace = existsSync(join(dir, file)) ? null : readRegular(join(dir, 'trace.jsonl'))
  if (trace === null) return
  const { id, task, agent, model, worked } = about
  const atif = atifOfTrace(trace, {
    ...{ id, task },
    agent: { name: agent, model },
    exit_status: worked === null ? null : exitStatusOf(worked),
    submission: worked === null || worked.diff === '' ? null : worked.diff,
  })
  if (atif !== null) writeWhole(join(dir, file), atif)
}

/** In SWE-agent's words: a patch that was left by an agent that was cut off is handed in for the reason of that. */
function exitStatusOf({ agent: { ended, exit_code }, diff }: Worked): string {
  if (ended === 'exited' && exit_code === 0) return 'submitted'
  const reason = ended === 'timed_out' ? 'exit_timeout' : ended === 'exited' ? 'exit_error' : 'exit_environment_error'
  return diff === '' ? reason : `submitted (${reason})`
}
