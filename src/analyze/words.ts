/** `instance_id` → `instance`: what a column is about, rather than what it is called. */
export function unitWord(name: string): string {
  const word = name.replace(/[_\- ]?(id|name|key|idx|index)$/i, '').replaceAll('_', ' ')
  return word === '' ? name : word
}

export function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`
}

/** `1 seed`, `10 seeds`. */
export const counted = (n: number, word: string): string => `${n} ${n === 1 ? word : plural(word)}`

/** `a, b and c`; long lists are cut. */
export function listed(all: readonly string[], most = 4): string {
  if (all.length > most) return `${all.slice(0, most).join(', ')} and ${all.length - most} more`
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

/** Enough of a commit, or of another digest, for people to tell it from others; what follows it stays. */
export const shortCommit = (digest: string): string => digest.replace(/^([0-9a-f]{12})[0-9a-f]+/, '$1')
