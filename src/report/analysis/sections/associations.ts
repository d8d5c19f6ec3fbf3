import type { Patterns } from '../../../analyze/batch/patterns/patterns.ts'
import { pText } from '../../../analyze/numbers.ts'
import { markdownTable, safe } from '../markdown.ts'
import { bounds, mostRows, type Section, share } from './section.ts'

export function associations({ metric_associations: all }: Patterns): Section {
  const known = all.filter(({ p }) => p !== null)
  if (known.length === 0) return []
  const rows = known
    .toSorted((a, b) => (a.p_adjusted ?? a.p ?? 2) - (b.p_adjusted ?? b.p ?? 2))
    .slice(0, mostRows)
    .map(({ name, probability_higher, ci, p, p_adjusted, n, is_shown }) => [
      safe(name),
      probability_higher === null ? '–' : share(probability_higher),
      ci === null ? '–' : bounds(ci, share),
      `${n.success} / ${n.failure}`,
      p === null ? '–' : pText(p_adjusted ?? p),
      is_shown ? 'yes' : 'not shown',
    ])
  return [
    '## Metrics that go with success',
    '',
    'How often a successful run has the higher value than a failed one; 50 % is no relation. Exploratory: these were measured, not set.',
    '',
    ...markdownTable(['metric', 'higher in', 'CI', 'success / failure', 'p', 'related'], rows),
  ]
}
