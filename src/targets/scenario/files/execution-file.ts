import { join } from 'node:path'
import * as z from 'zod'
import type { Outcome } from '../../../define/outcome.ts'
import { json } from '../../../define/schema/parts.ts'
import type { RunContext } from '../../../define/target.ts'
import type { CallTotals } from '../../../models/model-call.ts'
import { readRegular, writeWhole } from '../../../util/files.ts'
import type { Json } from '../../../util/json.ts'
import type { PlayedTurns } from '../state/state.ts'

interface Execution {
  readonly context: Pick<RunContext, 'attempt' | 'continues'>
  readonly started_at: Date
  readonly begun: PlayedTurns
  readonly outcome: Outcome | undefined
  readonly lastLine: string
  readonly totals: CallTotals
}

/** `execution.json`: facts that differ between attempts and are therefore in no other file: times, and the amount paid. */
export function writeExecution(
  file: string,
  { context, started_at, begun, outcome, lastLine, totals }: Execution,
): void {
  const ended_at = new Date()
  const paid = Object.entries(totals.by_purpose).map(([purpose, one]) => [
    purpose,
    { calls: one?.calls ?? 0, cached_calls: one?.cached_calls ?? 0, paid_usd: one?.cost_usd ?? null },
  ])
  const attempt: Json = {
    attempt: context.attempt,
    started_at: started_at.toISOString(),
    ended_at: ended_at.toISOString(),
    duration_seconds: (ended_at.getTime() - started_at.getTime()) / 1000,
    went_on_after_turn: begun.turns.length,
    outcome: outcome?.kind ?? null,
    message: lastLine,
    calls: totals.calls,
    failed_calls: totals.failed_calls,
    cached_calls: totals.cached_calls,
    paid_usd: totals.cost_usd,
    by_purpose: Object.fromEntries(paid),
  }
  const attempts = [...earlierAttempts(context.continues?.dir ?? null), attempt]
  writeWhole(file, `${JSON.stringify({ attempts }, null, 2)}\n`)
}

/** Attempts that could record it; a killed one could not. */
function earlierAttempts(dir: string | null): readonly Json[] {
  if (dir === null) return []
  try {
    return z.object({ attempts: z.array(json) }).parse(JSON.parse(readRegular(join(dir, 'execution.json')) ?? 'null'))
      .attempts
  } catch {
    return []
  }
}
