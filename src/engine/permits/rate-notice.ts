import { logEvent } from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import type { EngineEvent } from '../call.ts'
import type { Decided } from './rate-desk.ts'

/** What was decided about a rate: kept in the experiment's log, and told. */
export function recordRateDecision(journal: Journal, { provider, key, decision }: Decided, now: number): EngineEvent {
  const { kind, ...facts } = decision
  logEvent(journal, `rate_${kind}`, { provider, key, ...facts }, now)
  return { kind: 'notice', level: kind === 'regrown' ? 'info' : 'warning', message: sentence(provider, decision) }
}

function sentence(provider: string, decision: Decided['decision']): string {
  switch (decision.kind) {
    case 'cut':
      return `${provider} says that it is too much: from ${decision.from} calls at once down to ${decision.to}, growing back slowly`
    case 'wait':
      return `${provider} ${decision.asked ? 'asked to be left alone' : 'is left alone'} for ${seconds(decision.ms)}`
    case 'regrown':
      return `${provider} takes ${decision.to} calls at once again`
  }
}

const seconds = (ms: number): string => `${Math.max(0.1, Math.round(ms / 100) / 10)} s`
