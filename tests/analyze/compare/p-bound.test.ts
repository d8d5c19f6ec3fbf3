import { describe, expect, it } from 'vitest'
import { armsFor } from '../../../src/analyze/arms.ts'
import { pairedScorePower } from '../../../src/stats/power/paired-score.ts'
import { chanceText } from '../../../src/util/words.ts'
import { ask, askAll } from '../ask.ts'
import { evidenceWith, scored, twoArms } from '../evidence.ts'

const drawing = { seed: 1, resamples: 2000, rng: 'assay' } as const
const control = Array.from({ length: 10 }, (_, at) => at)
const far = control.map((value, at) => value + 50 + (at % 3))
const near = control.map((value, at) => value + (at % 2 === 0 ? 1.1 : -1))

it('bounds a p that no resample reaches by the tail of the resampling distribution', () => {
  const found = ask(twoArms(control, far), { drawing })
  expect(found.p).toBeLessThan(1e-4)
  expect(found.p).toBeGreaterThan(0)
  expect(found.p_is_bound).toBe(true)
  expect(ask(twoArms(control, far), { drawing, alternative: 'greater' }).p_is_bound).toBe(true)
})

it('stops at the smallest p that resamples can give if the tail has no bound', () => {
  const found = ask(twoArms(control, far), { drawing, method: 'percentile', alpha: 0.0005 })
  expect(found).toMatchObject({ p: 2 / 2001, p_is_bound: true, verdict: 'inconclusive' })
  expect(found.warnings.join()).toContain(
    '2000 resamples give no p below 0.0010, which is above 0.0005: the difference may be clear and not be called so. --resamples 10000 can',
  )
})

describe('clear differences', () => {
  const wave = (at: number, arm: number) => Math.sin(at * (arm + 1)) + 0.3 * Math.cos(3.7 * at + arm)
  const seeds = Array.from({ length: 12 }, (_, at) => at)

  it('of 260 candidates are all called better', () => {
    const runs = [
      ...seeds.map(seed => scored({ arm: 'control' }, { seed }, wave(seed, 300))),
      ...Array.from({ length: 260 }, (_, arm) =>
        seeds.map(seed => scored({ arm: `c${arm}` }, { seed }, 12 + wave(seed, arm) + wave(seed, 300))),
      ).flat(),
    ]
    const evidence = evidenceWith(runs, { blocks: ['seed'], baseline: { arm: 'control' } })
    const found = askAll(evidence, { drawing: { ...drawing, resamples: 499 } }).map(({ comparison }) => comparison)
    expect(found).toHaveLength(260)
    expect(new Set(found.map(({ verdict }) => verdict))).toEqual(new Set(['better']))
    const { control, candidates } = armsFor(evidence, {})
    for (const asked of [{ isPaired: false }, { drawing: { ...drawing, resamples: 10_000 } }]) {
      const some = askAll(evidence, { ...asked, control, candidates: candidates.slice(0, 4), chosenFrom: 260 })
      expect(some.map(({ comparison }) => comparison.verdict)).toEqual(Array(4).fill('better'))
    }
  })

  it.each([
    { isPaired: true },
    { isPaired: false },
    { method: 'permutation' },
    { isPaired: false, method: 'permutation' },
  ] as const)('are found at an alpha of 1e-7, and the interval agrees: %o', asked => {
    const base = Array.from({ length: 60 }, (_, at) => wave(at, 7))
    const found = ask(
      twoArms(
        base,
        base.map((value, at) => value + 4 + wave(at, 3)),
      ),
      { ...asked, alpha: 1e-7, drawing },
    )
    expect(found.verdict).toBe('better')
    expect(found.p).toBeLessThan(1e-7)
    expect(found.p).toBeGreaterThan(0)
    if (!('method' in asked)) expect(found.ci?.low).toBeGreaterThan(0)
  })

  it('that do not exist are not found by the tail bound', () => {
    const base = Array.from({ length: 60 }, (_, at) => wave(at, 7))
    const found = ask(
      twoArms(
        base,
        base.map((value, at) => value + 0.75 * wave(at, 3) + 0.35),
      ),
      { alpha: 1e-7, drawing },
    )
    expect(found.verdict).toBe('inconclusive')
    expect(found.ci?.low).toBeLessThan(0)
  })
})

it('reports p as exact in the middle, by a formula, and by exact counting', () => {
  expect(ask(twoArms(control, near), { drawing }).p_is_bound).toBe(false)
  expect(ask(twoArms(control, far), { drawing, method: 't' }).p_is_bound).toBe(false)
  expect(ask(twoArms(control, far), { drawing, method: 'permutation' })).toMatchObject({
    p: 2 / 2 ** 10,
    p_is_bound: false,
  })
})

it('bounds p of permutations that are too many to count', () => {
  const many = Array.from({ length: 60 }, (_, at) => Math.sin(at) * Math.PI)
  const found = ask(
    twoArms(
      many,
      many.map((value, at) => value + 5 + Math.cos(at)),
    ),
    { drawing },
  )
  const [flipped] = found.other_tests
  expect(flipped).toMatchObject({ test: 'sign-flip permutation', p_is_bound: true })
  // All signs alike are one of 2⁶⁰ choices, on either side.
  expect(flipped?.p).toBeGreaterThanOrEqual(2 ** -59)
  expect(flipped?.p).toBeLessThan(1e-12)
})

it('prints a bound as a bound', () => {
  expect(chanceText(2 / 10_001, true)).toBe('p ≤ 0.00020')
  expect(chanceText(2 / 10_001, false)).toBe('p = 0.00020')
  expect(chanceText(0.00002, true)).toBe('p < 0.0001')
})

it('warns if another test falls on the other side of alpha, but not if it can’t reach alpha', () => {
  const solved = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
  const found = ask(
    twoArms(
      solved,
      solved.map(() => 1),
    ),
  )
  expect(found.verdict).toBe('better')
  expect(found.warnings).toContain(
    'the tests fall on both sides of 0.05: p = 0.025 by unconditional score, which the verdict goes by, but p = 0.063 by sign-flip permutation',
  )
  const agreed = ask(twoArms(control, far), { drawing })
  expect(agreed.warnings.join()).not.toContain('both sides')
  const five = ask(twoArms([1, 2, 3, 4, 5], [11, 12.1, 13, 14.2, 15]))
  expect(five.p ?? 1).toBeLessThan(0.05)
  expect(five.warnings).toEqual([
    "5 seeds in pairs can't give a p below 0.063 in a distribution-free test: run more",
    expect.stringContaining("can't rule out one long tail"),
  ])
})

it('draws as many samples as the corrected verdict needs', () => {
  const base = Array.from({ length: 12 }, (_, at) => at)
  const arms = Array.from({ length: 8 }, (_, arm) => arm)
  const runs = [
    ...base.map(value => scored({ arm: 'control' }, { seed: value }, value)),
    ...arms.flatMap(arm =>
      base.map(value => scored({ arm: `c${arm}` }, { seed: value }, value + 50 + Math.sin(value * (arm + 1)))),
    ),
  ]
  const evidence = evidenceWith(runs, { blocks: ['seed'], baseline: { arm: 'control' } })
  const found = askAll(evidence, { drawing: { seed: 1, resamples: 10_000, rng: 'assay' }, alpha: 0.001 })
  expect(new Set(found.map(({ comparison }) => comparison.verdict))).toEqual(new Set(['better']))
  expect(found[0]?.comparison.resamples).toBe(64_000)
  const strict = ask(
    twoArms(
      base,
      base.map(value => value + 50 + Math.sin(value)),
    ),
    {
      drawing: { seed: 1, resamples: 10_000, rng: 'assay' },
      alpha: 0.0001,
    },
  )
  expect(strict.verdict).toBe('better')
})

describe('what would have been found', () => {
  const share = (ones: number, n: number) => Array.from({ length: n }, (_, at) => Number(at < ones))

  it('is based on the power of the test used, and does not exist if no difference has that power', () => {
    const few = ask(twoArms(share(2, 4), share(3, 4)))
    expect(few).toMatchObject({ detectable: null, undetectable: true })
    expect(few.sentence).toContain('no possible difference would have been found 80% of the time')
    const thirty = ask(twoArms(share(15, 30), share(16, 30)))
    const size = thirty.detectable?.difference ?? 0
    const power = pairedScorePower(30, 0.05, 'two-sided')
    expect(power({ onlyA: size, onlyB: 0 })).toBeCloseTo(0.8, 3)
  })

  it('names the direction if only one is possible', () => {
    const found = ask(twoArms(share(29, 30), share(30, 30)), { isPaired: false })
    expect(found.detectable).toMatchObject({ direction: 'below', power: 0.8 })
    expect(found.sentence).toContain('a decrease of about')
  })
})
