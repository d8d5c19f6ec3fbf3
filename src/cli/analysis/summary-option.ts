import { defaultSummary, type Reading } from '../../analyze/reading.ts'
import { parseReduction, type Reduction, type Window } from '../../stats/index.ts'
import { AssayError } from '../../util/errors.ts'
import type { Options } from '../options.ts'

/** How a series becomes a number, from the options; undefined where none says anything about it. */
export function summaryOption(options: Options): NonNullable<Reading['summary']> | undefined {
  const { summary, window, summaryPercent, summaryStepMin, summaryStepMax, summaryN, summaryNormalizeSteps } = options
  const given = [summary, window, summaryPercent, summaryStepMin, summaryStepMax, summaryN, summaryNormalizeSteps]
  if (given.every(value => value === undefined)) return undefined
  const named = summary === undefined ? defaultSummary.reduction : reductionOf(summary, summaryN)
  const isWhole = named.kind === 'auc' && /^(false|no|0|off)$/i.test(summaryNormalizeSteps ?? '')
  const reduction = isWhole ? { ...named, normalized: false } : named
  return { reduction, window: windowOf(options, reduction), minPoints: defaultSummary.minPoints }
}

/** `eval_last_n` is how the pipeline that compare takes over from spells `eval-last:<n>`. */
function reductionOf(text: string, n: number | undefined): Reduction {
  if (text === 'eval_last_n' || text === 'eval-last') return { kind: 'eval-last', points: n ?? 5 }
  return parseReduction(text)
}

/** An area or a slope is taken over the last quarter of the points unless something else is asked for; the rest over all. */
function windowOf(options: Options, reduction: Reduction): Window {
  const { window, summaryPercent, summaryPercentWindow = 'last', summaryStepMin, summaryStepMax } = options
  if (window !== undefined) return parseWindow(window)
  if (summaryPercent !== undefined)
    return { kind: 'share-of-points', share: summaryPercent, which: summaryPercentWindow }
  if (summaryStepMin !== undefined || summaryStepMax !== undefined)
    return {
      kind: 'steps',
      from: summaryStepMin ?? Number.NEGATIVE_INFINITY,
      to: summaryStepMax ?? Number.POSITIVE_INFINITY,
    }
  return reduction.kind === 'auc' || reduction.kind === 'slope' ? defaultSummary.window : { kind: 'all' }
}

/** `all`, `last:25%`, `first:10%steps`, `steps:100..200`. */
export function parseWindow(text: string): Window {
  if (text === 'all') return { kind: 'all' }
  const [, which, share, unit] = /^(last|first):([\d.]+)%\s*(steps|points)?$/.exec(text) ?? []
  if ((which === 'last' || which === 'first') && Number(share) > 0 && Number(share) <= 100)
    return { kind: unit === 'steps' ? 'share-of-steps' : 'share-of-points', share: Number(share) / 100, which }
  const [, from, to] = /^steps:([\d.e+]*)\.\.([\d.e+]*)$/.exec(text) ?? []
  if (from !== undefined && to !== undefined && from + to !== '')
    return {
      kind: 'steps',
      from: from === '' ? Number.NEGATIVE_INFINITY : Number(from),
      to: to === '' ? Number.POSITIVE_INFINITY : Number(to),
    }
  throw new AssayError(
    'usage',
    `expected a window such as all, last:25%, last:25%steps or steps:100..200, got "${text}"`,
  )
}
