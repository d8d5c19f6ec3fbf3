import { canonicalJson, type Json } from './json.ts'

/** A value as part of a file name: letters (of any script), digits and `._-`, nothing that a path or a shell could misread. */
export function slugOf(value: Json): string {
  // The sign of a number must stay; it never stands at the start of a name.
  if (typeof value === 'number') return String(value).replace('+', '')
  const text = typeof value === 'string' ? value : canonicalJson(value)
  return (
    trimmed(
      text
        .normalize('NFC')
        .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
        .replaceAll(/\.{2,}/g, '.'),
    ) || 'blank'
  )
}

/** `policy-full_workflows-50`. The parts are slugs already, or empty. */
export function joinSlugs(...parts: readonly string[]): string {
  let joined = ''
  for (const part of parts) if (part !== '') joined += joined === '' ? part : `_${part}`
  return joined
}

/** To so many bytes, as file systems count them; whole characters only. */
export function shortened(slug: string, bytes: number): string {
  if (slug.length * 3 <= bytes || Buffer.byteLength(slug) <= bytes) return slug
  let kept = ''
  for (const character of slug) {
    if (Buffer.byteLength(kept + character) > bytes) break
    kept += character
  }
  return trimmed(kept)
}

const trimmed = (slug: string): string => slug.replace(/^[._-]+/, '').replace(/[._-]+$/, '')
