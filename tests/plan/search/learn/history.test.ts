import { describe, expect, test } from 'vitest'
import type { SearchSpec } from '../../../../src/define/experiment.ts'
import type { Observation } from '../../../../src/define/observation.ts'
import { objectiveOf, resultValueOf } from '../../../../src/plan/planner.ts'
import { historyOf } from '../../../../src/plan/search/learn/history.ts'
import { lossesFor } from '../../../../src/plan/search/learn/loss.ts'
import { type Trial, withNews } from '../../../../src/plan/search/learn/trials.ts'
import { spaceOf } from '../../../../src/plan/search/space/space.ts'
import { variantRunsOf } from '../../../../src/plan/search/variant-runs.ts'
import { seededRandom } from '../../../../src/util/random.ts'
import { mixed, observed, searching } from '../spaces.ts'

const experiment = mixed(searching('bayes'))
const space = spaceOf(experiment)
const runs = variantRunsOf(experiment)
const point = [0.1, 0.5, 0, null]
const trial = (...results: Trial['results']): Trial => ({ point, asked: 2, results })
const other: Trial = { point: [0.1, 0.5, 1, 3], asked: 2, results: [7, 9] }
const known = (trials: readonly Trial[], search: SearchSpec) =>
  historyOf(trials, space, search, lossesFor(trials, { ...search, metric: 'loss' }, seededRandom(1)).loss)
const valuesOf = (search: SearchSpec, ...trials: readonly Trial[]) =>
  known(trials, search).finished.map(({ value }) => value)

describe('the history of a search', () => {
  test('the objective is the mean of replicates, with its variance; smaller is better', () => {
    const [finished] = known([trial(1, 3)], searching('bayes', { goal: 'maximize' })).finished
    expect(finished).toMatchObject({ value: -2, variance: 1 })
    expect([...(finished?.places ?? [])].map(Number.isNaN)).toEqual([false, false, false, true])
  })

  test('a variant is pending until all its runs have ended', () => {
    const { finished, pending } = known([trial(1, null)], searching('bayes'))
    expect(finished).toHaveLength(0)
    expect(pending).toHaveLength(1)
  })

  test('failures count as configured: the worst, the best, or not at all', () => {
    const failed = trial(2, 'failed')
    expect(valuesOf(searching('bayes'), failed, other)).toEqual([5.5, 8])
    expect(valuesOf(searching('bayes', { impute: 'best' }), failed, other)).toEqual([2, 8])
    expect(valuesOf(searching('bayes', { impute: 'skip' }), failed, other)).toEqual([2, 8])
    expect(valuesOf(searching('bayes', { goal: 'maximize' }), failed, other)).toEqual([-2, -8])
    expect(valuesOf(searching('bayes', { impute: 'skip' }), trial('failed', 'failed'), other)).toEqual([8])
  })

  test('a repeated result counts once; an interrupted run does not count', () => {
    const run = runs.at(space.variantAt(point), 1)
    const tell = (trials: readonly Trial[], news: Parameters<typeof withNews>[1]) =>
      withNews(trials, news, searching('bayes'), space, runs).map(({ results }) => results)
    expect(tell([trial(1, null)], [observed(run, null), observed(run, 4)])).toEqual([[1, 4]])
    expect(tell([trial(1, null)], [{ ...observed(run, 4), outcome: { kind: 'cancelled' } }])).toEqual([[1, null]])
    expect(tell([], [observed(run, 4)])).toEqual([[null, 4]])
    expect(tell([], [observed({ ...run, params: { x: 1 } }, 4)])).toEqual([])
  })

  describe('the value of a run', () => {
    const run = runs.at(space.variantAt(point), 0)
    const series = [{ metric: 'loss', steps: [0, 1, 2], values: [5, 2, 3] }]
    const reported = { ...observed(run, 3), series }
    const failed = { ...reported, outcome: { kind: 'failed' as const } }
    const resultsOf = (news: Observation, more: Parameters<typeof searching>[1]) =>
      withNews([], [news], searching('bayes', more), space, runs)[0]?.results[0]

    test('the last, or the best', () => {
      expect(resultsOf(reported, {})).toBe(3)
      expect(resultsOf(reported, { value: 'best' })).toBe(2)
      expect(resultsOf(reported, { value: 'best', goal: 'maximize' })).toBe(5)
      expect(resultsOf({ ...reported, metrics: { loss: 1 } }, { value: 'best' })).toBe(1)
    })

    test('proposals use the best, whatever the result is', () => {
      const search = searching('bayes', { value: 'last', proposals: 'best' })
      expect(withNews([], [reported], search, space, runs)[0]?.results[0]).toBe(2)
      expect([objectiveOf(reported, search), resultValueOf(reported, search)]).toEqual([2, 3])
    })

    test('a failed run: the worst of all, or its own best or latest', () => {
      expect(resultsOf(failed, {})).toBe('failed')
      expect(resultsOf(failed, { impute: 'best' })).toBe(2)
      expect(resultsOf(failed, { impute: 'latest' })).toBe(3)
      expect(resultsOf({ ...failed, series: [], metrics: {} }, { impute: 'latest' })).toBe('failed')
      expect(valuesOf(searching('bayes', { impute: 'latest' }), trial(2, 'failed'), other)).toEqual([5.5, 8])
    })
  })
})
