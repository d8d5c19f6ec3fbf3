import type { Window } from '../stats/curves/window.ts'
import type { Reading } from './reading.ts'

/** `auc of the last 25 % of the points`: how a series became a number, in words. */
export function describeSummary({ reduction, window }: NonNullable<Reading['summary']>): string {
  const what = {
    auc: reduction.kind === 'auc' && reduction.normalized === false ? 'area' : 'auc',
    slope: 'slope',
    last: 'last',
    mean: 'mean',
    best: 'best',
    'eval-last': 'mean of the last',
    'time-to': 'steps to',
  }[reduction.kind]
  const amount =
    reduction.kind === 'eval-last'
      ? ` ${reduction.points} points`
      : reduction.kind === 'time-to'
        ? ` ${reduction.threshold}`
        : ''
  return `${what}${amount}${windowText(window)}`
}

function windowText(window: Window): string {
  switch (window.kind) {
    case 'all':
      return ''
    case 'steps':
      return ` of steps ${window.from} to ${window.to}`
    case 'share-of-steps':
      return ` of the ${window.which} ${window.share * 100} % of the steps`
    case 'share-of-points':
      return ` of the ${window.which} ${window.share * 100} % of the points`
  }
}
