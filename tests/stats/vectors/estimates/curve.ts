import { areaUnder } from '../../../../src/stats/curves/area.ts'
import { bestOf, meanOfLast } from '../../../../src/stats/curves/reduce-series.ts'
import { lastOf } from '../../../../src/stats/curves/series.ts'
import { slopeOf } from '../../../../src/stats/curves/slope.ts'
import { inWindow, type Window } from '../../../../src/stats/curves/window.ts'
import { valueOrNull } from '../../../../src/stats/estimate.ts'
import type { Evaluate, Input } from '../evaluate.ts'

export const curve: Readonly<Record<string, Evaluate>> = {
  'curve.summaries': input => {
    const whole = { steps: input.steps, values: input.values }
    const points = inWindow(whole, windowOf(input.window))
    const axis = input.axis ?? 'step'
    return {
      points: points.values.length,
      aucRaw: valueOrNull(areaUnder(points, { axis, normalized: false })),
      aucNormalized: valueOrNull(areaUnder(points, { axis, normalized: true })),
      slopeFull: valueOrNull(slopeOf(whole)),
      slopeWindow: valueOrNull(slopeOf(points)),
      meanLastK: valueOrNull(meanOfLast(whole, input.lastK ?? 1)),
      final: valueOrNull(lastOf(whole.values)),
      best: valueOrNull(bestOf(whole, input.goal)),
    }
  },
}

function windowOf(window: Input): Window {
  switch (window?.type) {
    case 'percent':
    case 'percentPoints':
      return { kind: 'share-of-points', share: window.percent, which: window.which ?? 'last' }
    case 'percentSteps':
      return { kind: 'share-of-steps', share: window.percent, which: window.which ?? 'last' }
    case 'steps':
      return { kind: 'steps', from: window.min ?? -Infinity, to: window.max ?? Infinity }
    default:
      return { kind: 'all' }
  }
}
