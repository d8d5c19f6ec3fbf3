import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { armOf, armsFor } from '../../../src/analyze/arms.ts'
import { methods, missingRules } from '../../../src/analyze/choices.ts'
import { meets } from '../../../src/analyze/compare/compare.ts'
import { ask, askAll } from '../ask.ts'
import { evidenceWith, scored, twoArms } from '../evidence.ts'

const spread = [3.1, 9.4, 1.2, 7.7, 5.0, 8.8, 2.3, 6.1, 4.4, 9.9]
const raised = spread.map((value, index) => value + 1 + 0.1 * (index % 3))
/** The others are for yes and no alone. */
const ofNumbers = methods.filter(one => one !== 'newcombe' && one !== 'score')

describe('a comparison', () => {
  it('has the documented keys, and more', () => {
    const found = ask(twoArms(spread, raised))
    expect(Object.keys(found)).toEqual(
      expect.arrayContaining(
        'metric control candidate estimate ci p test effect n verdict sentence warnings'.split(' '),
      ),
    )
    expect(Object.keys(found.ci ?? {}).sort()).toEqual(['high', 'level', 'low', 'method'])
    expect(Object.keys(found.n).sort()).toEqual(['candidate', 'control', 'dropped', 'pairs'])
  })

  it('gives the same bytes for the same runs in any order', () => {
    const evidence = twoArms(spread, raised)
    const text = JSON.stringify(askAll(evidence))
    expect(JSON.stringify(askAll(evidence))).toBe(text)
    expect(
      JSON.stringify(askAll({ ...evidence, runs: evidence.runs.toReversed() }, { ...armsFor(evidence, {}) })),
    ).toBe(text)
  })

  it('is candidate minus control', () => {
    expect(ask(twoArms([1, 2, 4], [3, 4, 7])).estimate).toBeCloseTo(7 / 3, 12)
  })

  it('resamples pairs, which keeps what arms share', () => {
    for (const method of ofNumbers) {
      const paired = ask(twoArms(spread, raised), { method })
      const apart = ask(twoArms(spread, raised), { method, isPaired: false })
      const width = ({ ci }: typeof paired) => (ci?.high ?? 0) - (ci?.low ?? 0)
      // The values spread over 9, their differences over 0.2.
      expect(width(paired), method).toBeLessThan(0.3)
      expect(width(apart), method).toBeGreaterThan(3)
      expect(paired.verdict, method).toBe('better')
      expect(apart.verdict, method).toBe('inconclusive')
      expect(paired.pairing?.variance_reduction, method).toBeGreaterThan(0.99)
    }
  })

  it('does not change if the same amount is added to both sides of a pair', () => {
    const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 6, maxLength: 12 })
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 999 }), (differences, shift) => {
        const zeros = differences.map(() => 0)
        const shifted = differences.map((_, index) => (index * shift) % 1009)
        const one = ask(twoArms(zeros, differences), { method: 't' })
        const other = ask(
          twoArms(
            shifted,
            differences.map((value, index) => value + (shifted[index] ?? 0)),
          ),
          { method: 't' },
        )
        expect(other.ci).toEqual(one.ci)
        expect(other.p).toBe(one.p)
      }),
      { numRuns: 30 },
    )
  })
})

describe('the method follows from data and design', () => {
  const some = Array.from({ length: 12 }, (_, index) => index % 3)
  it.each([
    ['yes or no', twoArms([1, 0, 1, 0], [1, 1, 1, 0]), 'score', 'unconditional score'],
    ['few pairs', twoArms([1, 2, 4], [2, 4, 5]), 't', 'paired t'],
    [
      'more pairs',
      twoArms(
        some,
        some.map((value, index) => value + (index % 2)),
      ),
      expect.stringMatching(/studentized|wider/),
      expect.stringContaining('studentised bootstrap'),
    ],
  ])('%s', (_, evidence, method, test) => {
    expect(ask(evidence)).toMatchObject({ ci: { method }, test })
  })

  it('and can be overridden by name', () => {
    for (const method of ofNumbers.filter(one => one !== 'auto'))
      expect(ask(twoArms(spread, raised), { method }).ci?.method).toBe(method)
    expect(() => ask(twoArms(spread, raised), { method: 'newcombe' })).toThrow('for values that are 0 or 1')
  })

  it('one-sided intervals have one end, and the requested level', () => {
    for (const method of ofNumbers) {
      const greater = ask(twoArms(spread, raised), { method, alternative: 'greater' })
      const less = ask(twoArms(spread, raised), { method, alternative: 'less' })
      const both = ask(twoArms(spread, raised), { method })
      expect(greater.ci, method).toMatchObject({ level: 0.95, high: null })
      expect(greater.ci?.low, method).toBeGreaterThanOrEqual(both.ci?.low ?? Infinity)
      expect(less.ci, method).toMatchObject({ low: null })
      expect(less.verdict, method).toBe('inconclusive')
      expect(greater.verdict, method).toBe('better')
    }
  })
})

describe('several candidates', () => {
  const noise = [0.3, -0.2, 0.1, -0.4, 0.2, 0, -0.1, 0.4, -0.3, 0.05]
  const shifts = { raw: 0, good: 2, same: 0.02, bad: -2 }
  const runs = Object.entries(shifts).flatMap(([arm, shift], at) =>
    spread.map((value, seed) => scored({ arm }, { seed }, value + shift + (noise[(seed + 3 * at) % 10] ?? 0))),
  )
  const evidence = evidenceWith(runs, { blocks: ['seed'], levels: { arm: ['raw', 'good', 'same', 'bad'] } })

  it('come in the order in which they were written', () => {
    expect(askAll(evidence).map(({ comparison }) => [comparison.control, comparison.candidate])).toEqual([
      ['raw', 'good'],
      ['raw', 'same'],
      ['raw', 'bad'],
    ])
  })

  it('are corrected, and have simultaneous intervals as well', () => {
    for (const correction of ['holm', 'hochberg', 'bonferroni', 'bh', 'by'] as const)
      for (const { comparison } of askAll(evidence, { correction })) {
        expect(comparison.correction).toBe(correction)
        expect(comparison.p_adjusted).toBeGreaterThanOrEqual(comparison.p ?? 1)
        expect(comparison.ci_simultaneous?.level).toBeCloseTo(1 - 0.05 / 3, 12)
        expect(comparison.ci_simultaneous?.low).toBeLessThanOrEqual(comparison.ci?.low ?? -Infinity)
      }
    const [first] = askAll(evidence, { correction: 'none' })
    expect(first?.comparison).toMatchObject({ p_adjusted: null, ci_simultaneous: null, correction: 'none' })
  })

  it('Bonferroni takes p times the number of candidates', () => {
    for (const { comparison } of askAll(evidence, { correction: 'bonferroni', method: 't' }))
      expect(comparison.p_adjusted).toBeCloseTo(Math.min(1, (comparison.p ?? 1) * 3), 12)
  })

  it('states the simultaneous interval if the correction removes significance', () => {
    const slight = [1.2, 0.9, 1.4, -0.5, 0.7, 1.1, -0.3, -0.2, 0.2, 0.6]
    const values = {
      raw: spread,
      x: spread.map((value, index) => value + (slight[index] ?? 0)),
      y: spread.map((value, index) => value + (index % 2) - 0.5),
      z: spread.map((value, index) => value - (index % 2) + 0.4),
    }
    const all = evidenceWith(
      Object.entries(values).flatMap(([arm, list]) => list.map((value, seed) => scored({ arm }, { seed }, value))),
      { blocks: ['seed'] },
    )
    const [x] = askAll(all, { method: 't', correction: 'bonferroni' })
    expect(x?.comparison.p).toBeLessThan(0.05)
    expect(x?.comparison).toMatchObject({ verdict: 'inconclusive' })
    expect(x?.comparison.ci?.low).toBeGreaterThan(0)
    expect(x?.comparison.sentence).toMatch(/\(simultaneous 95% CI −.*\), paired on 10 seeds;/)
  })
})

describe('the margin', () => {
  const close = spread.map((value, index) => value + 0.1 * ((index % 3) - 1))
  const of = (margin: string, more = {}) => ask(twoArms(spread, close), { margin, ...more })

  it('is a number, percentage points, or a share of the control\u2019s mean', () => {
    expect(of('0.5').equivalence?.margin).toBe(0.5)
    expect(of('2pts').equivalence?.margin).toBe(0.02)
    expect(of('10%').equivalence?.margin).toBeCloseTo(0.579, 12)
    for (const wrong of ['x', '0', '-1', '', '5%%']) expect(() => of(wrong)).toThrow('expected a margin above 0')
    expect(() => ask(twoArms([0, 0, 0], [1, 2, 3]), { margin: '5%' })).toThrow('whose mean is 0')
  })

  it('makes equivalence and not-worse answerable, by the interval of level 1 − 2 alpha', () => {
    expect(of('0.5')).toMatchObject({ verdict: 'equivalent', equivalence: { ci: { level: 0.9 }, equivalent: true } })
    expect(of('0.01')).toMatchObject({ verdict: 'inconclusive', equivalence: { equivalent: false, not_worse: false } })
    expect(meets(of('0.5'), 'not-worse')).toBe(true)
    expect(meets(of('0.01'), 'not-worse')).toBe(false)
    expect(meets(of('0.5'), 'better')).toBe(false)
  })

  it('follows the goal of the metric', () => {
    const up = twoArms(spread, raised)
    const fewer = { ...up, metrics: [{ name: 'score', goal: 'minimize' as const, primary: true }] }
    expect(ask(up, { margin: '0.5' })).toMatchObject({
      verdict: 'better',
      equivalence: { not_worse: true, equivalent: false },
    })
    expect(ask(fewer, { margin: '0.5' })).toMatchObject({ verdict: 'worse', equivalence: { not_worse: false } })
    expect(meets(ask(fewer), 'not-worse')).toBe(false)
    expect(meets(ask(up), 'not-worse')).toBe(true)
  })

  it('needs enough pairs of yes or no', () => {
    const same = (pairs: number) => Array.from({ length: pairs }, (_, at) => (at % 3 === 0 ? 1 : 0))
    const fifty = ask(twoArms(same(50), same(50)), { margin: '10pts' })
    // Had the candidate been worse by 10 points, 50 pairs without one loss would have had this chance.
    expect(fifty.equivalence?.not_worse_p).toBeCloseTo(0.9 ** 50, 12)
    expect(fifty).toMatchObject({ verdict: 'equivalent', equivalence: { not_worse: true } })
    const few = ask(twoArms(same(26), same(26)), { margin: '10pts' })
    expect(few.equivalence).toMatchObject({ equivalent: false, not_worse: false })
    expect(few.equivalence?.not_worse_p).toBeCloseTo(0.9 ** 26, 12)
  })

  it('finding no difference is not equivalence', () => {
    expect(meets(ask(twoArms(spread, close)), 'equivalent')).toBe(false)
    expect(meets(ask(twoArms(spread, close)), 'not-worse')).toBe(false)
  })
})

describe('insufficient data gives no value and a reason, never p = 0', () => {
  it.each([
    ['one pair', [1], [2], 'too few values'],
    ['no spread at all', [1.5, 1.5, 1.5], [1.5, 1.5, 1.5], 'zero variance'],
    ['the same values in pairs', [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], 'zero variance'],
  ])('%s', (_, a, b, reason) => {
    for (const method of ofNumbers) {
      const found = ask(twoArms(a, b), { method })
      expect(found, method).toMatchObject({ ci: null, reason: expect.any(String) })
      expect(found.p ?? 1, method).toBeGreaterThan(0)
      if (method !== 'permutation')
        expect(found, method).toMatchObject({
          verdict: 'inconclusive',
          reason,
          sentence: expect.stringContaining(
            reason === 'zero variance' ? 'there is no interval and no test' : "can't be compared on score",
          ),
        })
    }
  })

  const base = Array.from({ length: 20 }, (_, at) => 3 + at / 7)
  const moved = (by: number) => base.map(value => value + by)

  it.each(ofNumbers)('identical differences are tested by their signs: %s', method => {
    const found = ask(twoArms(base, moved(1)), { method, margin: '2' })
    expect(found).toMatchObject({ verdict: 'equivalent', ci: null, reason: expect.any(String) })
    expect(found.p).toBeCloseTo(2 ** -19, 12)
    expect(found.equivalence).toMatchObject({ equivalent: true, not_worse: true, ci: null })
    expect(found.equivalence?.p).toBeCloseTo(2 ** -20, 12)
    expect(ask(twoArms(base, moved(1)), { method })).toMatchObject({
      verdict: 'better',
      test: 'sign-flip permutation',
      sentence:
        'b is better on score than a by the same 1.00 on each of 20 seeds; as the differences do not vary, there is no interval; p < 0.0001 by sign-flip permutation',
    })
    // As with a little added to one of them.
    expect(ask(twoArms(base, [...moved(1).slice(0, -1), 7]), { method }).verdict).toBe('better')
    expect(ask(twoArms(base, moved(-1)), { method, margin: '0.5' })).toMatchObject({
      verdict: 'worse',
      equivalence: { equivalent: false, not_worse: false },
    })
  })

  it('identical arms are equivalent within any margin, and neither is better', () => {
    expect(ask(twoArms(base, base), { margin: '0.1' })).toMatchObject({
      verdict: 'equivalent',
      p: null,
      equivalence: { equivalent: true, not_worse: true },
    })
    // Four signs may all be the same by chance.
    expect(ask(twoArms(base.slice(0, 4), base.slice(0, 4)), { margin: '0.1' }).verdict).toBe('inconclusive')
  })

  it('a few identical differences show nothing, and thousands give no p of 0', () => {
    const few = ask(twoArms([1, 2, 3, 4, 5], [2.5, 3.5, 4.5, 5.5, 6.5]))
    expect(few).toMatchObject({ verdict: 'inconclusive', p: 2 / 32, test: 'sign-flip permutation' })
    const thousands = Array.from({ length: 1500 }, (_, at) => at)
    const found = ask(
      twoArms(
        thousands,
        thousands.map(value => value + 0.3),
      ),
    )
    expect(found.verdict).toBe('better')
    expect(found.p).toBeGreaterThan(0)
  })

  it('two groups without spread are tested by permutation', () => {
    const groups = (n: number) => ask(twoArms(Array(n).fill(2.5), Array(n).fill(3.5)), { isPaired: false })
    expect(groups(3)).toMatchObject({
      estimate: 1,
      ci: null,
      p: 2 / 20,
      reason: 'zero variance',
      verdict: 'inconclusive',
    })
    expect(groups(4)).toMatchObject({ p: 2 / 70, test: 'permutation', verdict: 'better' })
  })

  it('the correction counts a candidate without spread or p', () => {
    const noise = base.map((_, at) => Math.sin(7 * at) / 3)
    const runs = (b: readonly number[], c: readonly number[]) => [
      ...twoArms(base, b).runs,
      ...c.map((score, at) => scored({ arm: 'c' }, { seed: at + 1 }, score)),
    ]
    const adjusted = (b: readonly number[], c: readonly number[]) =>
      askAll(evidenceWith(runs(b, c), { blocks: ['seed'] })).map(({ comparison: { p, p_adjusted } }) => [p, p_adjusted])
    const noisy = base.map((value, at) => value + 0.12 + (noise[at] ?? 0))
    const [[p = 0, corrected] = []] = adjusted(noisy, moved(1))
    expect(p).toBeGreaterThan(0.001)
    expect(corrected).toBe(p)
    const [first, second] = adjusted(noisy, base)
    expect(first).toEqual([p, 2 * (p ?? 0)])
    expect(second).toEqual([null, null])
  })

  it('an arm may have no values', () => {
    const found = ask(twoArms([1, 2], [null, null]))
    expect(found).toMatchObject({ estimate: null, ci: null, p: null, reason: 'no data', verdict: 'inconclusive' })
    expect(found.n).toMatchObject({ control: 2, candidate: 0 })
    expect(ask(twoArms([null, null], [null, null]))).toMatchObject({
      yes_no: false,
      missing: { bounds: null },
      reason: 'no data',
    })
    expect(found.warnings.join('\\n')).toContain('2 of 2 runs of b have no value and are left out: 2 failed')
  })

  it.each([
    ['all pass', [1, 1, 1, 1], [1, 1, 1, 1]],
    ['all fail', [0, 0, 0, 0], [0, 0, 0, 0]],
  ])('%s: no p, but an interval from the few values', (_, a, b) => {
    const found = ask(twoArms(a, b))
    expect(found).toMatchObject({ estimate: 0, p: null, verdict: 'inconclusive' })
    expect(found.ci?.low).toBeLessThan(0)
    expect(found.ci?.high).toBeGreaterThan(0)
    expect(found.detectable).toBeNull()
    expect(found.arms.control.ci?.low).not.toBe(found.arms.control.ci?.high)
  })

  it('all pass against all fail still leaves uncertainty', () => {
    const found = ask(twoArms([0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]))
    expect(found).toMatchObject({ estimate: 1, verdict: 'better' })
    expect(found.p).toBeGreaterThan(0)
    expect(found.ci?.low).toBeLessThan(1)
  })

  it('ties', () => {
    const found = ask(twoArms([1, 1, 1, 2, 2, 2], [1, 1, 1, 2, 2, 3]))
    expect(found.estimate).toBeCloseTo(1 / 6, 12)
    expect(found.p).toBeGreaterThan(0.05)
  })

  it('every rule for missing values keeps p above 0', () => {
    for (const missing of missingRules.filter(rule => rule !== 'refuse')) {
      const metrics = [{ name: 'score', goal: 'maximize', primary: true, range: [0, 20] }] as const
      const found = ask(twoArms([1, null, 3, 4, 6, 9], [2, 3, 3, null, 8, 12], { metrics }), { missing })
      expect(found.p, missing).toBeGreaterThan(0)
      expect(found.missing.rule).toBe(missing)
    }
  })

  it('warns that so few units can’t show anything', () => {
    expect(ask(twoArms([1, 2, 3, 5], [2, 4, 5, 9])).warnings).toContainEqual(
      "4 seeds in pairs can't give a p below 0.13 in a distribution-free test: run more",
    )
    expect(ask(twoArms(spread.slice(0, 7), raised.slice(0, 7))).warnings).toContainEqual(
      '7 seeds in pairs are few: the level of the interval is only roughly 95%',
    )
  })
})

describe('the requested t test', () => {
  const asked = { tTest: { assumptionAlpha: 0.05 } }

  it('is shown with tests of its assumptions, which do not affect the result', () => {
    const skewed = [0, 0, 0, 0, 0, 0, 0, 0, 0.1, 40]
    const found = ask(
      twoArms(
        spread,
        spread.map((value, index) => value + (skewed[index] ?? 0)),
      ),
      asked,
    )
    expect(found.t_test).toMatchObject({ test: 'paired t', df: 9, equal_variances: null })
    expect(found.t_test?.normality).toMatchObject([{ of: 'differences', doubtful: true }])
    expect(found.t_test?.p).toBeGreaterThan(0)
  })

  it('of two groups is Welch\u2019s', () => {
    const found = ask(twoArms(spread, raised), { ...asked, isPaired: false })
    expect(found.t_test).toMatchObject({ test: "Welch's t", equal_variances: { doubtful: false } })
    expect(found.t_test?.normality.map(({ of }) => of)).toEqual(['control', 'candidate'])
  })

  it('gives a reason if there is none', () => {
    expect(ask(twoArms([1, 2], [2, 3]), asked).t_test).toMatchObject({ t: null, p: null, reason: 'zero variance' })
    expect(ask(twoArms(spread, raised)).t_test).toBeNull()
  })
})

describe('arms', () => {
  const evidence = twoArms(spread, raised)

  it('that share runs are refused', () => {
    expect(() => armsFor(evidence, { control: { arm: 'a' }, candidates: [{ seed: 1 }] })).toThrow('share 1 run')
  })

  it('that do not exist are reported with the existing ones', () => {
    expect(() => armOf(evidence, { arm: 'c' })).toThrow('no run has arm=c')
    expect(() => armOf(evidence, { am: 'a' })).toThrow('there is no factor "am"')
  })

  it('are chosen by the first factor that varies, but must be named for a search', () => {
    expect(armsFor(evidence, {}).control.label).toBe('a')
    expect(armsFor(evidence, { candidates: [{ arm: 'a' }] }).control.label).toBe('b')
    const two = {
      ...evidence,
      factors: ['arm', 'load'],
      runs: evidence.runs.map((run, index) => ({ ...run, params: { ...run.params, load: index % 2 } })),
    }
    expect(armsFor(two, {}).control.levels).toEqual({ arm: 'a' })
    expect(() => armsFor({ ...two, search: { ranges: [], learns: true } }, {})).toThrow(
      'several factors vary (arm, load)',
    )
    expect(() => armsFor({ ...evidence, factors: [] }, {})).toThrow('nothing varies')
  })

  it('of several experiments are the experiments, unless levels are named', () => {
    const merged = {
      ...evidence,
      runs: [...evidence.runs, ...evidence.runs.map(run => ({ ...run, source: 'second' }))],
      factors: ['experiment', 'arm'],
      baseline: { arm: 'a' },
      sources: ['experiment', 'second'].map(name => ({ name, path: `/${name}`, planned: null })),
    }
    expect(armsFor(merged, {})).toMatchObject({ control: { label: 'experiment' }, candidates: [{ label: 'second' }] })
    expect(armsFor(merged, { candidates: [{ arm: 'b' }] }).control.label).toBe('a')
    expect(ask(merged)).toMatchObject({ pairing: { by: ['seed', 'arm'] }, n: { pairs: 10 }, estimate: 0 })
  })
})
