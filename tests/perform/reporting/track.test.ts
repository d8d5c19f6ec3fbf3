import { expect, it } from 'vitest'
import { mostNames, Reported } from '../../../src/perform/reporting/reported.ts'
import { mostPoints } from '../../../src/perform/reporting/track.ts'

it('keeps every point of a series of usual length', () => {
  const reported = new Reported()
  for (let step = 0; step < 1000; step++) reported.add({ metric: 'loss', value: step / 2, step })
  expect(reported.series()[0]?.values).toHaveLength(1000)
  expect(reported.thinned).toEqual([])
})

it('keeps a series of two million points small; its lowest, highest, last and sum are exact', () => {
  const reported = new Reported()
  for (let step = 1; step <= 2_000_000; step++) {
    const value = step === 777_777 ? -5 : step === 1_234_567 ? 1e9 : step % 100
    reported.add({ metric: 'loss', value, step })
    reported.add({ metric: 'cost_usd', value: 1, step: null })
  }
  const [loss] = reported.series()
  expect(loss?.values.length).toBeLessThanOrEqual(mostPoints + 3)
  expect(loss?.values.length).toBeGreaterThan(mostPoints / 4)
  expect(Math.min(...(loss?.values ?? []).slice(0, 100_000))).toBe(-5)
  expect(loss?.values[loss.steps.indexOf(1_234_567)]).toBe(1e9)
  expect(loss?.steps).toEqual((loss?.steps ?? []).toSorted((a, b) => a - b))
  expect(loss?.steps.at(-1)).toBe(2_000_000)
  expect(reported.reading('loss')).toEqual({ metric: 'loss', value: 0 })
  expect(reported.costUsd).toBe(2_000_000)
  expect(reported.thinned[0]).toMatchObject({ metric: 'loss', points: 2_000_000 })
})

it('keeps many metrics small together', () => {
  const reported = new Reported()
  for (let step = 0; step < 20_000; step++)
    for (let metric = 0; metric < 100; metric++) reported.add({ metric: `m${metric}`, value: step, step })
  const kept = reported.series().reduce((sum, { values }) => sum + values.length, 0)
  expect(kept).toBeLessThanOrEqual(1_000_300)
  expect(reported.reading('m99')).toEqual({ metric: 'm99', value: 19_999 })
})

it('leaves out new names of a run that invents one at every step, with a notice', () => {
  const reported = new Reported()
  for (let step = 0; step < 3 * mostNames; step++) reported.add({ metric: `loss_${step}`, value: step, step: null })
  reported.add({ metric: 'loss_7', value: 8, step: null })
  reported.summarise('final', 1)
  reported.add({ metric: 'cost_usd', value: 2, step: null })
  const reason = 'more than 10000 metrics were reported: "loss_10000" and all new names after it are left out'
  expect(reported.metrics).toHaveLength(mostNames + 1)
  expect(reported.problem).toBe(reason)
  expect(reported.reading('loss_7')).toEqual({ metric: 'loss_7', value: 8 })
  expect(reported.reading('final')).toEqual({ metric: 'final', problem: `the run did not report final; ${reason}` })
  expect(reported.costUsd).toBe(2)
})

it('lets a value without a step follow the last step', () => {
  const reported = new Reported()
  for (const step of [10, 20, 30]) reported.add({ metric: 'loss', value: 1, step })
  reported.add({ metric: 'loss', value: 0.5, step: null })
  for (let at = 0; at < 3; at++) reported.add({ metric: 'plain', value: at, step: null })
  expect(reported.series().map(({ steps }) => steps)).toEqual([
    [10, 20, 30, 31],
    [0, 1, 2],
  ])
})
