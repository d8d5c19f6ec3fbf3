import { describe, expect, it } from 'vitest'
import { normalDeviates } from '../../../src/analyze/calibrate/normal-deviates.ts'
import { samplesFrom } from '../../../src/analyze/calibrate/population.ts'
import { isSignificant } from '../../../src/analyze/compare/infer/infer.ts'
import { methodFor } from '../../../src/analyze/compare/method.ts'
import { answerPower } from '../../../src/analyze/power/answer.ts'
import { meansModel } from '../../../src/analyze/power/means.ts'
import type { Aim } from '../../../src/analyze/power/model.ts'
import { pairedAnswersModel } from '../../../src/analyze/power/paired-answers.ts'
import { proportionsModel } from '../../../src/analyze/power/proportions.ts'
import { binomialProbability } from '../../../src/stats/distributions/binomial.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { ask } from '../ask.ts'
import { twoArms } from '../evidence.ts'

const aim: Aim = { alpha: 0.05, power: 0.8, alternative: 'two-sided' }
const paired = meansModel({ isPaired: true, sd: null, ratio: 1 }, aim)
const groups = meansModel({ isPaired: false, sd: null, ratio: 1 }, aim)

/** Student's t alone would take 34 pairs, 64 runs in each group, 19 pairs and 48 runs: compare's test needs a few more. */
describe('means', () => {
  it('needs 35 pairs for half an sd, and 66 runs in each of two groups', () => {
    expect(paired.runsFor(0.5)).toBe(35)
    expect(groups.runsFor(0.5)).toBe(66)
  })

  it('is Student’s t below 7 pairs, checked with scipy’s noncentral t', () => {
    expect(paired.powerAt(5, 1.5)).toBeCloseTo(0.7107, 3)
  })

  it('needs 20 pairs for 0.8 sd with 90% power, and 51 runs if the other group has twice as many', () => {
    expect(meansModel({ isPaired: true, sd: null, ratio: 1 }, { ...aim, power: 0.9 }).runsFor(0.8)).toBe(20)
    expect(meansModel({ isPaired: false, sd: null, ratio: 2 }, aim).runsFor(0.5)).toBe(51)
  })

  it.each([
    [7, 1.2, true],
    [15, 0.8, true],
    [10, 1.2, false],
  ] as const)('has the power of compare with %i and %d sd', (n, effect, isPaired) => {
    const z = normalDeviates(counterRandom(9, n))
    const trials = 1500
    let found = 0
    for (let trial = 0; trial < trials; trial++) {
      const control = Array.from({ length: n }, () => (isPaired ? 0 : z()))
      const candidate = control.map(() => effect + z())
      const samples = samplesFrom({ control, candidate }, { isPaired, kind: 'numbers' })
      const drawing = { seed: trial + 1, resamples: 999, rng: 'assay' } as const
      if (isSignificant(samples, methodFor(samples), 0.05, { level: 0.95, alternative: 'two-sided', drawing })) found++
    }
    const stated = Number((isPaired ? paired : groups).powerAt(n, effect))
    // Two points, and four standard errors of the simulation.
    expect(Math.abs(found / trials - stated)).toBeLessThan(0.02 + 4 * Math.sqrt((stated * (1 - stated)) / trials))
  })

  it('uses the unit of the metric if the sd is known', () => {
    const model = meansModel({ isPaired: true, sd: 0.1, ratio: 1 }, aim)
    expect(model.runsFor(0.05)).toBe(35)
    expect(model.effectFor(34)).toBeCloseTo(0.1 * Number(paired.effectFor(34)), 12)
    expect(model.isStandardised).toBe(false)
  })

  it('finds the stated difference with the stated power', () => {
    for (const n of [2, 5, 15, 40, 300]) expect(paired.powerAt(n, Number(paired.effectFor(n)))).toBeCloseTo(0.8, 9)
  })

  it('needs 67 pairs or 128 runs in each group for an interval of ± a quarter sd', () => {
    expect(paired.runsForHalfWidth(0.25)).toBe(67)
    expect(groups.runsForHalfWidth(0.25)).toBe(128)
    expect(paired.halfWidthAt(67)).toBeLessThanOrEqual(0.25)
    expect(paired.halfWidthAt(66)).toBeGreaterThan(0.25)
  })

  it('needs two pairs, and an effect', () => {
    expect(paired.powerAt(1, 0.5)).toEqual({ unavailable: 'too_few_values' })
    expect(paired.runsFor(0)).toEqual({ unavailable: 'zero_effect' })
  })
})

describe('proportions', () => {
  it('needs 392 runs in each arm from 50 to 60%', () => {
    const model = proportionsModel({ baseRate: 0.5, ratio: 1 }, aim)
    // The arcsine transformation, which knows nothing of tables, says 388.
    expect(model.runsFor(0.1)).toBe(392)
  })

  it.each([
    [0.99, 0.01],
    [0.6, 0.1],
    [0.02, 0.05],
    [0.3, -0.2],
  ])('never gives fewer runs than the test of compare needs: %d by %d', (baseRate, effect) => {
    const model = proportionsModel({ baseRate, ratio: 1 }, aim)
    const n = Number(model.runsFor(effect))
    for (let more = 0; more <= 5; more++) expect(Number(model.powerAt(n + more, effect))).toBeGreaterThanOrEqual(0.8)
    expect(Number(model.powerAt(Math.floor(0.95 * n), effect))).toBeLessThan(0.8)
  })

  it('switches to the arcsine transformation where it makes no difference', () => {
    const model = proportionsModel({ baseRate: 0.5, ratio: 1 }, aim)
    expect(model.powerAt(10_000, 0.02)).toBeCloseTo(Number(model.powerAt(10_001, 0.02)), 2)
    expect(model.runsFor(0.01)).toBe(39_240)
  })

  it('assumes an improvement, or a loss if there is no room for an improvement', () => {
    const model = proportionsModel({ baseRate: 0.6, ratio: 1 }, aim)
    expect(model.effectFor(40)).toBeCloseTo(0.274, 3)
    expect(proportionsModel({ baseRate: 0.7, ratio: 1 }, aim).effectFor(12)).toBeLessThan(0)
    expect(model.effectFor(2)).toEqual({ unavailable: 'unreachable' })
  })

  it('uses a requested direction', () => {
    const model = proportionsModel({ baseRate: 0.99, ratio: 1 }, aim)
    expect(model.effectFor(196)).toBeLessThan(0)
    expect(model.effectFor(196, 1)).toEqual({ unavailable: 'unreachable' })
    const { curve } = answerPower(model, { effect: 0.01 }, aim)
    for (const { detectable } of curve) expect(detectable ?? 0.01).toBeGreaterThan(0)
    const { curve: losses } = answerPower(paired, { effect: -0.5 }, aim)
    for (const { detectable } of losses) expect(detectable).toBeLessThan(0)
  })

  it('finds the difference that it states', () => {
    const model = proportionsModel({ baseRate: 0.3, ratio: 1 }, aim)
    for (const n of [20, 50, 200]) expect(model.powerAt(n, Number(model.effectFor(n)))).toBeCloseTo(0.8, 6)
  })

  it('has no answer beyond 0 and 1, and no interval if nothing varies', () => {
    const model = proportionsModel({ baseRate: 1, ratio: 1 }, aim)
    expect(model.runsFor(0.1)).toEqual({ unavailable: 'unreachable' })
    expect(model.halfWidthAt(10)).toEqual({ unavailable: 'zero_variance' })
  })

  it('is one-sided only on request', () => {
    const model = proportionsModel({ baseRate: 0.5, ratio: 1 }, { ...aim, alternative: 'greater' })
    expect(model.powerAt(100, -0.3)).toBe(0)
    expect(Number(model.runsFor(0.1))).toBeLessThan(403)
  })
})

describe('paired yes or no', () => {
  const model = pairedAnswersModel({ discordant: 0.2 }, aim)

  it('needs 622 tasks for five points among 20% discordant ones', () => {
    expect(model.runsFor(0.05)).toBe(622)
    // The normal approximation of Connor 1987 says 625.
    expect(Number(model.powerAt(622, 0.05))).toBeGreaterThanOrEqual(0.8)
  })

  it('has the same power in both directions', () => {
    expect(model.powerAt(100, 0.1)).toBeCloseTo(Number(model.powerAt(100, -0.1)), 12)
  })

  it('finds nothing with few tasks, and nothing larger than the discordant share', () => {
    expect(model.effectFor(10)).toEqual({ unavailable: 'unreachable' })
    expect(model.powerAt(10, 0.3)).toEqual({ unavailable: 'unreachable' })
    expect(model.runsFor(0.3)).toEqual({ unavailable: 'unreachable' })
  })
})

describe('one-sided', () => {
  const greater: Aim = { ...aim, alternative: 'greater' }
  const less: Aim = { ...aim, alternative: 'less' }

  it('tasks solved or not need fewer pairs, and losses need their own direction', () => {
    const two = pairedAnswersModel({ discordant: 0.3 }, aim).runsFor(0.1)
    const one = pairedAnswersModel({ discordant: 0.3 }, greater).runsFor(0.1)
    expect(one).toBeLessThan(two as number)
    expect(pairedAnswersModel({ discordant: 0.3 }, less).runsFor(-0.1)).toBe(one)
    expect(pairedAnswersModel({ discordant: 0.3 }, less).powerAt(200, 0.1)).toBeLessThan(0.01)
    const effect = pairedAnswersModel({ discordant: 0.3 }, less).effectFor(200)
    expect(effect).toBeCloseTo(-(pairedAnswersModel({ discordant: 0.3 }, greater).effectFor(200) as number), 12)
    // Beyond the list, the formula continues where it ends.
    const listed = pairedAnswersModel({ discordant: 0.3 }, greater).powerAt(5000, 0.02) as number
    expect(pairedAnswersModel({ discordant: 0.3 }, greater).powerAt(5001, 0.02)).toBeCloseTo(listed, 3)
  })

  it('rates have the exact power of the test in compare', () => {
    const n = 12
    let power = 0
    for (let own = 0; own <= n; own++)
      for (let other = 0; other <= n; other++) {
        const values = (successes: number) => Array.from({ length: n }, (_, at) => (at < successes ? 1 : 0))
        const { p } = ask(twoArms(values(other), values(own)), { isPaired: false, alternative: 'greater' })
        if (p !== null && p <= 0.05) power += binomialProbability(own, n, 0.8) * binomialProbability(other, n, 0.4)
      }
    expect(proportionsModel({ baseRate: 0.4, ratio: 1 }, greater).powerAt(n, 0.4)).toBeCloseTo(power, 9)
  })

  it('pairs of answers have the power of the test in compare', () => {
    const n = 9
    let power = 0
    for (let won = 0; won <= n; won++)
      for (let lost = 0; won + lost <= n; lost++) {
        const [a, b] = [0, 1].map(side =>
          Array.from({ length: n }, (_, at) => (at < won ? side : at < won + lost ? 1 - side : 1)),
        )
        const { p } = ask(twoArms(a ?? [], b ?? []), { alternative: 'greater' })
        if (p === null || p > 0.05) continue
        const ways = binomialProbability(won + lost, n, 0.6) * binomialProbability(won, won + lost, 0.5 / 0.6)
        power += ways
      }
    expect(pairedAnswersModel({ discordant: 0.6 }, greater).powerAt(n, 0.4)).toBeCloseTo(power, 9)
  })
})
