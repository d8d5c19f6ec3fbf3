import { joinSlugs } from './slug.ts'

/** Directory and label: what varies, readable, and enough of the key to be unique. */
export function slugName(variantSlug: string, blockSlug: string, replicate: number | null, key: string): string {
  const slug = joinSlugs(variantSlug, blockSlug, replicate === null ? '' : `replicate-${replicate}`)
  return `${slug === '' ? 'run' : slug}__${key.slice(0, 12)}`
}
