import { presentWorkers } from '../../engine/status/experiment-status.ts'
import { definitionOf, labelsOf, limitsSet, readExperiment } from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { bestRun, journalVersion, lastEndAt } from '../../record/read/activity.ts'
import { standing } from '../../record/read/standing.ts'
import { messageOf } from '../../util/errors.ts'
import type { Overview } from '../wire.ts'
import { readJournal } from './read-journal.ts'

export function overviewOf(id: string, dir: string): Overview {
  try {
    return readJournal(dir, journal => read(journal, id, dir))
  } catch (error) {
    return { id, problem: messageOf(error) }
  }
}

function read(journal: Journal, id: string, dir: string): Overview {
  const row = readExperiment(journal)
  if (row === undefined) return { id, problem: 'nothing has been run here yet' }
  const definition = definitionOf(journal, row)
  const { dir: _dir, ...summary } = standing(journal, dir)
  const budget = limitsSet(journal, row).budget_usd ?? definition.limits.budget_usd
  const goals = definition.metrics.filter(({ name }) => name !== '*')
  const aim = definition.search ?? goals.find(({ primary }) => primary) ?? goals[0]
  const metric = aim === undefined ? null : 'metric' in aim ? aim.metric : aim.name
  const goal = aim?.goal ?? null
  const isAtWork = presentWorkers(journal).length > 0
  return {
    id,
    name: row.name,
    description: definition.description,
    dialect: definition.dialect,
    summary,
    state: isAtWork
      ? row.control === 'go'
        ? 'running'
        : row.control === 'pause'
          ? 'paused'
          : 'stopping'
      : summary.pending + summary.running + summary.stale === 0
        ? 'complete'
        : 'partial',
    budget_usd: typeof budget === 'number' ? budget : null,
    metric,
    goal,
    best: metric === null || goal === null ? null : bestRun(journal, metric, goal),
    created_at: row.createdAt,
    last_at: lastEndAt(journal),
    tags: labelsOf(journal, null).tags,
    version: journalVersion(journal),
  }
}
