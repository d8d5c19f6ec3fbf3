import { joinSlugs, shortened } from '../../util/words.ts'

/** Directory and label: what varies, readable, and enough of the key to be unique. */
export function slugName(variantSlug: string, blockSlug: string, replicate: number | null, key: string): string {
  const rest = shortened(joinSlugs(blockSlug, replicate === null ? '' : `replicate-${replicate}`), longest / 2)
  const slug = joinSlugs(shortened(variantSlug, longest - rest.length), rest)
  return `${slug === '' ? 'run' : slug}__${key.slice(0, 12)}`
}

/** What people and file systems bear: many allow 255 bytes for a name, and tools append to it. */
const longest = 80
