import { logEvent } from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import type { EngineEvent } from '../call.ts'
import type { Decided } from './rate-desk.ts'

/**
 * Records decisions about rates in the experiment's log, and announces them; the first cut of each provider and long
 * waits as warnings.
 */
export class RateNotices {
  readonly #journal: Journal
  readonly #cut = new Set<string>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  of({ provider, key, decision }: Decided, now: number): EngineEvent {
    const { kind, ...facts } = decision
    logEvent(this.#journal, `rate_${kind}`, { provider, key, ...facts }, now)
    return {
      kind: 'notice',
      level: this.#isNews(provider, decision) ? 'warning' : 'info',
      message: sentence(provider, decision),
    }
  }

  /** A batch of thousands of calls gets hundreds of refusals, and a line for each would hide everything else. */
  #isNews(provider: string, decision: Decided['decision']): boolean {
    if (decision.kind === 'wait') return decision.ms >= longWaitMs
    if (decision.kind === 'regrown' || this.#cut.has(provider)) return false
    this.#cut.add(provider)
    return true
  }
}

/** Shorter waits are over before anyone has read about them. */
const longWaitMs = 5000

function sentence(provider: string, decision: Decided['decision']): string {
  switch (decision.kind) {
    case 'cut':
      return `${provider} refused a call (429): at most ${decision.to} at once instead of ${decision.from}, growing back slowly`
    case 'wait':
      return `${decision.asked ? `${provider} asked for a pause of` : `no calls to ${provider} for`} ${seconds(decision.ms)}`
    case 'regrown':
      return `${provider} takes ${decision.to} calls at once again`
  }
}

const seconds = (ms: number): string => `${Math.max(0.1, Math.round(ms / 100) / 10)} s`
