import { sha256 } from '../../../util/hash.ts'
import { canonicalJson, type Json, type JsonObject } from '../../../util/json.ts'
import type { TestCase } from '../spec.ts'
import { textOf } from '../templates/template.ts'

export interface NamedCase extends TestCase {
  /** A few words, which no other case has. */
  readonly id: string
}

/**
 * Names from the user's words, else from the first words of the case; two that would share a name get a few more
 * digits.
 */
export function nameCases(cases: readonly TestCase[]): readonly NamedCase[] {
  const named = cases.map(one => ({ ...one, id: words(one.id ?? one.description ?? firstOf(one.vars ?? {})) }))
  const count = new Map<string, number>()
  for (const { id } of named) count.set(id, (count.get(id) ?? 0) + 1)
  return named.map(one =>
    (count.get(one.id) ?? 0) > 1 ? { ...one, id: `${one.id}-${digestOf(one).slice(0, 6)}` } : one,
  )
}

/** The content of a case, whatever its name and position. */
export function digestOf({ vars = {}, assert = [], threshold, options, label }: TestCase): string {
  // Plain data all through; undefined is absent.
  const content: Json = JSON.parse(JSON.stringify({ vars, assert, threshold: threshold ?? null, options, label }))
  return sha256(canonicalJson(content)).slice(0, 16)
}

const firstOf = (vars: JsonObject): string => textOf(Object.values(vars)[0] ?? 'case')

const words = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 32)
    .replace(/^-+|-+$/g, '') || 'case'
