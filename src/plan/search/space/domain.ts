import type { Domain } from '../../../define/experiment.ts'
import { isCountedFromMinimum, roundHalfEven, stepEnds, stepValue } from '../../../define/levels.ts'
import { betaCdf, betaQuantile, normalCdf, normalQuantile } from '../../../stats/index.ts'

/**
 * The number at a place between 0 and 1: the inverse of the distribution function, so that uniform places give numbers
 * distributed as the domain says.
 */
export function numberAt(domain: Domain, place: number): number {
  const exact = quantile(domain, place)
  if (domain.step === null) return within(domain, Number(exact.toPrecision(digitsOf(domain))))
  const ends = stepEnds(domain)
  const index = roundHalfEven((exact - domain.step.from) / domain.step.size)
  return stepValue(domain.step, ends === null ? index : Math.min(ends.last, Math.max(ends.first, index)))
}

/** The place of a number; with a step, the middle of all the places that give it. */
export function placeOf(domain: Domain, value: number): number {
  if (domain.step === null) return cumulative(domain, value)
  const half = domain.step.size / 2
  return (cumulative(domain, value - half) + cumulative(domain, value + half)) / 2
}

function quantile(domain: Domain, place: number): number {
  switch (domain.kind) {
    case 'uniform': {
      const { low, high } = limitsOf(domain)
      if (domain.scale === 'linear') return low + place * (high - low)
      return Math.exp(Math.log(low) + place * (Math.log(high) - Math.log(low)))
    }
    case 'normal': {
      const exact = domain.mean + domain.sd * normalQuantile(Math.min(1 - tail, Math.max(tail, place)))
      return domain.scale === 'linear' ? exact : Math.exp(exact)
    }
    case 'beta':
      return betaQuantile(place, domain.a, domain.b)
  }
}

function cumulative(domain: Domain, value: number): number {
  switch (domain.kind) {
    case 'uniform': {
      const { low, high } = limitsOf(domain)
      if (value <= low) return 0
      if (value >= high) return 1
      if (domain.scale === 'linear') return (value - low) / (high - low)
      return Math.log(value / low) / Math.log(high / low)
    }
    case 'normal':
      if (domain.scale === 'log' && value <= 0) return 0
      return normalCdf(((domain.scale === 'linear' ? value : Math.log(value)) - domain.mean) / domain.sd)
    case 'beta':
      return betaCdf(Math.min(1, Math.max(0, value)), domain.a, domain.b)
  }
}

/** How far a normal distribution is followed: six standard deviations. */
const tail = 1e-9

/**
 * Steps counted from the minimum are equally likely, including the first and the last: so the range is half a step
 * longer at both ends.
 */
function limitsOf(domain: Domain & { kind: 'uniform' }): { readonly low: number; readonly high: number } {
  const { min, max, step, scale } = domain
  if (step === null || !isCountedFromMinimum(domain)) return { low: min, high: max }
  const last = stepValue(step, stepEnds(domain)?.last ?? 0)
  const low = min - step.size / 2
  return { low: scale === 'log' ? Math.max(low, min / 2) : low, high: last + step.size / 2 }
}

/**
 * Six significant digits, more if the range is narrow for its distance from 0: precise enough for any search, short in
 * names, and the same text on every machine.
 */
function digitsOf(domain: Domain): number {
  if (domain.kind === 'beta' || domain.scale === 'log') return 6
  const [far, width] =
    domain.kind === 'uniform'
      ? [Math.max(Math.abs(domain.min), Math.abs(domain.max)), domain.max - domain.min]
      : [Math.abs(domain.mean), domain.sd]
  return Math.min(15, 6 + Math.max(0, Math.ceil(Math.log10(far / width || 1))))
}

const within = (domain: Domain, value: number): number =>
  domain.kind === 'uniform' ? Math.min(domain.max, Math.max(domain.min, value)) : value
