import { expectedRate, formatRate, type LimitKind, parseRate, type RateLimit } from '../../define/limit-kinds.ts'
import { type LimitField, laidOver, limitFields, limitTable } from '../../define/limits.ts'
import { AssayError } from '../../util/errors.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { suggest } from '../../util/suggest.ts'

/** The limits that can be changed while an experiment runs, by the name its file has for them; rates have names of their own. */
const settable = new Map(
  limitFields
    .filter(field => field !== 'rate' && limitTable[field].isSettable)
    .map(field => [limitTable[field].key, field] as const),
)

/** Limits that were set, in the words that set them: `jobs=4`, `timeout=10m`, `rate.openai=500rpm`. */
export function limitTexts(limits: JsonObject): readonly string[] {
  return Object.entries(limits).flatMap(([name, value]) => {
    if (name === 'rate' && isJsonObject(value))
      return Object.entries(value).map(([provider, rate]) => `rate.${provider}=${rateText(rate)}`)
    const field = limitFields.find(one => one === name)
    return [`${field === undefined ? name : limitTable[field].key}=${limitText(field, value)}`]
  })
}

// What the journal holds was made by `read` of the same limit: that is what the casts say.
function limitText(field: LimitField | undefined, value: Json): string {
  if (value === null) return 'none'
  if (field === undefined) return canonicalJson(value)
  const { write } = limitTable[field].kind as LimitKind<unknown>
  return write(value)
}

const rateText = (rate: Json): string => (rate === null ? 'none' : formatRate(rate as unknown as RateLimit))

/** `jobs=4 budget_usd=30 rate.openai=500rpm` as limits; what was set before stays where nothing else is said. */
export function limitChanges(texts: readonly string[]): JsonObject {
  return texts.map(readChange).reduce(laidOver, {})
}

function readChange(text: string): JsonObject {
  const [name = '', ...rest] = text.split('=')
  const value = rest.join('=')
  const field = settable.get(name.replaceAll('-', '_'))
  if (rest.length === 0) throw notSettable(text, name)
  if (name.startsWith('rate.')) return { rate: { [name.slice('rate.'.length)]: readRate(value) } }
  if (field === undefined) throw notSettable(text, name)
  const { isOptional, kind } = limitTable[field]
  if (value === 'none' && isOptional) return { [field]: null }
  try {
    return { [field]: kind.read(value) as Json }
  } catch (error) {
    throw error instanceof AssayError ? new AssayError('usage', `${name}: ${error.message}`) : error
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

const settableNames = (): readonly string[] => [...settable.keys(), 'rate.<provider>']

const whatCanBeSet = (): string =>
  `What can be set: ${settableNames()
    .map(name => `${name}=…`)
    .join(' ')}`
