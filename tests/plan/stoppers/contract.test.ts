import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EarlyStop } from '../../../src/define/experiment.ts'
import { type SeriesSoFar, stopperFor } from '../../../src/plan/stoppers/registry.ts'
import { namesOf, series } from './series.ts'

const rules: readonly EarlyStop[] = [
  { type: 'hyperband', min_iter: 2, max_iter: null, s: null, eta: 2, strict: false },
  { type: 'hyperband', min_iter: null, max_iter: 27, s: 2, eta: 3, strict: true },
  { type: 'asha', min_iter: 1, eta: 3 },
  { type: 'median', min_iter: 2, min_runs: 2 },
  { type: 'paired', alpha: 0.1 },
]

const someSeries = fc
  .array(
    fc.record({
      values: fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { maxLength: 30 }),
      state: fc.constantFrom('running', 'complete', 'failed'),
    }),
    { maxLength: 12 },
  )
  .map(all =>
    all.map(({ values, state }, index) =>
      series(`run${index}`, values, { isRunning: state === 'running', isComplete: state === 'complete' }),
    ),
  )

const judged = (rule: EarlyStop, all: readonly SeriesSoFar[], goal: 'minimize' | 'maximize' = 'minimize') =>
  stopperFor(rule, goal)(
    all.filter(({ isRunning }) => isRunning),
    all,
  )

describe.each(rules.map(rule => [JSON.stringify(rule), rule] as const))('a stopper: %s', (_, rule) => {
  it('stops only running runs, each at most once, with a reason', () => {
    fc.assert(
      fc.property(someSeries, all => {
        const stops = judged(rule, all)
        const running = new Set(namesOf(stops))
        expect(running.size).toBe(stops.length)
        for (const { run, reason } of stops) {
          expect(all.find(({ run: { name } }) => name === run)?.isRunning).toBe(true)
          expect(reason).toMatch(new RegExp(`^${rule.type}.*: .*\\d`))
          expect(reason).not.toMatch(/NaN|undefined|Infinity/)
        }
      }),
    )
  })

  it('gives the same answer for any order of runs', () => {
    fc.assert(
      fc.property(someSeries, all => {
        expect(new Set(namesOf(judged(rule, all.toReversed())))).toEqual(new Set(namesOf(judged(rule, all))))
      }),
    )
  })

  it('treats a score to maximise as a negative loss', () => {
    fc.assert(
      fc.property(someSeries, all => {
        const negated = all.map(one => ({ ...one, values: one.values.map(value => -value) }))
        expect(namesOf(judged(rule, negated, 'maximize'))).toEqual(namesOf(judged(rule, all)))
      }),
    )
  })

  it('never stops a run that is better than all others at every iteration', () => {
    fc.assert(
      fc.property(someSeries, fc.integer({ min: 0, max: 30 }), (all, iterations) => {
        const best = series('best', Array(iterations).fill(-11))
        expect(namesOf(judged(rule, [...all, best]))).not.toContain('best')
      }),
    )
  })

  it('never stops a single run', () => {
    expect(judged(rule, [series('only', Array(40).fill(1))])).toEqual([])
    expect(judged(rule, [series('silent', [])])).toEqual([])
  })
})
