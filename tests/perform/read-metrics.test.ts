import { describe, expect, it } from 'vitest'
import type { MetricSpec } from '../../src/define/experiment.ts'
import { readMetrics } from '../../src/perform/read-metrics.ts'
import { Reported } from '../../src/perform/reported.ts'

const reportedIn = (losses: readonly number[]): Reported => {
  const reported = new Reported()
  losses.forEach((value, step) => {
    reported.add({ metric: 'loss', value, step })
  })
  return reported
}

const lossOf = (reported: Reported, spec: Partial<MetricSpec> = {}) =>
  readMetrics(
    [{ name: 'loss', goal: 'minimize', primary: true, source: { kind: 'reported' }, ...spec }],
    reported,
    null,
  ).metrics.find(({ metric }) => metric === 'loss')

describe('of several values of a metric', () => {
  it('the last one counts', () => expect(lossOf(reportedIn([3, 1, 2]))).toEqual({ metric: 'loss', value: 2 }))

  it('the best one counts where that is asked for, by the goal of the metric', () => {
    expect(lossOf(reportedIn([3, 1, 2]), { value: 'best' })).toEqual({ metric: 'loss', value: 1 })
    expect(lossOf(reportedIn([3, 1, 2]), { value: 'best', goal: 'maximize' })).toEqual({ metric: 'loss', value: 3 })
  })

  it('what the run says it counts as in the end is one of them', () => {
    const reported = reportedIn([3, 1, 2])
    reported.summarise('loss', 0.5)
    expect(lossOf(reported, { value: 'best' })).toEqual({ metric: 'loss', value: 0.5 })
  })

  it('one that is not a number leaves none', () =>
    expect(lossOf(reportedIn([3, Number.NaN]), { value: 'best' })).toEqual({
      metric: 'loss',
      problem: 'loss was reported as NaN',
    }))
})
