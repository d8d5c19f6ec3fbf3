/** The known word that was most likely meant, or null if none is close: a wrong suggestion is worse than none. */
export function suggest(word: string, known: Iterable<string>): string | null {
  const written = word.toLowerCase()
  let nearest: string | null = null
  let nearestDistance = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const distance = editDistance(written, candidate.toLowerCase())
    const length = Math.max(word.length, candidate.length)
    // Every one-letter name is one replacement away from all others, so none of them is close.
    if (distance > 0 && distance === length) continue
    if (distance > Math.max(1, Math.floor(length / 3)) || distance >= nearestDistance) continue
    nearest = candidate
    nearestDistance = distance
  }
  return nearest
}

/** `did you mean "jobs"?`, ready to be used as a hint. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const nearest = suggest(word, known)
  return nearest === null ? undefined : `did you mean "${nearest}"?`
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(beforeLast, j - 2) + 1 : replaced
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, swapped))
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY
