import { areaUnder } from '../../curves/area.ts'
import { bestOf, meanOfLast } from '../../curves/reduce-series.ts'
import { lastOf } from '../../curves/series.ts'
import { slopeOf } from '../../curves/slope.ts'
import { inWindow, type Window } from '../../curves/window.ts'
import { valueOrNull } from '../../outcome.ts'
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
