export interface RetryHints {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Google puts it into the body. */
  readonly body: string
  /** Milliseconds since 1970, for a date whose sender did not give its own time. */
  readonly now: number
}

/** How many milliseconds the provider asks to wait: in seconds, as a date, or in its own header or body. */
export function retryAfterMs({ headers, body, now }: RetryHints): number | null {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (exact >= 0) return exact
  const written = headers['retry-after']?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(written)) return Number(written) * 1000
  const date = Date.parse(written)
  // By the sender's own clock if it gives it: ours may be wrong by hours.
  if (!Number.isNaN(date)) return Math.max(0, date - senderNow(headers, now))
  const seconds = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return seconds === undefined ? null : Number(seconds) * 1000
}

function senderNow(headers: RetryHints['headers'], now: number): number {
  const serverNow = Date.parse(headers.date ?? '')
  return Number.isNaN(serverNow) ? now : serverNow
}
