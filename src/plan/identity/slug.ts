import { canonicalJson } from '../../util/canonical-json.ts'
import type { Json } from '../../util/json.ts'

/** A value as part of a file name: letters, digits and `._-`, nothing that a path or a shell could misread. */
export function slugOf(value: Json): string {
  // The sign of a number must stay; it never stands at the start of a name.
  if (typeof value === 'number') return String(value).replace('+', '')
  const text = typeof value === 'string' ? value : canonicalJson(value)
  return trimmed(text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/\.{2,}/g, '.')) || 'blank'
}

/** `policy-full_workflows-50`. The parts are slugs already, or empty. */
export function joinSlugs(...parts: readonly string[]): string {
  let joined = ''
  for (const part of parts) if (part !== '') joined += joined === '' ? part : `_${part}`
  return joined
}

export const shortened = (slug: string, length: number): string =>
  slug.length <= length ? slug : trimmed(slug.slice(0, length))

const trimmed = (slug: string): string => slug.replace(/^[._-]+/, '').replace(/[._-]+$/, '')
