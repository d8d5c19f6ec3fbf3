import { describe, expect, it } from 'vitest'
import { defaultDrawing } from '../../../src/analyze/choices.ts'
import { type Effects, type EffectsQuestion, effectsOf } from '../../../src/analyze/effects/effects.ts'
import { readingOf } from '../../../src/analyze/reading.ts'
import type { Evidence } from '../../../src/define/observation.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { crossed } from '../crossed.ts'
import { evidenceWith, scored } from '../evidence.ts'

const seeds = Array.from({ length: 12 }, (_, index) => index + 1)
const drawing = { ...defaultDrawing, resamples: 2000 }

const question = (evidence: Evidence): EffectsQuestion => ({
  reading: readingOf(evidence, {}),
  isPaired: true,
  missing: 'failed',
  method: 'auto',
  alpha: 0.05,
  alternative: 'two-sided',
  correction: 'holm',
  drawing,
})

const effects = (evidence: Evidence): Effects => effectsOf(evidence, question(evidence))

/** policy b adds 2, load high adds 10, both together 3 more; a seed shifts all alike; and a little noise. */
function made(noise = 0.1): Evidence {
  const random = counterRandom(7)
  return crossed({ policy: ['a', 'b'], load: ['low', 'high'], seed: seeds }, ({ policy, load, seed }) => {
    const own = (policy === 'b' ? 2 : 0) + (load === 'high' ? 10 : 0) + (policy === 'b' && load === 'high' ? 3 : 0)
    return own + Number(seed) * 5 + noise * (random.next() - 0.5)
  })
}

describe('the headline', () => {
  it('is the largest effect, whichever factor was written first', () => {
    const { headline, main } = effects(made())
    expect(main.map(({ factor }) => factor)).toEqual(['policy', 'load'])
    expect(headline).toMatch(
      /^the largest effect shown on score is that of load: high is better on score than low by 11\.5 \(95% CI .*, paired on 12 seeds/,
    )
  })

  it('says where another factor may matter as much', () => {
    const random = counterRandom(3)
    const alike = crossed({ a: [1, 2], b: [1, 2], seed: seeds }, ({ a, b }) => {
      return Number(a) + 1.05 * Number(b) + 0.5 * random.next()
    })
    expect(effects(alike).headline).toMatch(
      /^the largest effect shown on score is that of b: .*; that of a may be as large$/,
    )
  })

  it('rarely leaves out the truly largest effect, even where that one is not shown', () => {
    const random = counterRandom(5)
    const trials = 60
    let isWrong = 0
    for (let trial = 0; trial < trials; trial++) {
      const close = crossed({ a: [1, 2], b: [1, 2], seed: seeds.slice(0, 6) }, ({ a, b }) => {
        return 0.8 * Number(a) + Number(b) + 2 * random.next()
      })
      const { headline } = effectsOf(close, { ...question(close), drawing: { ...drawing, resamples: 199 } })
      if (/^the largest effect (shown )?on score is that of a: (?!.*that of b may)/.test(headline)) isWrong++
    }
    // 4 with the effects that are shown as the only rivals.
    expect(isWrong).toBe(0)
  })

  it('says so too of a factor whose effect is too uncertain to be shown', () => {
    const random = counterRandom(3)
    // The second factor does as much, but differently for each seed.
    const uneven = crossed({ a: [1, 2], b: [1, 2], seed: seeds }, ({ a, b, seed }) => {
      return Number(a) + Number(b) * Math.sin(40 * Number(seed)) * 4 + 0.1 * random.next()
    })
    const { headline, main } = effects(uneven)
    expect(main.map(({ verdict }) => verdict)).toEqual(['better', 'inconclusive'])
    expect(headline).toMatch(/^the largest effect shown on score is that of a: .*; that of b may be as large$/)
  })

  it('is that none is shown, with the largest difference and its interval', () => {
    const random = counterRandom(3)
    const noise = crossed({ a: [1, 2], b: [1, 2], seed: seeds }, () => random.next())
    expect(effects(noise).headline).toMatch(
      /^no effect on score is shown \(2 levels tested\); the largest difference, [ab]=2 against [ab]=1, is −?0\.\d+ \(95% CI −0\.\d+ to 0\.\d+\) and may be chance$/,
    )
  })

  it('does not call equal results chance', () => {
    expect(effects(crossed({ a: [1, 2], seed: seeds }, ({ seed }) => Number(seed))).headline).toBe(
      'no effect on score is shown (1 level tested); every difference is 0',
    )
  })
})

describe('main effects', () => {
  it('are averaged over the other factors, on pairs', () => {
    const { main } = effects(made(0))
    const policy = main.find(({ factor }) => factor === 'policy')
    expect(policy?.estimate).toBeCloseTo(2 + 3 / 2, 9)
    expect(policy?.n.pairs).toBe(12)
    expect(main.find(({ factor }) => factor === 'load')?.estimate).toBeCloseTo(10 + 3 / 2, 9)
  })

  it('ignore effects of a seed on all variants alike', () => {
    const { main } = effects(made())
    const { ci } = main[0] ?? {}
    expect((ci?.high ?? 0) - (ci?.low ?? 0)).toBeLessThan(0.2)
  })

  it('start from the baseline that the experiment names', () => {
    const evidence = { ...made(0), baseline: { policy: 'b' } }
    const { main, factors } = effects(evidence)
    expect(factors.map(({ baseline }) => baseline)).toEqual(['b', 'low'])
    expect(main.find(({ factor }) => factor === 'policy')?.estimate).toBeCloseTo(-3.5, 9)
  })
})

describe('factors that always change together', () => {
  const random = counterRandom(3)
  const zipped = crossed({ lines: [64, 256, 1024], policy: ['a', 'b'], seed: seeds }, ({ lines, policy, seed }) => {
    return (lines === 1024 ? 4 : 0) + (policy === 'b' ? 2 : 0) + Number(seed) + random.next()
  })
  const ways: Readonly<Record<string, number>> = { 64: 1, 256: 2, 1024: 4 }
  const evidence = {
    ...zipped,
    runs: zipped.runs.map(run => ({ ...run, params: { ...run.params, ways: ways[String(run.params.lines)] ?? 0 } })),
    factors: ['lines', 'ways', 'policy'],
    levels: { lines: [64, 256, 1024], ways: [4, 2, 1] },
  }

  it('are one factor with joint levels, and one member of the family', () => {
    const { factors, main, interactions, shares } = effects(evidence)
    expect(factors).toMatchObject([
      { name: 'lines+ways', levels: ['64+1', '256+2', '1024+4'], baseline: '64+1', members: ['lines', 'ways'] },
      { name: 'policy', levels: ['a', 'b'] },
    ])
    expect(main.map(({ candidate }) => candidate)).toEqual(['lines+ways=256+2', 'lines+ways=1024+4', 'b'])
    expect(interactions.map(one => one.factors)).toEqual([
      ['lines+ways', 'policy'],
      ['lines+ways', 'policy'],
    ])
    expect(shares).toMatchObject({ units: 12, of: 12 })
    // As if there was one factor from the beginning.
    const { main: alone } = effects({ ...evidence, factors: ['lines', 'policy'] })
    expect(main.map(({ estimate, p_adjusted }) => ({ estimate, p_adjusted }))).toEqual(
      alone.map(({ estimate, p_adjusted }) => ({ estimate, p_adjusted })),
    )
  })

  it('have the baseline that names any of them', () => {
    const { factors } = effects({ ...evidence, baseline: { ways: 2 } })
    expect(factors[0]).toMatchObject({ baseline: '256+2', baselineIndex: 1 })
  })

  it('are two if one changes alone', () => {
    const [first, ...others] = evidence.runs
    if (first === undefined) throw new Error('no runs')
    const runs = [{ ...first, params: { ...first.params, ways: 4 } }, ...others]
    expect(effects({ ...evidence, runs }).factors.map(({ name }) => name)).toEqual(['lines', 'ways', 'policy'])
  })
})

describe('interactions', () => {
  it('are the effect of both beyond the sum of each', () => {
    const [interaction, ...others] = effects(made()).interactions
    expect(others).toEqual([])
    expect(interaction?.factors).toEqual(['policy', 'load'])
    // Three standard errors of 12 seeds, each with four uniform numbers of width 0.1.
    const error = 0.1 * Math.sqrt(4 / (12 * 12))
    expect(Math.abs((interaction?.estimate ?? 0) - 3)).toBeLessThan(3 * error)
    expect(effects(made(0)).interactions[0]?.estimate).toBeCloseTo(3, 9)
    expect(interaction?.p_adjusted).toBeLessThan(0.01)
  })

  it('use only units that have all four corners', () => {
    const evidence = made()
    const runs = evidence.runs.filter(
      ({ params, block }) => !(block.seed === 3 && params.policy === 'b' && params.load === 'high'),
    )
    expect(effects({ ...evidence, runs }).interactions[0]?.n).toBe(11)
  })
})

describe('the family', () => {
  it('corrects main effects and interactions together', () => {
    const { main, interactions } = effects(made())
    for (const { p, p_adjusted } of [...main, ...interactions]) expect(p_adjusted).toBeGreaterThanOrEqual(p ?? 1)
    const smallest = Math.min(...[...main, ...interactions].map(({ p }) => p ?? 1))
    const adjusted = Math.min(...[...main, ...interactions].map(({ p_adjusted }) => p_adjusted ?? 1))
    expect(adjusted).toBeCloseTo(3 * smallest, 10)
  })

  it('mostly finds no effect where there is none', () => {
    const random = counterRandom(3)
    let found = 0
    for (let trial = 0; trial < 40; trial++) {
      const noise = crossed({ a: [1, 2], b: [1, 2], seed: seeds }, () => random.next())
      const { main, interactions } = effects(noise)
      if ([...main, ...interactions].some(({ p_adjusted }) => (p_adjusted ?? 1) < 0.05)) found++
    }
    expect(found).toBeLessThanOrEqual(6)
  })
})

describe('the same seeds in every task', () => {
  const tasks = Array.from({ length: 12 }, (_, at) => `t${at}`)

  /** A model is trained for each seed and setting, and run on all tasks: nothing differs but by chance. */
  function trained(trial: number): Evidence {
    const random = counterRandom(5, trial)
    const z = () => Math.sqrt(12) * (random.next() - 0.5)
    const ofModel = new Map<string, number>()
    const runs = [1, 2].flatMap(a =>
      [1, 2].flatMap(b =>
        [1, 2, 3, 4, 5].flatMap(seed => {
          ofModel.set(`${a} ${b} ${seed}`, z())
          return tasks.map(task => scored({ a, b }, { task, seed }, (ofModel.get(`${a} ${b} ${seed}`) ?? 0) + z()))
        }),
      ),
    )
    return evidenceWith(runs, { blocks: ['task', 'seed'], factors: ['a', 'b'] })
  }

  it('rarely produce a false interaction', () => {
    const trials = 60
    let found = 0
    for (let trial = 0; trial < trials; trial++) {
      const { p, n } = effects(trained(trial)).interactions[0] ?? {}
      expect(n).toBe(tasks.length)
      if ((p ?? 1) <= 0.05) found++
    }
    // Tasks alone claim one in more than half of these.
    expect(found).toBeLessThanOrEqual(8)
  })
})

describe('shares', () => {
  it('add up to one and follow the true effects', () => {
    const { shares } = effects(made())
    if ('reason' in shares) throw new Error(shares.reason)
    const { parts } = shares
    expect(shares).toMatchObject({ unit: 'seed', units: 12, of: 12 })
    expect(parts.map(({ source }) => source)).toEqual(['policy', 'load', 'policy × load', 'seed', 'the rest'])
    expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 10)
    const [policy, load, , seed, rest] = parts.map(({ share }) => share)
    expect(seed).toBeGreaterThan(load ?? 1)
    expect(load).toBeGreaterThan(policy ?? 1)
    expect(rest).toBeLessThan(0.001)
  })

  it('give the number of units, including those without a value', () => {
    const evidence = made()
    const runs = evidence.runs
      .filter(({ params, block }) => !([1, 2, 3].includes(Number(block.seed)) && params.policy === 'b'))
      .map(run => (run.block.seed === 4 ? { ...run, outcome: { kind: 'failed' as const }, metrics: {} } : run))
    expect(effects({ ...evidence, runs }).shares).toMatchObject({ unit: 'seed', units: 8, of: 12 })
  })

  it('are refused with the reason if no unit has every combination', () => {
    const evidence = made()
    const holed = {
      ...evidence,
      runs: evidence.runs.filter(({ params }) => params.policy === 'a' || params.load === 'low'),
    }
    expect(effects(holed).shares).toEqual({ reason: 'the table has holes: only 0 of 12 seeds have every combination' })
  })
})

describe('deltas', () => {
  it('compare each level with the baseline inside each setting of the others', () => {
    const { deltas } = effects(made())
    expect(deltas.map(({ within, level, estimate }) => [within.load, level, Math.round(estimate ?? 0)])).toEqual([
      ['high', 'b', 5],
      ['low', 'b', 2],
    ])
  })

  it('are about the ablation if there is one', () => {
    const rows = crossed(
      { policy: ['a', 'b'], ablation: ['baseline', 'no_x'], seed: seeds },
      ({ ablation, seed }) => Number(seed) * (ablation === 'no_x' ? 1.1 : 1),
    )
    const { deltas } = effects(rows)
    expect(deltas.map(({ factor, level, effect }) => [factor, level, effect.ratio?.value.toFixed(2)])).toEqual([
      ['ablation', 'no_x', '1.10'],
      ['ablation', 'no_x', '1.10'],
    ])
  })
})

it('reports that nothing varies', () => {
  expect(() => effects(crossed({ a: [1], seed: seeds }, () => 1))).toThrow('nothing varies')
})

it('gives a reason instead of a value if all runs are alike', () => {
  const [only] = effects(crossed({ a: [1, 2], seed: seeds }, () => 5)).main
  expect(only).toMatchObject({ estimate: 0, ci: null, p: null, verdict: 'inconclusive', reason: 'zero variance' })
})
