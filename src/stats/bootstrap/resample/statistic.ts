/** A number out of a sample. It may reorder the array it is given, which is scratch space, but must not keep it. */
export type Statistic = (values: Float64Array) => number

export const meanStatistic: Statistic = values => {
  let sum = 0
  for (let at = 0; at < values.length; at++) sum += values[at] ?? 0
  return sum / values.length
}

export const medianStatistic: Statistic = values => {
  values.sort()
  const middle = values.length >>> 1
  const upper = values[middle] ?? Number.NaN
  return values.length % 2 === 1 ? upper : ((values[middle - 1] ?? Number.NaN) + upper) / 2
}

/** With n − 1, around the mean computed first: no cancellation however far from zero the values are. */
export const varianceStatistic: Statistic = values => {
  const centre = meanStatistic(values)
  let squares = 0
  for (let at = 0; at < values.length; at++) squares += ((values[at] ?? 0) - centre) ** 2
  return squares / (values.length - 1)
}

export const standardDeviationStatistic: Statistic = values => Math.sqrt(varianceStatistic(values))

/** Without the given share of the values at each end, rounded down to whole values. */
export const trimmedMeanStatistic =
  (share: number): Statistic =>
  values => {
    const cut = Math.floor(share * values.length)
    return meanStatistic(values.sort().subarray(cut, values.length - cut))
  }
