import { describe, expect, it } from 'vitest'
import { normalDeviates } from '../../../src/analyze/calibrate/normal-deviates.ts'
import { readingOf } from '../../../src/analyze/reading.ts'
import { type Evidence, observed } from '../../../src/define/observation.ts'
import { withFoundClusters } from '../../../src/record/evidence/unnamed-clusters.ts'
import { counterRandom } from '../../../src/stats/index.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { pOf } from '../ask.ts'

/** docs/calibration.md has the figures of 1000. */
const trials = 150

/** Rows of a table without `--pair-by`, in two arms between which there is no difference. */
type Table = (normal: () => number) => readonly JsonObject[]

const arms = ['a', 'b']
const times = <T>(n: number, make: (at: number) => T): readonly T[] => Array.from({ length: n }, (_, at) => make(at))
const yesOrNo = (logit: number, normal: () => number): number =>
  Number(Math.abs(normal()) < 0.6745 * Math.exp(logit / 2))

const tables: Readonly<Record<string, { readonly table: Table; readonly unpaired?: boolean; readonly bound: number }>> =
  {
    'a table pasted three times': {
      bound: 0.15,
      table: normal => {
        const rows = arms.flatMap(arm => times(12, () => ({ arm, y: normal() })))
        return [...rows, ...rows, ...rows]
      },
    },
    'a task in both arms, five rollouts each, some better at some tasks': {
      bound: 0.08,
      table: normal => times(12, task => arms.flatMap(arm => rollouts({ arm, task }, normal() * 0.8, normal))).flat(),
    },
    'tasks of each arm, five rollouts each, --unpaired': {
      bound: 0.15,
      unpaired: true,
      table: normal =>
        arms.flatMap((arm, of) => times(12, task => rollouts({ arm, task: task + 12 * of }, normal(), normal)).flat()),
    },
    'tasks of each arm, five rollouts each, solved or not, --unpaired': {
      bound: 0.08,
      unpaired: true,
      table: normal =>
        arms.flatMap((arm, of) =>
          times(12, task => {
            const logit = normal()
            return times(5, () => ({ arm, task: task + 12 * of, y: yesOrNo(logit, normal) }))
          }).flat(),
        ),
    },
  }

const rollouts = (where: JsonObject, mean: number, normal: () => number) =>
  times(5, () => ({ ...where, y: mean + normal() }))

/** How often a false difference is claimed. */
function falseVerdicts({ table, unpaired = false }: (typeof tables)[string], read: (evidence: Evidence) => Evidence) {
  const normal = normalDeviates(counterRandom(20))
  const claims = times(trials, () => {
    const runs = table(normal).map((row, at) =>
      observed({
        name: `row ${at + 1}`,
        source: 't.csv',
        params: { arm: row.arm ?? null },
        metrics: { y: Number(row.y) },
        columns: row,
      }),
    )
    const sources = [{ name: 't.csv', path: '/t.csv', planned: null, kind: 'table' as const }]
    const evidence = read({ runs, sources, factors: ['arm'], blocks: [], metrics: [], levels: {}, baseline: null })
    const drawing = { seed: 1, resamples: 199, rng: 'assay' } as const
    return pOf(evidence, { reading: readingOf(evidence, { metric: 'y' }), isPaired: !unpaired, drawing }) <= 0.05
  })
  return claims.filter(Boolean).length / trials
}

describe('a false verdict about a table with undeclared clusters', () => {
  it.each(Object.entries(tables))('is rare: %s', (_, one) => {
    expect(falseVerdicts(one, evidence => evidence)).toBeGreaterThan(one.bound)
    expect(falseVerdicts(one, withFoundClusters)).toBeLessThanOrEqual(0.06)
  })
})
