import { expect, it } from 'vitest'
import { analyzeBatch } from '../../../src/analyze/batch/analyze-batch.ts'
import { friedmanTest } from '../../../src/stats/tests/ranks/friedman.ts'
import { criticalDistance } from '../../../src/stats/tests/ranks/nemenyi.ts'
import { seededRandom } from '../../../src/util/random.ts'
import { evidenceWith, scored } from '../evidence.ts'

const drawing = { seed: 1, resamples: 1000, rng: 'assay' as const }
const noise = (at: number): number => Math.sin(7.3 * at * at)

/** Three variants, of which `b` is far ahead and the other two are alike. */
function ranked(arms: readonly string[], seeds: number) {
  const runs = arms.flatMap((arm, place) =>
    Array.from({ length: seeds }, (_, seed) =>
      scored({ arm }, { seed }, (arm === 'b' ? 5 : 0) + noise(seed * 5 + place)),
    ),
  )
  return analyzeBatch(evidenceWith(runs, { blocks: ['seed'], levels: { arm: [...arms] } }), { drawing }).patterns
    .ranking
}

it('every variant has a rank with an interval', () => {
  const { variations } = ranked(['a', 'b', 'c'], 12)
  expect(variations[0]).toMatchObject({ description: 'arm=b', rank: 1, rank_ci: { level: 0.95, low: 1, high: 1 } })
  const others = variations.slice(1).map(({ rank_ci }) => rank_ci)
  expect(others).toEqual([
    { level: 0.95, low: 2, high: 3 },
    { level: 0.95, low: 2, high: 3 },
  ])
})

it('tests by ranks whether there is an order, and which variants are not separated', () => {
  const { friedman } = ranked(['a', 'b', 'c'], 12)
  const rows = Array.from({ length: 12 }, (_, seed) => [noise(seed * 5), 5 + noise(seed * 5 + 1), noise(seed * 5 + 2)])
  const known = friedmanTest(rows)
  if (!('averageRanks' in known) || !('p' in known.imanDavenport)) throw new Error('no test')
  expect(friedman?.p).toBeCloseTo(known.imanDavenport.p, 12)
  expect(friedman?.average_ranks.toSorted((a, b) => a.variation_id - b.variation_id).map(({ rank }) => rank)).toEqual(
    known.averageRanks,
  )
  expect(friedman?.critical_distance).toBe(criticalDistance(3, 12))
  expect(friedman?.groups.map(group => group.toSorted())).toEqual([[1, 3]])
})

it('gives no Friedman test for two variants or for blocks that are not shared', () => {
  expect(ranked(['a', 'b'], 12).friedman).toBeNull()
})

it('gives equal variants any rank although one came first', () => {
  const random = seededRandom(4)
  const arms = ['a', 'b', 'c', 'd', 'e', 'f']
  const runs = arms.flatMap(arm => Array.from({ length: 20 }, (_, seed) => scored({ arm }, { seed }, random.next())))
  const { ranking } = analyzeBatch(evidenceWith(runs, { blocks: ['seed'], levels: { arm: arms } }), {
    drawing,
  }).patterns
  expect(ranking.variations.map(({ rank_ci }) => rank_ci)).toEqual(arms.map(() => ({ level: 0.95, low: 1, high: 6 })))
})
