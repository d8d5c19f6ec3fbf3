import { requireThat } from '../estimate.ts'
import { pointsOf, type Series } from './series.ts'

/**
 * The part of a series that is used. A share of the points depends on how densely a run was logged; a share of the
 * steps does not, so it is the fair choice for runs logged differently.
 */
export type Window =
  | { readonly kind: 'all' }
  | { readonly kind: 'steps'; readonly from: number; readonly to: number }
  | { readonly kind: 'share-of-steps'; readonly share: number; readonly which: 'first' | 'last' }
  | { readonly kind: 'share-of-points'; readonly share: number; readonly which: 'first' | 'last' }

export const wholeSeries: Window = { kind: 'all' }

/** The points inside the window, its edges included. */
export function inWindow(series: Series, window: Window): Series {
  switch (window.kind) {
    case 'all':
      return series
    case 'steps':
      requireThat(
        window.from <= window.to,
        `a window whose end is not before its start, got ${window.from} to ${window.to}`,
      )
      return pointsOf(series, step => step >= window.from && step <= window.to)
    case 'share-of-steps':
      return pointsOf(series, stepsOfShare(series, window))
    case 'share-of-points':
      return pointsOf(series, pointsOfShare(series, window))
  }
}

type Share = { readonly share: number; readonly which: 'first' | 'last' }

function stepsOfShare({ steps }: Series, { share, which }: Share): (step: number) => boolean {
  checkShare(share)
  const first = steps[0] ?? 0
  const last = steps.at(-1) ?? 0
  const width = share * (last - first)
  // A share such as 0.1 has no exact double: without this slack a point on the edge would be lost.
  const slack = 1e-9 * (last - first)
  return which === 'first' ? step => step <= first + width + slack : step => step >= last - width - slack
}

function pointsOfShare({ steps }: Series, { share, which }: Share): (step: number, at: number) => boolean {
  checkShare(share)
  const count = Math.max(1, Math.ceil(share * steps.length))
  return which === 'first' ? (_, at) => at < count : (_, at) => at >= steps.length - count
}

function checkShare(share: number): void {
  requireThat(share > 0 && share <= 1, `a share above 0 and at most 1, got ${share}`)
}
