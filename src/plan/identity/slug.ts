import { canonicalJson } from '../../util/canonical-json.ts'
import type { Json } from '../../util/json.ts'

/** A value as part of a file name: letters, digits and `._-`, nothing that a path or a shell could misread. */
export function slugOf(value: Json): string {
  const text = typeof value === 'string' ? value : canonicalJson(value)
  return trimmed(text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/\.{2,}/g, '.'))
}

/** `policy-full_workflows-50`, no longer than what file systems and people bear. The parts are slugs already. */
export function joinSlugs(...parts: readonly string[]): string {
  let joined = ''
  for (const part of parts) if (part !== '') joined += joined === '' ? part : `_${part}`
  return joined.length <= longest ? joined : trimmed(joined.slice(0, longest))
}

const longest = 80

const trimmed = (slug: string): string => slug.replace(/^[._-]+/, '').replace(/[._-]+$/, '')
