import { knownMetrics } from '../define/observation.ts'
import { isAvailable } from '../stats/estimate.ts'
import { type CohenKappa, cohenKappa } from '../stats/index.ts'
import { counted, percentText } from '../util/words.ts'

/** The agreement of two judges: of two in a panel, or of a judge and a person. */
export interface Agreement {
  readonly one: string
  readonly other: string
  /** Over the answers that both judged. */
  readonly found: CohenKappa
}

type Judged = { readonly metrics: { readonly [metric: string]: number } }

/** The name under which human labels are shown. */
const people = 'human labels'

/** Every pair of judges, and each judge with the human labels; empty if there is only one. */
export function agreementsIn(runs: readonly Judged[]): readonly Agreement[] {
  const names = new Set<string>()
  for (const { metrics } of runs) for (const name in metrics) if (isJudgement(name)) names.add(name)
  const judges = [...names].sort(
    (a, b) => Number(a === knownMetrics.label) - Number(b === knownMetrics.label) || (a < b ? -1 : 1),
  )
  return judges.flatMap((one, at) =>
    judges.slice(at + 1).flatMap(other => {
      const both = runs.flatMap(({ metrics }) => {
        const [first, second] = [metrics[one], metrics[other]]
        return first === undefined || second === undefined ? [] : [[first, second] as const]
      })
      const found = cohenKappa(
        both.map(([first]) => first),
        both.map(([, second]) => second),
      )
      return isAvailable(found) ? [{ one: nameOf(one), other: nameOf(other), found }] : []
    }),
  )
}

const isJudgement = (metric: string): boolean => metric === knownMetrics.label || metric.startsWith(knownMetrics.judge)

const nameOf = (metric: string): string =>
  metric === knownMetrics.label ? people : metric.slice(knownMetrics.judge.length)

/** `collect` lists the pairs beyond this number. */
const mostLines = 6

/** In words: `gpt-4o and human labels agree on 92% of 120 answers (kappa 0.81, 95% CI 0.70 to 0.92)`. */
export function agreementLines(runs: readonly Judged[]): readonly string[] {
  const all = agreementsIn(runs)
  const lines = all.slice(0, mostLines).map(({ one, other, found }) => {
    const { observed, kappa, interval, items } = found
    return `${one} and ${other} agree on ${percentText(observed)} of ${counted(items, 'answer')} (${kappaText(kappa, interval)})`
  })
  return all.length > mostLines ? [...lines, `and ${all.length - mostLines} more pairs of judges`] : lines
}

function kappaText(kappa: CohenKappa['kappa'], interval: CohenKappa['interval']): string {
  if (!isAvailable(kappa)) return 'kappa is not defined: all got one and the same verdict'
  const bounds = isAvailable(interval) ? [hundredths(interval.low), hundredths(interval.high)] : []
  const [low, high] = bounds
  return `kappa ${hundredths(kappa)}${low === high ? '' : `, 95% CI ${low} to ${high}`}`
}

/** Never `−0.00`. */
const hundredths = (value: number): string => (Math.round(value * 100) / 100 + 0).toFixed(2).replace('-', '−')
