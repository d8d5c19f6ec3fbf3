import type { Patterns } from '../../../analyze/batch/patterns/patterns.ts'
import { percentText, plainNumber, pText } from '../../../analyze/numbers.ts'
import { levelText } from '../../../analyze/variants.ts'
import { markdownTable, safe } from '../markdown.ts'
import { bounds, type Section } from './section.ts'

export function successFactors({ factor_contrasts: contrasts, correction, metric_associations }: Patterns): Section {
  if (contrasts.length === 0)
    return metric_associations.length === 0
      ? []
      : ['## Success Factors', '', 'Nothing to compare: no factor varies, or every run that was judged ended alike.']
  const points = (value: number) => plainNumber(value * 100).replace(/^-/, '−')
  const rows = contrasts
    .toSorted((a, b) => (a.p_adjusted ?? a.p ?? 2) - (b.p_adjusted ?? b.p ?? 2))
    .map(one => [
      safe(`${one.factor}=${levelText(one.level)}`),
      one.with_level.rate === null ? '–' : `${percentText(one.with_level.rate)} of ${one.with_level.n}`,
      one.without.rate === null ? '–' : `${percentText(one.without.rate)} of ${one.without.n}`,
      one.risk_difference === null ? '–' : points(one.risk_difference),
      one.ci === null ? `– (${one.reason ?? ''})` : bounds(one.ci, points),
      one.p === null ? '–' : pText(one.p_adjusted ?? one.p),
      one.is_shown ? one.direction : 'not shown',
      one.matched_on.length === 0 ? 'unmatched runs' : `${one.n} ${one.unit}s`,
    ])
  return [
    '## Success Factors',
    '',
    `Each level against all others${contrasts.length > 1 ? `; p after ${correction} for ${contrasts.length} questions` : ''}. Differences are in percentage points, of runs alike in everything else.`,
    '',
    ...markdownTable(['level', 'with it', 'without', 'difference', 'CI', 'p', '', 'matched on'], rows),
  ]
}
