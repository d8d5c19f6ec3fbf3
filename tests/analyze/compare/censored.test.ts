import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareEvidence } from '../../../src/analyze/compare/compare.ts'
import { readingOf } from '../../../src/analyze/reading.ts'
import type { Evidence } from '../../../src/define/observation.ts'
import type { OutcomeKind } from '../../../src/define/outcome.ts'
import { brunnerMunzelTest, cliffsDelta, counterRandom, pairedTTest } from '../../../src/stats/index.ts'
import { ask } from '../ask.ts'
import { evidenceWith, scored } from '../evidence.ts'

/** One run per arm and task; a word instead of a number is how the run ended without one. */
type Value = number | OutcomeKind

function tasks(a: readonly Value[], b: readonly Value[], more: Partial<Evidence> = {}, goal = 'minimize' as const) {
  const runs = Object.entries({ a, b }).flatMap(([arm, values]) =>
    values.map((value, at) =>
      typeof value === 'number'
        ? scored({ arm }, { task: `t${at}` }, value)
        : scored({ arm }, { task: `t${at}` }, null, { outcome: { kind: value } }),
    ),
  )
  return evidenceWith(runs, { blocks: ['task'], metrics: [{ name: 'score', goal, primary: true }], ...more })
}

const upTo = (n: number, of: (at: number) => Value): readonly Value[] => Array.from({ length: n }, (_, at) => of(at))

/** The candidate is a little faster where it ends, and times out on the seven hardest of twenty tasks. */
const hasty = () =>
  tasks(
    upTo(20, at => 10 + at),
    upTo(20, at => (at >= 13 ? 'timed_out' : 9.5 + at + 0.01 * (at % 3))),
  )

describe('without a rule', () => {
  const found = ask(hasty())

  test('counts the runs left out in the sentence, by arm', () => {
    expect(found.verdict).toBe('better')
    expect(found.sentence).toMatch(/; 7 runs of b have no value and are left out$/)
  })

  test('warns if arms lost different shares of their runs', () => {
    expect(found.warnings).toContainEqual(
      expect.stringMatching(
        /lost different shares of their runs \(0 of 20 of a, 7 of 20 of b\): .* favours b; --missing worst-rank/,
      ),
    )
    const alike = ask(tasks(['failed', 2, 3, 4], [1, 'failed', 3, 5]))
    expect(alike.warnings.filter(text => text.includes('different shares'))).toEqual([])
    expect(alike.sentence).toContain('; 1 run of a and 1 of b have no value and are left out')
  })
})

describe('worst rank', () => {
  test('a run that timed out loses against every value', () => {
    const found = ask(hasty(), { missing: 'worst-rank' })
    expect(found).toMatchObject({ statistic: 'wins', yes_no: true, verdict: 'inconclusive', goal: 'maximize' })
    expect(found.estimate).toBeCloseTo((13 - 7) / 20, 12)
    expect(found.n).toMatchObject({ pairs: 20, dropped: 0 })
    expect(found.sentence).toContain('; 7 runs of b count as worse than every value')
  })

  test('two runs that failed on the same task are tied', () => {
    const found = ask(tasks([1, 'failed', 3, 'cost_limited'], [2, 'timed_out', 'failed', 4]), { missing: 'worst-rank' })
    expect(found.estimate).toBeCloseTo((1 - 2) / 4, 12)
  })

  test('leaves out and counts infrastructure errors', () => {
    const found = ask(tasks([1, 2, 3, 4, 5], ['infra_error', 1, 2, 3, 'failed']), { missing: 'worst-rank' })
    expect(found.n).toMatchObject({ pairs: 4, dropped: 1 })
    expect(found.missing.candidate).toEqual([
      { run: 'b-t0', reason: 'infra_error' },
      { run: 'b-t4', reason: 'failed', counts_as: 'worst' },
    ])
    expect(found.sentence).toContain('; 1 run of b has no value and is left out')
  })

  test('tests two groups by Brunner and Munzel, with failures beyond all values', () => {
    const a: readonly Value[] = [5, 3, 8, 'failed', 4.5, 7, 6, 9, 2]
    const b: readonly Value[] = [4, 1, 'timed_out', 3, 2, 'failed', 1.5]
    const numbers = (values: readonly Value[]) => values.map(value => (typeof value === 'number' ? -value : -1e6))
    const found = ask(tasks(a, b), { missing: 'worst-rank', isPaired: false })
    const expected = brunnerMunzelTest(numbers(a), numbers(b))
    expect(found.test).toBe('Brunner–Munzel')
    expect(found.p).toBeCloseTo('p' in expected ? expected.p : Number.NaN, 10)
    expect(found.estimate).toBeCloseTo(Number(cliffsDelta(numbers(b), numbers(a))), 12)
  })

  test('counts as the worse value of yes or no', () => {
    const evidence = tasks(
      upTo(12, at => at % 2),
      upTo(12, at => (at < 4 ? 'failed' : 1)),
      { metrics: [{ name: 'score', goal: 'maximize', primary: true }] },
    )
    const found = ask(evidence, { missing: 'worst-rank' })
    expect(found).toMatchObject({ statistic: null, yes_no: true, n: { pairs: 12 } })
    expect(found.arms.candidate.mean).toBeCloseTo(8 / 12, 12)
  })

  test('uses only the order of values', () => {
    const value = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant('failed' as const))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(value, value), { minLength: 8, maxLength: 20 }),
        fc.boolean(),
        (pairs, isPaired) => {
          const moved = (list: readonly Value[]) => list.map(one => (typeof one === 'number' ? Math.exp(one) : one))
          const [a, b] = [pairs.map(pair => pair[0]), pairs.map(pair => pair[1])]
          const question = {
            missing: 'worst-rank',
            isPaired,
            drawing: { seed: 1, resamples: 99, rng: 'assay' },
          } as const
          // With 0 and 1 alone it would be another kind of data.
          const [one, other] = [ask(tasks(a, b), question), ask(tasks(moved(a), moved(b)), question)]
          if (one.statistic === 'wins') expect([other.estimate, other.p]).toEqual([one.estimate, one.p])
        },
      ),
      { numRuns: 30, seed: 4 },
    )
  })

  test('compares several runs of a task with all their partners', () => {
    const runs = [
      ...[5, 7, null].map((value, at) => scored({ arm: 'a' }, { task: 't0' }, value, { replicate: at })),
      ...[6, 8].map((value, at) => scored({ arm: 'b' }, { task: 't0' }, value, { replicate: at })),
      ...[1, 2].map(value => scored({ arm: 'a' }, { task: 't1' }, value)),
      ...[1, null].map(value => scored({ arm: 'b' }, { task: 't1' }, value)),
    ]
    const found = ask(evidenceWith(runs, { blocks: ['task'] }), { missing: 'worst-rank' })
    // t0: 6 beats 5 and the failure, 8 all three: 5 of 6 won, 1 lost. t1: one tie, three lost.
    expect(found.estimate).toBeCloseTo((4 / 6 - 3 / 4) / 2, 12)
  })

  test('refuses by name options that need numbers', () => {
    expect(() => ask(hasty(), { missing: 'worst-rank', statistic: { kind: 'median' } })).toThrow('by order alone')
    expect(() => ask(hasty(), { missing: 'worst-rank', also: ['sign'] })).toThrow('--also needs the value of every run')
    expect(() => ask(hasty(), { missing: 'worst-rank', method: 'bca', isPaired: false })).toThrow('the method bca')
  })
})

describe('bounds', () => {
  const bounded = (a: readonly Value[], b: readonly Value[]) =>
    tasks(a, b, { metrics: [{ name: 'score', goal: 'maximize', primary: true, range: [0, 10] }] })

  test('claims only differences that hold for all missing values', () => {
    const control = upTo(20, at => 3 + (at % 4) / 2)
    const candidate = upTo(20, at => (at === 5 ? 'failed' : 6 + ((at * 7) % 5) / 2))
    const found = ask(bounded(control, candidate), { missing: 'bounds', method: 't' })
    const filled = (value: number) => candidate.map(one => (typeof one === 'number' ? one : value))
    const [worst, best] = [0, 10].map(value => pairedTTest(filled(value), control as number[]))
    expect(found.ci?.low).toBeCloseTo(worst && 'interval' in worst ? worst.interval.low : 0, 10)
    expect(found.ci?.high).toBeCloseTo(best && 'interval' in best ? best.interval.high : 0, 10)
    expect(found.p).toBeCloseTo(worst && 'p' in worst ? worst.p : 0, 10)
    expect(found.verdict).toBe('better')
    expect(found.sentence).toMatch(
      /by [\d.]+ to [\d.]+ per task .*, whatever the one run without a value would have given$/,
    )
  })

  test('claims nothing if too many runs are missing', () => {
    const found = ask(
      bounded(
        upTo(20, at => 3 + (at % 4) / 2),
        upTo(20, at => (at < 8 ? 'failed' : 6)),
      ),
      { missing: 'bounds' },
    )
    expect(found.verdict).toBe('inconclusive')
    expect(found.n.pairs).toBe(20)
  })

  test('needs a range', () => {
    expect(() => ask(hasty(), { missing: 'bounds' })).toThrow('--missing bounds needs to know where score can lie')
    const evidence = hasty()
    const reading = readingOf(evidence, { range: '0..' })
    const found = ask(evidence, { missing: 'bounds', reading })
    // A time has no upper end: it may have taken for ever, and that it was longer can't be ruled out.
    expect(found.ci?.high).toBeNull()
    expect(found.verdict).toBe('inconclusive')
  })

  test('meets a margin only if both bounds do', () => {
    const near = upTo(40, at => 5 + (at % 3) / 10)
    const lacking = (missing: number) => upTo(40, at => (at < missing ? 'failed' : 5 + ((at + 1) % 3) / 10))
    const equivalence = (missing: number) =>
      ask(bounded(near, lacking(missing)), { missing: 'bounds', margin: '0.5' }).equivalence
    expect(equivalence(0)?.equivalent).toBe(true)
    expect(equivalence(8)?.equivalent).toBe(false)
  })
})

describe('a rule of the experiment', () => {
  test('applies unless an option overrides it', () => {
    const evidence = { ...hasty(), declared: { missing: 'worst-rank' } } as const
    const [one, other] = [{}, { missing: 'failed' } as const].map(asked => compareEvidence(evidence, asked).compared[0])
    expect(one?.comparison.missing.rule).toBe('worst-rank')
    expect(other?.comparison.missing.rule).toBe('failed')
  })
})

describe('in simulations', () => {
  /** Latencies of the same law in both arms, of which the longest are cut off. */
  function rejections(
    trials: number,
    n: number,
    missing: 'failed' | 'worst-rank',
    isPaired: boolean,
    cutoffs: readonly [number, number],
  ) {
    const random = counterRandom(20, 1)
    let count = 0
    for (let trial = 0; trial < trials; trial++) {
      const latency = (cutoff: number, hard: number): Value => {
        const value = -Math.log(1 - random.next()) * 5 + hard
        return value > cutoff ? 'timed_out' : value
      }
      const hard = upTo(n, () => random.next() * 8) as number[]
      const evidence = tasks(
        hard.map(own => latency(cutoffs[0], own)),
        hard.map(own => latency(cutoffs[1], own)),
      )
      const drawing = { seed: trial, resamples: 99, rng: 'assay' } as const
      if ((ask(evidence, { missing, isPaired, drawing, method: isPaired ? 'auto' : 't' }).p ?? 1) <= 0.05) count++
    }
    return count / trials
  }

  test('worst ranks keep their level if both arms are cut off alike', () => {
    for (const isPaired of [true, false])
      expect(rejections(300, 15, 'worst-rank', isPaired, [9, 9])).toBeLessThan(0.085)
  })

  test('an arm that is cut off sooner looks faster only if its failures are left out', () => {
    expect(rejections(100, 30, 'failed', false, [30, 9])).toBeGreaterThan(0.5)
    expect(rejections(100, 30, 'worst-rank', false, [30, 9])).toBeLessThan(0.6)
  })
})
