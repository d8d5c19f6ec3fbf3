import type { Patterns } from '../../../analyze/batch/patterns/patterns.ts'
import { amountText, percentText, plainNumber, pText } from '../../../analyze/numbers.ts'
import { markdownTable, safe } from '../markdown.ts'
import { bounds, mostRows, type Section, share, text } from './section.ts'

export function bestVariation({ best_variation: best, ranking }: Patterns): Section {
  const by = safe(ranking.metric === 'success' ? 'rate of success' : ranking.metric)
  if (ranking.reason !== null)
    return ['## Best Performing Variation', '', `Nothing can be ranked by ${by}: ${safe(ranking.reason)}.`]
  if (best === null) return []
  const amount = ranking.metric === 'success' ? percentText : amountText(ranking.metric)
  const rows = ranking.variations
    .slice(0, mostRows)
    .map(one => [
      String(one.variation_id),
      safe(one.description),
      text(one.mean, amount),
      one.ci === null ? '–' : bounds(one.ci, amount),
      one.rank_ci === null ? '–' : `${rankText(one.rank_ci.low)} to ${rankText(one.rank_ci.high)}`,
      one.p_best === null ? '–' : share(one.p_best),
      one.variation_id === best.variation_id ? 'best' : one.is_tied_with_best ? 'tied with the best' : '',
    ])
  const how = {
    paired: `${ranking.blocks_used} ${ranking.unit}s drawn again for all variants alike${ranking.blocks_left_out === 0 ? '' : ` (${ranking.blocks_left_out} left out: some variant has no value there)`}`,
    independent: "each variant's runs drawn again by themselves",
    none: 'too few values to say how sure that is',
  }[ranking.method ?? 'none']
  return [
    '## Best Performing Variation',
    '',
    `By ${by}, ${ranking.goal}; ${how}.`,
    '',
    ...markdownTable(['', 'Configuration', 'Mean', 'CI', 'Rank', 'P(best)', ''], rows),
    ...ranksByBlock(ranking),
  ]
}

const rankText = (rank: number): string => String(Number(rank.toFixed(2)))

/** By ranks in each block alone, which no outlier moves. */
function ranksByBlock({ friedman, unit }: Patterns['ranking']): Section {
  if (friedman === null) return []
  const { p, test, average_ranks, critical_distance, groups } = friedman
  const ranks = average_ranks
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, mostRows)
    .map(({ variation_id, rank }) => `${rankText(rank)} for ${variation_id}`)
  const alike = groups.map(group => group.join(' '))
  return [
    '',
    `By ranks within each ${unit} alone, is there any difference? ${pText(p)} (${test}). Average ranks: ${ranks.join(', ')}; those within ${plainNumber(critical_distance)} of each other can't be told apart${alike.length === 0 ? '' : `: ${alike.join('; ')}`}.`,
  ]
}
