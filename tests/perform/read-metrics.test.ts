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

const lossOf = async (reported: Reported, spec: Partial<MetricSpec> = {}) => {
  const declared = { name: 'loss', goal: 'minimize', primary: true, source: { kind: 'reported' }, ...spec } as const
  const { metrics } = await readMetrics([declared], reported, null)
  return metrics.find(({ metric }) => metric === 'loss')
}

describe('of several values of a metric', () => {
  it('the last one counts', async () =>
    expect(await lossOf(reportedIn([3, 1, 2]))).toEqual({ metric: 'loss', value: 2 }))

  it('the best one counts where that is asked for, by the goal of the metric', async () => {
    expect(await lossOf(reportedIn([3, 1, 2]), { value: 'best' })).toEqual({ metric: 'loss', value: 1 })
    expect(await lossOf(reportedIn([3, 1, 2]), { value: 'best', goal: 'maximize' })).toEqual({
      metric: 'loss',
      value: 3,
    })
  })

  it('what the run says it counts as in the end is one of them', async () => {
    const reported = reportedIn([3, 1, 2])
    reported.summarise('loss', 0.5)
    expect(await lossOf(reported, { value: 'best' })).toEqual({ metric: 'loss', value: 0.5 })
  })

  it('one that is not a number leaves none', async () =>
    expect(await lossOf(reportedIn([3, Number.NaN]), { value: 'best' })).toEqual({
      metric: 'loss',
      problem: 'loss was reported as NaN',
    }))
})
