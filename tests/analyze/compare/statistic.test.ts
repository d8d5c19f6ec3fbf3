import { describe, expect, it } from 'vitest'
import { parseStatistic } from '../../../src/analyze/statistic.ts'
import type { Evidence } from '../../../src/define/observation.ts'
import { median, quantile } from '../../../src/stats/describe/quantile.ts'
import { passRate } from '../../../src/stats/scores/pass-rate.ts'
import { ask } from '../ask.ts'
import { evidenceWith, scored, twoArms } from '../evidence.ts'

/** Tasks whose attempts succeed or don't: `a` has `[2, 5]`, two of five. */
function attempts(tasks: Readonly<Record<'a' | 'b', readonly (readonly [number, number])[]>>): Evidence {
  return evidenceWith(
    (['a', 'b'] as const).flatMap(arm =>
      tasks[arm].flatMap(([successes, n], task) =>
        Array.from({ length: n }, (_, attempt) =>
          scored({ arm }, { task: `t${task}`, attempt }, attempt < successes ? 1 : 0),
        ),
      ),
    ),
    { blocks: ['task', 'attempt'] },
  )
}

const of = (text: string) => ({ statistic: parseStatistic(text) })

describe('pass@k and pass^k', () => {
  const a = [
    [1, 5],
    [0, 5],
    [3, 5],
    [5, 5],
    [2, 5],
    [1, 5],
    [4, 5],
    [0, 5],
  ] as const
  const b = [
    [2, 5],
    [1, 5],
    [4, 5],
    [5, 5],
    [4, 5],
    [3, 5],
    [5, 5],
    [0, 5],
  ] as const
  const counts = (tasks: typeof a | typeof b) => tasks.map(([successes, n]) => ({ successes, attempts: n }))

  it.each([
    ['pass@1', 1, 'any'],
    ['pass@3', 3, 'any'],
    ['pass^2', 2, 'all'],
  ] as const)('%s is computed per task, averaged over tasks, and paired by task', (text, k, succeed) => {
    const found = ask(attempts({ a, b }), { ...of(text), method: 't' })
    const [ours, theirs] = [a, b].map(tasks => passRate(counts(tasks), k, { succeed }))
    if (ours === undefined || theirs === undefined || !('estimate' in ours) || !('estimate' in theirs))
      throw new Error()
    expect(found.arms.control.value).toBeCloseTo(ours.estimate, 12)
    expect(found.arms.candidate.value).toBeCloseTo(theirs.estimate, 12)
    expect(found.estimate).toBeCloseTo(theirs.estimate - ours.estimate, 12)
    expect(found).toMatchObject({ statistic: text, yes_no: true, n: { pairs: 8, dropped: 0 }, unit: 'task' })
    expect(found.arms.control.ci?.low ?? -1).toBeGreaterThanOrEqual(0)
    expect(found.sentence).toContain(`on ${text} of score`)
  })

  it('tasks with too few attempts are left out and reported', () => {
    const short = attempts({ a: [...a, [1, 2]], b: [...b, [2, 2]] })
    const found = ask(short, of('pass@3'))
    expect(found.n).toMatchObject({ pairs: 8, dropped: 1 })
    expect(found.warnings).toContain('1 task with fewer than 3 runs, left out of pass@3: t8')
    expect(ask(short, of('pass@2')).n).toMatchObject({ pairs: 9, dropped: 0 })
    expect(ask(attempts({ a: [[1, 2]], b: [[2, 2]] }), of('pass@3'))).toMatchObject({
      estimate: null,
      verdict: 'inconclusive',
    })
  })

  it('is for yes or no', () => {
    expect(() => ask(twoArms([1, 2, 3], [2, 3, 5]), of('pass@2'))).toThrow('score is not only 0 and 1')
  })
})

describe('the median and the iqm of units', () => {
  const a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100]
  const b = [3, 3, 5, 5, 8, 8, 9, 11, 11, 103]

  it('are given for each arm, with a percentile interval of the difference', () => {
    const found = ask(twoArms(a, b), of('median'))
    expect(found).toMatchObject({
      statistic: 'median',
      estimate: Number(median(b)) - Number(median(a)),
      ci: { method: 'percentile' },
      test: 'bootstrap',
      arms: { control: { value: 5.5, mean: 14.5, ci: { method: 'percentile' } } },
    })
    expect(found.sentence).toMatch(/on the median of score/)
    expect(ask(twoArms(a, b), of('iqm')).arms.control.value).toBeCloseTo((3 + 4 + 5 + 6 + 7 + 8) / 6, 12)
    // One run of 100 moves the mean, and not the median.
    expect(ask(twoArms(a.with(9, 1e6), b), of('median')).estimate).toBe(found.estimate)
  })

  it('of independent groups are resampled separately', () => {
    const found = ask(twoArms(a, b), { ...of('median'), isPaired: false })
    expect(found.pairing).toBeNull()
    expect((found.ci?.high ?? 0) - (found.ci?.low ?? 0)).toBeGreaterThan(0)
    expect(quantile(a, 0.5)).toBe(found.arms.control.value)
  })

  it('come without t interval, max-T or permutation test of means', () => {
    expect(() => ask(twoArms(a, b), { ...of('median'), method: 't' })).toThrow('the method t is for means')
    expect(ask(twoArms(a, b), of('median')).other_tests).toEqual([])
  })
})

it.each(['pass@0', 'pass@', 'mode', 'pass^1.5', ''])('refuses the statistic "%s"', text => {
  expect(() => parseStatistic(text)).toThrow('expected mean, median, iqm, wins, pass@<k> or pass^<k>')
})

it('gives a reason for a missing p, also beside an interval', () => {
  expect(ask(twoArms([1, 1, 1, 0], [1, 1, 1, 0]))).toMatchObject({
    p: null,
    p_reason: 'no discordant pairs',
    reason: null,
  })
  expect(ask(twoArms([1, 2, 4], [2, 4, 7]))).toMatchObject({ p_reason: null })
})

it('only the primary metric decides; without one, none is exploratory', () => {
  const metrics = [
    { name: 'solved', goal: 'maximize' as const, primary: true },
    { name: 'score', goal: 'maximize' as const, primary: false },
  ]
  const evidence = twoArms([1, 2, 4], [2, 4, 7], { metrics })
  const reading = { metric: 'score', goal: 'maximize', isGoalKnown: true, summary: null } as const
  expect(ask(evidence, { reading })).toMatchObject({ exploratory: true, primary_metric: 'solved' })
  expect(ask(twoArms([1, 2, 4], [2, 4, 7]))).toMatchObject({ exploratory: false, primary_metric: 'score' })
  const undeclared = twoArms([1, 2, 4], [2, 4, 7], { metrics: [] })
  expect(ask(undeclared)).toMatchObject({ exploratory: false, primary_metric: null })
})
