import { describe, expect, it } from 'vitest'
import { adjustedP } from '../../../src/analyze/adjust.ts'
import { armsFor, bestCandidates } from '../../../src/analyze/arms.ts'
import { corrections } from '../../../src/analyze/choices.ts'
import { readingOf } from '../../../src/analyze/reading.ts'
import { seededRandom } from '../../../src/util/random.ts'
import { askAll } from '../ask.ts'
import { evidenceWith, scored } from '../evidence.ts'

const random = seededRandom(3)
const runs = Array.from({ length: 300 }, (_, arm) =>
  Array.from({ length: 8 }, (_, seed) =>
    scored({ arm }, { seed }, arm === 7 ? null : seed + (arm % 100) / 10 + 0.01 * random.next()),
  ),
).flat()
const evidence = evidenceWith(runs, { blocks: ['seed'] })
const { control, candidates } = armsFor(evidence, {})
const reading = readingOf(evidence, {})
const numbers = (arms: typeof candidates) => arms.map(({ levels }) => Number(levels.arm))

describe('bestCandidates', () => {
  it('are the variants with the best means by the goal, best first', () => {
    const best = numbers(bestCandidates(candidates, reading, 6))
    expect(best.toSorted((a, b) => (a % 100) - (b % 100)).map(arm => arm % 100)).toEqual([98, 98, 98, 99, 99, 99])
    const least = numbers(bestCandidates(candidates, { ...reading, goal: 'minimize' }, 2))
    expect(least.map(arm => arm % 100)).toEqual([0, 0])
  })

  it('never include a candidate without a value, which comes last', () => {
    expect(numbers(bestCandidates(candidates, reading, 299)).at(-1)).toBe(7)
    expect(numbers(bestCandidates(candidates, { ...reading, goal: 'minimize' }, 299)).at(-1)).toBe(7)
  })
})

describe('comparisons of candidates that were chosen', () => {
  const all = askAll(evidence, { control, candidates: candidates.filter(({ levels }) => levels.arm !== 7) })
  const best = bestCandidates(candidates, reading, 5)
  const chosen = askAll(evidence, { control, candidates: best, chosenFrom: candidates.length })

  it('are corrected for all candidates, never by less than if all had been compared', () => {
    for (const { comparison } of chosen) {
      const same = all.find(other => other.comparison.candidate === comparison.candidate)?.comparison
      expect(comparison.p).toBe(same?.p)
      expect(comparison.correction).toBe('holm')
      expect(comparison.p_adjusted).toBeGreaterThanOrEqual(same?.p_adjusted ?? 1)
      expect(comparison.ci_simultaneous?.low).toBeLessThanOrEqual(same?.ci_simultaneous?.low ?? 0)
    }
  })

  it('say how they were chosen, and that selection makes them look better', () => {
    expect(chosen[0]?.comparison.warnings[0]).toMatch(
      /^these are the best 5 of 299 candidates, chosen by the same values/,
    )
    expect(all[0]?.comparison.warnings.join()).not.toContain('chosen by the same values')
  })

  it('warn if there are too few resamples for a p that survives the correction', () => {
    const [one] = askAll(evidence, { control, candidates: best, chosenFrom: 5000, method: 'percentile' })
    expect(one?.comparison.warnings.join()).toMatch(
      /2000 resamples give no p below 0.0010, which is above 0.05 once it is corrected for 5000 candidates: .* --resamples 200000 /,
    )
    const [few] = askAll(evidence, { control, candidates: best.slice(0, 1) })
    expect(few?.comparison.warnings.join()).not.toContain('resamples give no p')
  })

  it.each(corrections.filter(rule => rule !== 'none'))('%s of a part is never below %s of the whole', rule => {
    const p = Array.from({ length: 60 }, () => random.next() ** 4)
    const whole = adjustedP(p, rule)
    for (const part of [p.slice(0, 7), p.toSorted((a, b) => a - b).slice(0, 7), p.slice(0, 1)]) {
      const adjusted = adjustedP(part, rule, p.length)
      for (const [at, value] of part.entries())
        expect(adjusted[at]).toBeGreaterThanOrEqual((whole[p.indexOf(value)] ?? 0) - 1e-12)
    }
  })
})
