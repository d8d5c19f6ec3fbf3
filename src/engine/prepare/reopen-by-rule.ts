import type { BoundTarget } from '../../define/target.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { endedStandings, type RunStanding } from '../../record/read/standing.ts'
import { type Reopening, reopenRuns } from '../../record/runs/settle.ts'
import { type Asked, nextAction } from '../rules/next-action.ts'

/** What a call requests, except for single runs by name and for files that are checked later. */
export interface AskedOfAll extends Pick<Asked, 'limits' | 'retryFailed' | 'stale'>, Pick<BoundTarget, 'bound'> {
  /** Whether all quarantined runs are requested. */
  readonly quarantined: boolean
}

/**
 * Makes those runs of the plan ready again for which the rule says so: the same rule that `plan` and `why` predict
 * with. Returns the stale runs that it refuses to decide about. Part of a transaction.
 */
export function reopenByRule(
  journal: Journal,
  asked: AskedOfAll,
  isConcerned: (standing: RunStanding) => boolean = () => true,
): readonly RunStanding[] {
  const ids: { readonly [how in Reopening]: number[] } = { interrupted: [], go_on: [], anew: [] }
  const refused: RunStanding[] = []
  for (const standing of endedStandings(journal)) {
    if (!isConcerned(standing)) continue
    const isNamed = asked.quarantined && standing.ended === 'quarantined'
    const next = nextAction(standing, { ...asked, ...aside, isNamed, bound: asked.bound(standing.run) })
    if (next.action === 'run') ids[next.how ?? 'go_on'].push(standing.id)
    if (next.action === 'refuse') refused.push(standing)
  }
  reopenRuns(journal, ids.interrupted, 'interrupted')
  reopenRuns(journal, ids.go_on, 'go_on')
  reopenRuns(journal, ids.anew, 'anew')
  return refused
}

const aside = { fresh: false, change: '', isCutOff: false, lostOutput: null } as const
