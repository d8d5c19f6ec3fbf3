import { expect, test } from 'vitest'
import { readingOf } from '../../../src/analyze/reading.ts'
import { counterRandom, holm } from '../../../src/stats/index.ts'
import { askAll } from '../ask.ts'
import { aRun, evidenceWith } from '../evidence.ts'

const names = ['score', 'seconds', 'solved']
const metrics = names.map((name, at) => ({ name, goal: 'maximize' as const, primary: at === 0 }))

/** Three candidates against one control; the score of the last one is really better. */
function evidenceOf(tasks: number, random: () => number) {
  const runs = Array.from({ length: tasks }, (_, task) =>
    ['a', 'b', 'c', 'd'].map(arm => {
      const score = random() + (arm === 'd' ? 1 : 0)
      const values = { score, seconds: Math.exp(random()), solved: Number(random() < 0.9) }
      return aRun({ name: `${arm}-${task}`, params: { arm }, block: { task }, metrics: values })
    }),
  ).flat()
  return evidenceWith(runs, { blocks: ['task'], metrics })
}

// How often this leads to a false claim is counted by `assay stats calibrate --data families`.
test('three metrics of three candidates are one family of nine, whatever their methods', () => {
  const evidence = evidenceOf(15, counterRandom(20, 15).next)
  const drawing = { seed: 1, resamples: 999, rng: 'assay' } as const
  const found = names.flatMap(metric =>
    askAll(evidence, { reading: readingOf(evidence, { metric }), family: names, drawing }).map(
      ({ comparison }) => comparison,
    ),
  )
  expect(new Set(found.map(({ ci }) => ci?.method))).toEqual(new Set(['wider', 'score']))
  const corrected = holm(found.map(({ p }) => p ?? 1))
  found.forEach((one, at) => {
    expect(one.family?.tests).toBe(9)
    expect(one.p_adjusted).toBeCloseTo(corrected[at] ?? 0, 12)
  })
  expect(found.filter(({ verdict }) => verdict === 'better')).toMatchObject([{ metric: 'score', candidate: 'd' }])
})
