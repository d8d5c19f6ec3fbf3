import { llmSummary, type SummarySettings } from './llm-summary.ts'
import { type MaskingSettings, masking } from './observation-masking.ts'
import type { Strategy } from './strategy.ts'

/** Summaries are written from the original turns; among the remaining turns, old outputs are masked. */
export function hybrid(summary: SummarySettings, mask: MaskingSettings): Strategy<number | null> {
  const summarising = llmSummary(summary)
  return {
    name: 'hybrid',
    start: () => summarising.start(),
    next(history, state) {
      const next = summarising.next(history, state)
      if (next.prompt === undefined) return next
      return { prompt: masking(next.prompt, history, mask), state: next.state }
    },
  }
}
