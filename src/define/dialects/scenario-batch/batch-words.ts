import type { Outcome } from '../../outcome.ts'

/** Why a run did not complete, in the words of Scenario Lab's guide, and what to do; null: the default text. */
export function explainOutcome({ kind, limit, message = '' }: Outcome): string | null {
  switch (kind) {
    case 'cost_limited':
      if (limit === 'budget_usd') return said('Budget limit reached', message, remedies.budget)
      return limit === undefined || limit === 'run_budget_usd'
        ? said('Run cost exceeds limit', message, remedies.runCost)
        : null
    case 'rate_limited':
      return said('API rate limit', message, remedies.rate)
    case 'timed_out':
      return said('Run took too long', message, remedies.timeout)
    default:
      return null
  }
}

const remedies = {
  budget:
    'Increase budget_limit and run the same command with --resume, or use cheaper models or fewer runs_per_variation.',
  runCost: 'Increase cost_per_run_limit and run the same command with --resume, or use fewer turns or cheaper models.',
  rate: 'Reduce max_parallel, use a key with higher limits, or wait, and run the same command with --resume.',
  timeout: 'Increase timeout_per_run and run the same command with --retry-failed.',
}

const said = (what: string, message: string, remedy: string): string =>
  message.startsWith(what) ? message : `${what}${message === '' ? '' : `: ${message.replace(/\.$/, '')}`}. ${remedy}`
