import type { Trajectory } from '../../models/trajectory/trajectory.ts'
import { PromptSizes, type SizeOf } from './prompt-sizes.ts'

/** How estimated sizes of prompts compare with what the provider counted. */
export interface Calibration {
  /** Tokens that the provider counted for each that was estimated. */
  readonly scale: number
  /** How many turns it rests on. */
  readonly turns: number
}

/**
 * Where a recording says which prompts were sent and what the provider counted, estimates are scaled to that: it covers
 * the provider's own tokenizer, descriptions of tools, and what is wrapped around messages. null: it does not say.
 */
export function calibrationOf({ history, turns, summaries }: Trajectory, sizeOf: SizeOf): Calibration | null {
  const counted = turns.flatMap(({ prompt, usage }) => (prompt === null || usage === null ? [] : [{ prompt, usage }]))
  if (counted.length === 0) return null
  const sizes = new PromptSizes(history, sizeOf)
  const ofSummaries = summaries.map(({ text }) => sizeOf({ role: 'assistant', content: text }))
  const estimated = counted.reduce((sum, { prompt }) => sum + sizes.of(prompt, ofSummaries), 0)
  const measured = counted.reduce((sum, { usage }) => sum + usage.input_tokens, 0)
  return estimated > 0 && measured > 0 ? { scale: measured / estimated, turns: counted.length } : null
}

/** Whole tokens, by that scale. */
export const scaled =
  (sizeOf: SizeOf, scale: number): SizeOf =>
  message =>
    Math.round(sizeOf(message) * scale)
