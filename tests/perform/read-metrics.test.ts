import { describe, expect, it } from 'vitest'
import type { MetricSpec } from '../../src/define/experiment.ts'
import { readMetrics } from '../../src/perform/read-metrics.ts'
import { Reported } from '../../src/perform/reporting/reported.ts'

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

  it('the best one counts on request, by the goal of the metric', async () => {
    expect(await lossOf(reportedIn([3, 1, 2]), { value: 'best' })).toEqual({ metric: 'loss', value: 1 })
    expect(await lossOf(reportedIn([3, 1, 2]), { value: 'best', goal: 'maximize' })).toEqual({
      metric: 'loss',
      value: 3,
    })
  })

  it('the final value set by the run is one of them', async () => {
    const reported = reportedIn([3, 1, 2])
    reported.summarise('loss', 0.5)
    expect(await lossOf(reported, { value: 'best' })).toEqual({ metric: 'loss', value: 0.5 })
  })

  it('a value that is not a number leaves no value', async () =>
    expect(await lossOf(reportedIn([3, Number.NaN]), { value: 'best' })).toEqual({
      metric: 'loss',
      problem: 'loss was reported as NaN',
    }))
})

describe('a reserved metric name', () => {
  const readingOf = async (declared: readonly MetricSpec[], name: string) => {
    const reported = new Reported()
    for (const metric of [name, 'loss']) reported.add({ metric, value: 3, step: null })
    const { metrics } = await readMetrics(declared, reported, null)
    expect(metrics).toContainEqual({ metric: 'loss', value: 3 })
    return metrics.find(({ metric }) => metric === name)
  }

  it.each([
    ['seed', '"seed" is the column of runs.csv with the random seed of each run; report it under another name'],
    ['attempts', '"attempts" is reserved by assay; report it under another name'],
  ])('is a problem and not a value where a run reports it unasked: %s', async (metric, problem) =>
    expect(await readingOf([], metric)).toEqual({ metric, problem }),
  )

  it('has no series either', async () => {
    const reported = reportedIn([3, 2, 1])
    for (const step of [1, 2, 3]) reported.add({ metric: 'seed', value: step, step })
    const { series } = await readMetrics([], reported, null)
    expect(series.map(({ metric }) => metric)).toEqual(['loss'])
  })

  it('is allowed in files of other tools, which declare it', async () => {
    const declared = { name: 'attempts', goal: null, primary: true, source: { kind: 'reported' } } as const
    expect(await readingOf([declared], 'attempts')).toEqual({ metric: 'attempts', value: 3 })
  })

  it('does not prevent a run from reporting its cost', async () =>
    expect(await readingOf([], 'cost_usd')).toEqual({ metric: 'cost_usd', value: 3 }))
})
