import { percentText, plainNumber } from '../numbers.ts'
import type { Variance } from './variance.ts'
import type { RunVariation } from './variation.ts'

/** The answer in one sentence, about the first statistic. */
export function sentenceOf(found: Omit<Variance, 'sentence'>): string {
  const [first] = found.statistics
  const of = found.variant === null ? '' : ` of ${found.variant}`
  if (first === undefined) return `nothing can be said about ${found.metric}${of}: ${found.reason}`
  return `${finding(found, first, of)}${precision(found, first)}`
}

function finding({ metric, runs, threshold }: Omit<Variance, 'sentence'>, first: RunVariation, of: string): string {
  const { name, cv, ci, enough, would_be_enough: wouldBe, reason, mean, share, values } = first
  const what = first.summary === null ? `${metric}${of}` : `${metric}${of} (${name})`
  const n = runs.length
  if (share !== null)
    return `${what} is yes or no: ${values.filter(value => value === 1).length} of ${n} runs say yes, ${percentText(mean)} (${percentText(share.level)} CI ${percentText(share.low ?? 0)} to ${percentText(share.high ?? 1)}), and of that there is no coefficient of variation`
  if (reason === 'zero variance')
    return `all ${n} runs give the same ${what}, ${plainNumber(mean)}: there is no variation between them to measure`
  if (cv === null) return `${what} has no coefficient of variation over these ${n} runs: ${reason}`
  if (ci?.high === null)
    return `the mean of ${what} may be 0 (${n} runs), and then there is no coefficient of variation to bound`
  const under = percentText(threshold)
  const known = `CV ${percentText(cv)}${boundsText(ci)}`
  if (enough !== null)
    return `${what} varies by less than ${under} between runs: ${known}, shown by ${enough} of the ${n} runs`
  if (ci !== null && ci.low > threshold)
    return `${what} varies by more than ${under} between runs, which no number of runs will change: ${known}`
  const open = `${n} runs do not show that ${what} varies by less than ${under} between runs: ${known}`
  return wouldBe === null ? open : `${open}; about ${wouldBe} would, if that is the true CV`
}

/** How well the mean is known: what the number of runs decides. */
function precision({ runs, level }: Omit<Variance, 'sentence'>, { precision, ci }: RunVariation): string {
  if (ci?.high === null) return ''
  const share = precision.find(({ n }) => n === runs.length)?.relative_half_width ?? null
  return share === null ? '' : `; the mean is known to ± ${percentText(share)} (${percentText(level)} CI)`
}

export function boundsText(ci: RunVariation['ci']): string {
  if (ci === null) return ''
  const high = ci.high === null ? 'without an upper bound' : `to ${percentText(ci.high)}`
  return ` (${percentText(ci.level)} CI ${percentText(ci.low)} ${high})`
}
