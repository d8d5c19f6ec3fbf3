import type { Statistic } from './statistic.ts'

/** The statistic of the sample without its first value, without its second, … */
export function leaveOneOut(sample: Float64Array, statistic: Statistic): Float64Array {
  const rest = new Float64Array(sample.length - 1)
  return sample.map((_, out) => {
    rest.set(sample.subarray(0, out))
    rest.set(sample.subarray(out + 1), out)
    return statistic(rest)
  })
}

export function meansLeavingOneOut(sample: Float64Array): Float64Array {
  const sum = sample.reduce((total, value) => total + value, 0)
  return sample.map(value => (sum - value) / (sample.length - 1))
}
