import type { Trajectory } from '../../models/trajectory/trajectory.ts'
import { PromptSizes, type SizeOf } from './prompt-sizes.ts'

/** The relation of estimated prompt sizes to the provider's counts. */
export interface Calibration {
  /** Tokens counted by the provider per estimated token. */
  readonly scale: number
  /** Tokens that every prompt has in addition, such as tool descriptions. */
  readonly overhead: number
  /** The number of turns it is based on. */
  readonly turns: number
}

/**
 * If a recording contains the prompts sent and the provider's counts, estimates are scaled to these: that covers the
 * provider's own tokenizer, tool descriptions, and the text around messages. null: it does not contain them.
 */
export function calibrationOf(trajectory: Trajectory, sizeOf: SizeOf): Calibration | null {
  const { history, turns, summaries } = trajectory
  const counted = turns.flatMap(({ prompt, usage }) => (prompt === null || usage === null ? [] : [{ prompt, usage }]))
  if (counted.length === 0) return byTheSum(trajectory, sizeOf)
  const sizes = new PromptSizes(history, sizeOf)
  const ofSummaries = sizesOf(summaries, sizeOf)
  const points = counted.map(({ prompt, usage }) => ({ x: sizes.of(prompt, ofSummaries), y: usage.input_tokens }))
  const [x, y] = [mean(points.map(point => point.x)), mean(points.map(point => point.y))]
  if (x <= 0 || y <= 0) return null
  return { ...(lineThrough(points, x, y) ?? { scale: y / x, overhead: 0 }), turns: counted.length }
}

/** SWE-agent's files have every prompt, but only the sum of the provider's counts: it must be that of these prompts. */
function byTheSum({ history, turns, summaries, totals }: Trajectory, sizeOf: SizeOf): Calibration | null {
  const asked = turns.flatMap(({ prompt, kind }) => (kind === 'autosubmit' ? [] : [prompt]))
  const prompts = asked.filter(prompt => prompt !== null)
  const { calls, raw_input_tokens: counted } = totals.agent
  if (prompts.length < asked.length || prompts.length !== calls || counted === null || counted <= 0) return null
  const sizes = new PromptSizes(history, sizeOf)
  const ofSummaries = sizesOf(summaries, sizeOf)
  const estimated = prompts.reduce((sum, prompt) => sum + sizes.of(prompt, ofSummaries), 0)
  return estimated <= 0 ? null : { scale: counted / estimated, overhead: 0, turns: prompts.length }
}

const sizesOf = (summaries: Trajectory['summaries'], sizeOf: SizeOf): readonly number[] =>
  summaries.map(({ text }) => sizeOf({ role: 'assistant', content: text }))

/** Least squares; null if all prompts have one size, or the line makes no sense. */
function lineThrough(
  points: readonly { readonly x: number; readonly y: number }[],
  x: number,
  y: number,
): Pick<Calibration, 'scale' | 'overhead'> | null {
  const spread = mean(points.map(point => (point.x - x) ** 2))
  const scale = mean(points.map(point => (point.x - x) * (point.y - y))) / spread
  const overhead = y - scale * x
  return spread > 0 && scale > 0 && overhead >= 0 ? { scale, overhead: Math.round(overhead) } : null
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Whole tokens, by that scale. */
export const scaled =
  (sizeOf: SizeOf, scale: number): SizeOf =>
  message =>
    Math.round(sizeOf(message) * scale)
