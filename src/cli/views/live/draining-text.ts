import type { EngineEvent } from '../../../engine/call.ts'
import { oneLine } from '../text-width.ts'

export type Draining = Pick<Extract<EngineEvent, { kind: 'draining' }>, 'reason' | 'cancels'>

/** Why nothing new starts, and what becomes of what is running: on lines of their own where there is little room. */
export function drainingTexts({ reason, cancels }: Draining): string[] {
  const why = `no new runs: ${oneLine(reason)}`
  if (cancels) return [why, 'running ones are cancelled']
  return reason === 'interrupted' ? [why, 'running ones finish', 'Ctrl-C again cancels them'] : [why]
}
