import { describe, expect, it } from 'vitest'
import { armsFor } from '../../../src/analyze/arms.ts'
import type { Question } from '../../../src/analyze/compare/compare.ts'
import type { Evidence } from '../../../src/define/observation.ts'
import { holm } from '../../../src/stats/adjust/p-values.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { pairedTTest } from '../../../src/stats/tests/means/paired-t.ts'
import { writingOf } from '../../../src/util/words.ts'
import { askAll } from '../ask.ts'
import { evidenceWith, scored } from '../evidence.ts'

/** A control and candidates on the same seeds; null: it failed there. */
function arms(values: Readonly<Record<string, readonly (number | null)[]>>): Evidence {
  return evidenceWith(
    Object.entries(values).flatMap(([arm, list]) => list.map((value, seed) => scored({ arm }, { seed }, value))),
    { blocks: ['seed'], levels: { arm: Object.keys(values) } },
  )
}

const compared = (evidence: Evidence, question: Partial<Question> = {}) =>
  askAll(evidence, { ...armsFor(evidence, {}), ...question }).map(({ comparison }) => comparison)

/** About normal: the sum of twelve. */
function noise(seed: number, n: number, sd = 1): readonly number[] {
  const { next } = counterRandom(seed)
  return Array.from({ length: n }, () => sd * (Array.from({ length: 12 }, next).reduce((sum, one) => sum + one, 0) - 6))
}

const base = noise(1, 12)
const near = (seed: number, shift: number) => noise(seed, 12, 0.5).map((value, at) => value + (base[at] ?? 0) + shift)

describe('equivalence of several candidates', () => {
  const evidence = arms({ a: base, b: near(2, 0), c: near(3, 0.1), d: near(4, -0.1) })

  it('has the p of two one-sided tests, corrected like differences', () => {
    const found = compared(evidence, { margin: '0.5', method: 't' })
    const p = [near(2, 0), near(3, 0.1), near(4, -0.1)].map(candidate => {
      const tail = (limit: number) => {
        const test = pairedTTest(
          candidate.map(value => value - limit),
          base,
          { alternative: limit < 0 ? 'greater' : 'less' },
        )
        return 'p' in test ? test.p : Number.NaN
      }
      return Math.max(tail(-0.5), tail(0.5))
    })
    expect(found.map(({ equivalence }) => equivalence?.p)).toEqual(p.map(value => expect.closeTo(value, 12)))
    expect(found.map(({ equivalence }) => equivalence?.p_adjusted)).toEqual(
      holm(p).map(value => expect.closeTo(value, 12)),
    )
    for (const { equivalence, verdict } of found)
      expect(verdict === 'equivalent').toBe((equivalence?.p_adjusted ?? 1) <= 0.05)
  })

  it('a claim about one candidate may not hold among several', () => {
    const margin = '0.42'
    const alone = compared(arms({ a: base, b: near(2, 0) }), { margin })
    const among = compared(evidence, { margin })
    expect(alone[0]).toMatchObject({ verdict: 'equivalent', equivalence: { equivalent: true, p_adjusted: null } })
    expect(among[0]).toMatchObject({ verdict: 'inconclusive', equivalence: { equivalent: false } })
    expect(among[0]?.equivalence?.ci).toEqual(alone[0]?.equivalence?.ci)
    expect(compared(evidence, { margin, correction: 'none' })[0]).toMatchObject({ verdict: 'equivalent' })
  })

  it('says so in the sentence', () => {
    expect(compared(evidence, { margin: '2' })[0]?.sentence).toMatch(
      /^b and a are equivalent on score within ±2\.00 \(simultaneous 90% CI .*\), paired on 12 seeds, p = 0\.00\d+ after holm$/,
    )
  })

  it('states the interval that belongs to the corrected p, and has both', () => {
    for (const margin of ['0.3', '0.42', '0.5', '0.6', '0.9'])
      for (const one of compared(evidence, { margin, method: 't', correction: 'bonferroni' })) {
        const { equivalence, sentence, verdict } = one
        const { bound } = writingOf(one)
        const { ci, ci_simultaneous: all } = equivalence ?? {}
        expect(ci?.level).toBeCloseTo(0.9, 12)
        expect(all?.level).toBeCloseTo(1 - 0.1 / 3, 12)
        const isWithin = (all?.low ?? -1) > -Number(margin) && (all?.high ?? 1) < Number(margin)
        expect(verdict === 'equivalent').toBe(isWithin)
        if (isWithin)
          expect(sentence).toContain(`(simultaneous 90% CI ${bound(all?.low ?? 0)} to ${bound(all?.high ?? 0)})`)
      }
    const [alone] = compared(arms({ a: base, b: near(2, 0) }), { margin: '2' })
    expect(alone?.equivalence?.ci_simultaneous).toBeNull()
    expect(alone?.sentence).toContain('(90% CI ')
  })

  it.each(['t', 'studentized', 'wider', 'permutation', 'percentile'] as const)('p and interval agree: %s', method => {
    for (const margin of ['0.3', '0.4', '0.45', '0.5', '0.6', '0.9']) {
      const [only] = compared(arms({ a: base, b: near(2, 0.1) }), { margin, method })
      const { p = null, ci, not_worse_p = null } = only?.equivalence ?? {}
      const isNear = (value: number | null) => value !== null && Math.abs(value - 0.05) < 0.004
      if (!isNear(p)) expect((p ?? 1) <= 0.05, `${margin}: ${p}`).toBe(only?.equivalence?.equivalent)
      if (!isNear(not_worse_p)) expect((not_worse_p ?? 1) <= 0.05).toBe(only?.equivalence?.not_worse)
      expect(ci?.level).toBeCloseTo(0.9, 12)
    }
  })

  it('the p of yes or no is the level at which the interval touches the margin', () => {
    const [yes, other] = [21, 24].map(limit =>
      Array.from({ length: 60 }, (_, at) => ((at * 7) % 30 < limit / 2 ? 1 : 0)),
    )
    for (const margin of ['5pts', '10pts', '20pts', '25pts']) {
      const [only] = compared(arms({ a: yes ?? [], b: other ?? [] }), { margin })
      const p = only?.equivalence?.p ?? Number.NaN
      expect(p > 0 && p < 1).toBe(true)
      expect(p < 0.05).toBe(only?.equivalence?.equivalent)
    }
  })
})

describe('--correction max-t', () => {
  const shifted = (seeds: number, isPaired: boolean) => {
    const control = noise(9, seeds)
    const candidate = (seed: number, shift: number) =>
      noise(seed, seeds, isPaired ? 0.5 : 1).map((value, at) => value + shift + (isPaired ? (control[at] ?? 0) : 0))
    return arms({ a: control, b: candidate(10, 0.8), c: candidate(11, 0.1), d: candidate(12, 0) })
  }

  it.each([
    ['pairs', true],
    ['independent groups', false],
  ])(
    'makes simultaneous intervals of %s, no wider than Bonferroni and no narrower than individual ones',
    (_, isPaired) => {
      const evidence = shifted(20, isPaired)
      const joint = compared(evidence, { correction: 'max-t', isPaired })
      const each = compared(evidence, { correction: 'bonferroni', isPaired })
      const width = (bounds: { readonly low: number | null; readonly high: number | null } | null | undefined) =>
        (bounds?.high ?? Number.NaN) - (bounds?.low ?? Number.NaN)
      for (const [at, own] of joint.entries()) {
        expect(own.correction).toBe('max-t')
        expect(width(own.ci_simultaneous)).toBeGreaterThanOrEqual(width(own.ci))
        expect(width(own.ci_simultaneous)).toBeLessThan(width(each[at]?.ci_simultaneous) * 1.02)
        expect(own.p_adjusted ?? 0).toBeGreaterThanOrEqual(own.p ?? 1)
      }
      expect(joint[0]).toMatchObject({ verdict: 'better', ci_simultaneous: { level: 0.95 } })
    },
  )

  it('claims a difference among three candidates without any in about 5% of experiments', () => {
    const experiments = 300
    let claims = 0
    for (let trial = 0; trial < experiments; trial++) {
      const control = noise(1000 + trial, 10)
      const own = (at: number) => noise(5000 + 3 * trial + at, 10).map((value, seed) => value + (control[seed] ?? 0))
      const found = compared(arms({ a: control, b: own(0), c: own(1), d: own(2) }), {
        correction: 'max-t',
        drawing: { seed: 1, resamples: 199, rng: 'assay' },
      })
      if (found.some(({ verdict }) => verdict !== 'inconclusive')) claims++
    }
    // 5% ± 3 standard errors would be 9%.
    expect(claims / experiments).toBeLessThan(0.09)
  })

  it('one candidate is not corrected', () => {
    const [only] = compared(arms({ a: base, b: near(2, 1) }), { correction: 'max-t' })
    expect(only).toMatchObject({ p_adjusted: null, ci_simultaneous: null, correction: 'none' })
  })

  it('names the alternative if it can\u2019t be used', () => {
    const holed = arms({ a: base, b: near(2, 0), c: near(3, 0).map((value, at) => (at === 4 ? null : value)) })
    expect(() => compared(holed, { correction: 'max-t' })).toThrow('draws the same seeds for all candidates')
    const few = arms({ a: base.slice(0, 5), b: near(2, 0).slice(0, 5), c: near(3, 0).slice(0, 5) })
    expect(() => compared(few, { correction: 'max-t' })).toThrow('5 seeds are too few to be drawn again')
    expect(() => compared(shifted(12, true), { correction: 'max-t', alternative: 'greater' })).toThrow('one-sided')
  })
})
