import type { EngineEvent } from '../../../engine/call.ts'
import { oneLine } from '../text-width.ts'

export type Draining = Pick<Extract<EngineEvent, { kind: 'draining' }>, 'reason' | 'cancels'>

/** Why nothing new starts, and what happens to running runs: on separate lines if there is little room. */
export function drainingTexts({ reason, cancels }: Draining): string[] {
  const why = `no new runs: ${oneLine(reason)}`
  if (cancels) return [why, 'running ones are cancelled']
  return reason === 'interrupted' ? [why, 'running ones finish', 'Ctrl-C again cancels them'] : [why]
}
