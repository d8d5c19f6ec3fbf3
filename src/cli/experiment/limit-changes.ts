import type { HaltRule, Limits, RateLimit } from '../../define/experiment.ts'
import { expectedRate, formatRate, parseRate } from '../../define/rate.ts'
import { canonicalJson } from '../../util/canonical-json.ts'
import { formatDuration } from '../../util/duration.ts'
import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { suggest } from '../../util/suggest.ts'
import { duration, haltRule, positiveNumber, usd, yesOrNo } from '../parse-values.ts'

/** What can be changed, as the configuration file calls it, and how its value is read and written. `none` takes a limit away. */
const settable: {
  readonly [name: string]: {
    readonly limit: keyof Limits
    read(text: string): Json
    /** As somebody would type it, where that is not the value itself. */
    write?(value: Json): string
    readonly optional?: boolean
  }
} = {
  jobs: { limit: 'jobs', read: positiveNumber },
  timeout: { limit: 'timeout_ms', read: duration, write: durationText, optional: true },
  grace: { limit: 'grace_ms', read: duration, write: durationText },
  budget_usd: { limit: 'budget_usd', read: usd, optional: true },
  run_budget_usd: { limit: 'run_budget_usd', read: usd },
  run_calls: { limit: 'run_calls', read: positiveNumber, optional: true },
  run_tokens: { limit: 'run_tokens', read: positiveNumber, optional: true },
  fail_on_rate_limit: { limit: 'fail_on_rate_limit', read: yesOrNo },
  quarantine_after: { limit: 'quarantine_after', read: positiveNumber },
  halt: { limit: 'halt', read: text => ({ ...haltRule(text) }), write: haltText, optional: true },
}

/** Limits that were set, in the words that set them: `jobs=4`, `timeout=10m`, `rate.openai=500rpm`. */
export function limitTexts(limits: JsonObject): readonly string[] {
  return Object.entries(limits).flatMap(([limit, value]) => {
    if (limit === 'rate' && isJsonObject(value))
      return Object.entries(value).map(([provider, rate]) => `rate.${provider}=${rateText(rate)}`)
    const [name, how] = Object.entries(settable).find(([, one]) => one.limit === limit) ?? [limit, undefined]
    return [`${name}=${value === null ? 'none' : (how?.write?.(value) ?? canonicalJson(value))}`]
  })
}

function durationText(ms: Json): string {
  return formatDuration(Number(ms))
}

// What the journal holds was made by `read`: that is what the casts say.
function haltText(value: Json): string {
  const rule = value as unknown as HaltRule
  return 'share' in rule ? `fail=${Number((rule.share * 100).toPrecision(12))}%` : `fail=${rule.failures}`
}

const rateText = (rate: Json): string => (rate === null ? 'none' : formatRate(rate as unknown as RateLimit))

/** `jobs=4 budget_usd=30 rate.openai=500rpm` as limits; what was set before stays where nothing else is said. */
export function limitChanges(texts: readonly string[]): JsonObject {
  return texts.map(readChange).reduce(laidOver, {})
}

/** Rates lie over each other provider by provider. */
export function laidOver(before: JsonObject, changes: JsonObject): JsonObject {
  const { rate: old } = before
  const { rate } = changes
  const both = { ...before, ...changes }
  return isJsonObject(old) && isJsonObject(rate) ? { ...both, rate: { ...old, ...rate } } : both
}

function readChange(text: string): JsonObject {
  const [name = '', ...rest] = text.split('=')
  const value = rest.join('=')
  const key = name.replaceAll('-', '_')
  const known = Object.hasOwn(settable, key) ? settable[key] : undefined
  if (rest.length === 0) throw notSettable(text, name)
  try {
    if (name.startsWith('rate.')) return { rate: { [name.slice('rate.'.length)]: readRate(value) } }
    if (known === undefined) throw notSettable(text, name)
    return { [known.limit]: value === 'none' && known.optional ? null : known.read(value) }
  } catch (error) {
    if (!(error instanceof AssayError) || known === undefined) throw error
    throw new AssayError('usage', `${name}: ${error.message}`)
  }
}

function readRate(text: string): Json {
  if (text === 'none') return null
  const rate = parseRate(text)
  if (rate === null) throw new AssayError('usage', `${expectedRate}, got "${text}"`)
  return { ...rate }
}

export const nothingToSet = (): AssayError =>
  new AssayError('usage', 'nothing to set was given, such as jobs=4', { hint: whatCanBeSet() })

function notSettable(text: string, name: string): AssayError {
  const near = suggest(name, settableNames())
  return new AssayError('usage', `can't set "${text}"${near === null ? '' : `; did you mean ${near}=…?`}`, {
    hint: whatCanBeSet(),
  })
}

const settableNames = (): readonly string[] => [...Object.keys(settable), 'rate.<provider>']

const whatCanBeSet = (): string =>
  `What can be set: ${settableNames()
    .map(name => `${name}=…`)
    .join(' ')}`
