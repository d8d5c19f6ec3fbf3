import { isJsonObject, type Json } from '../../util/json.ts'
import { spellingsOf } from '../../util/secrets.ts'
import { providers } from '../names/known-names.ts'
import type { Environment } from './access.ts'

/** Removes keys from a text: whatever a provider sends back, our keys go no further. */
export type Redact = (text: string) => string

const otherSecrets = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_ACCESS_KEY_ID', 'GOOGLE_VERTEX_API_KEY']

/** For all keys in the environment, and those named by the settings of models. */
export function redactor(env: Environment, more: readonly string[] = []): Redact {
  const names = [...Object.values(providers).flatMap(({ keys }) => keys), ...otherSecrets, ...more]
  const secrets = [...new Set(names.map(name => env[name]?.trim() ?? ''))].filter(secret => secret.length >= shortest)
  return redactorOf(secrets)
}

/** Shorter ones are words such as `none`, which would be taken out of every sentence. */
const shortest = 6

export function redactorOf(secrets: readonly string[]): Redact {
  // Longest first: one key may begin with another.
  const spellings = secrets.flatMap(spellingsOf)
  const sorted = [...spellings].sort((a, b) => b.length - a.length)
  return text =>
    sorted.reduce((left, secret) => (left.includes(secret) ? left.replaceAll(secret, '[key]') : left), text)
}

/**
 * The same data without keys: in texts, in names, and in numbers, since a key may consist of digits. Undefined fields
 * are left out.
 */
export function redactedJson(data: object, redact: Redact): Json {
  const clean = (value: Json): Json => {
    if (typeof value === 'string') return redact(value)
    if (typeof value === 'number') return redact(String(value)) === String(value) ? value : redact(String(value))
    if (Array.isArray(value)) return value.map(clean)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [redact(name), clean(held)]))
  }
  return clean(JSON.parse(JSON.stringify(data)))
}
