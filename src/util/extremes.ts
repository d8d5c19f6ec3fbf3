/** The largest of any number of values: `Math.max(...values)` ends with a stack overflow at about a hundred thousand. */
export const largestOf = (values: Iterable<number>): number => {
  let largest = Number.NEGATIVE_INFINITY
  for (const value of values) largest = Math.max(largest, value)
  return largest
}

export const smallestOf = (values: Iterable<number>): number => {
  let smallest = Number.POSITIVE_INFINITY
  for (const value of values) smallest = Math.min(smallest, value)
  return smallest
}
