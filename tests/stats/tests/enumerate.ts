/** Every subset, by brute force, as reference for faster counting. */
export function subsets<T>(items: readonly T[]): T[][] {
  const [first, ...rest] = items
  if (first === undefined) return [[]]
  return subsets(rest).flatMap(subset => [subset, [first, ...subset]])
}

/** Every subset of one size. */
export function splits<T>(items: readonly T[], size: number): T[][] {
  return subsets(items).filter(subset => subset.length === size)
}
