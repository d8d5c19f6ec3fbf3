import type { RateNow } from '../../engine/status/experiment-status.ts'
import { shortDuration } from './number.ts'

/** `openai: 45 of 500 requests this minute, at most 4 calls at once (it complained at 8)`. */
export function rateLine(rate: RateNow): string {
  const of = (used: number, most: number | null) => (most === null ? `${used}` : `${used} of ${most}`)
  const { at_once, complained_at_once, wait_ms } = rate
  const complained = complained_at_once === null ? '' : ` (it complained at ${complained_at_once})`
  const parts = [
    `${of(rate.requests, rate.rpm)} requests and ${of(rate.tokens, rate.tpm)} tokens this minute`,
    ...(at_once === null ? [] : [`at most ${at_once} ${at_once === 1 ? 'call' : 'calls'} at once${complained}`]),
    ...(wait_ms > 0 ? [`paused for ${shortDuration(wait_ms)}`] : []),
  ]
  return `${rate.provider}: ${parts.join(', ')}`
}
