import { describe, expect, it } from 'vitest'
import { variances } from '../../../src/analyze/variance/variance.ts'
import { variationOf } from '../../../src/analyze/variance/variation.ts'
import { ask, askAll } from '../ask.ts'
import { evidenceWith, scored, twoArms } from '../evidence.ts'

const wavy = (shift: number) =>
  Array.from({ length: 10 }, (_, at) => Math.sin(at * 7) + shift + Math.sin(at * (3 + shift)) / 3)
const drawing = { seed: 1, resamples: 500, rng: 'assay' } as const

describe('a sentence', () => {
  const four = evidenceWith(
    ['a', 'b', 'c', 'd', 'e'].flatMap((arm, of) =>
      wavy(0).map((value, seed) => scored({ arm }, { seed }, value + of / 8 + Math.sin(seed * (of + 2)) / 3)),
    ),
    { blocks: ['seed'] },
  )

  it('about one of several candidates has the interval of its corrected verdict', () => {
    for (const { comparison } of askAll(four)) {
      const { low, high } = comparison.ci_simultaneous ?? {}
      const bounds = [low, high].map(bound => Math.abs(bound ?? 0).toPrecision(3))
      expect(comparison.sentence).toContain('simultaneous 95% CI')
      for (const bound of bounds) expect(comparison.sentence).toContain(bound)
    }
  })

  it('about the only candidate, or without a correction, has the individual interval', () => {
    expect(ask(twoArms(wavy(0), wavy(1))).sentence).toMatch(/\(95% CI/)
    for (const { comparison } of askAll(four, { correction: 'none' })) expect(comparison.sentence).toMatch(/\(95% CI/)
  })
})

describe('a comparison says', () => {
  it('if a planned level has no run', () => {
    const evidence = { ...twoArms(wavy(0), wavy(1)), levels: { arm: ['a', 'b', 'c'] } }
    expect(ask(evidence).warnings).toContain('arm=c has no run yet and is not compared')
    expect(ask({ ...evidence, levels: { arm: ['a', 'b'] } }).warnings.join()).not.toContain('no run yet')
    // Runs left out by the user's filter are not missing.
    const filter = { texts: ['arm != c'], of: 30 }
    expect(ask({ ...evidence, filter }).warnings.join()).not.toContain('no run yet')
  })

  it.each([
    [20, '64 of 100'],
    [3, '14 of 100'],
  ])('warns about the price of testing %i metrics if none is primary', (many, chance) => {
    const metrics = Array.from({ length: many }, (_, at) => ({
      name: at === 0 ? 'score' : `m${at}`,
      goal: 'maximize' as const,
      primary: false,
    }))
    const evidence = twoArms(wavy(0), wavy(1), { metrics })
    expect(ask(evidence).warnings.join()).toContain(`none of the ${many} metrics is declared primary`)
    expect(ask(evidence).warnings.join()).toContain(chance)
    const [first, ...others] = metrics
    const decided = { ...evidence, metrics: [{ ...first, primary: true }, ...others] as typeof metrics }
    expect(ask(decided).warnings.join()).not.toContain('declared to decide')
  })
})

describe('each row of a variance', () => {
  const values = [1, 1, 4, 2, 3, 2.5]
  const { curve, precision } = variationOf(
    { name: 'Value', summary: null },
    { means: values, lists: values.map(value => [value]), crossed: [] },
    {
      threshold: 0.05,
      level: 0.95,
      drawing,
      isYesNo: false,
    },
  )

  it('has the error of the runs on which its CV is based', () => {
    for (const { n, relative_standard_error: error, is_forecast } of precision) {
      const cv = curve.find(point => point.n === n)?.cv ?? null
      expect(is_forecast).toBe(n > values.length)
      if (n === 2) expect(error).toBeNull()
      else if (cv !== null) expect(error).toBeCloseTo(cv / Math.sqrt(n), 9)
    }
  })

  it('is a forecast from all runs beyond those', () => {
    const last = curve.at(-1)?.cv ?? 0
    expect(precision.at(-1)).toMatchObject({ n: 12, is_forecast: true })
    expect(precision.at(-1)?.relative_standard_error).toBeCloseTo(last / Math.sqrt(12), 9)
  })

  it('comes with the finished share of the plan', () => {
    const evidence = twoArms(wavy(3), wavy(4))
    const partial = { ...evidence, sources: evidence.sources.map(source => ({ ...source, planned: 40 })) }
    const reading = { metric: 'score', goal: 'maximize', isGoalKnown: true, summary: null } as const
    const question = { readings: [{ name: 'Value', reading }], threshold: 0.05, level: 0.95, drawing }
    const [first] = variances(partial, question)
    expect(first?.warnings).toContain('partial: 20 of 40 planned runs have ended')
  })
})
