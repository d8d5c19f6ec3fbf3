import { expect, it } from 'vitest'
import { curveOf } from '../../../src/analyze/compare/pictured.ts'
import type { Evidence, Observation } from '../../../src/define/observation.ts'
import { meanInterval } from '../../../src/stats/intervals/mean.ts'
import { wilsonInterval } from '../../../src/stats/intervals/proportion.ts'
import { aRun, evidenceWith } from '../evidence.ts'

/** A run whose reward rises from 0 to this. */
const rising = (to: number, more: Partial<Observation>): Observation =>
  aRun({ name: JSON.stringify(more), series: [{ metric: 'reward', steps: [0, 10], values: [0, to] }], ...more })

const curve = (evidence: Evidence) =>
  curveOf(evidence, { label: 'all', levels: {}, runs: evidence.runs }, 'reward', 0.95)

const seeds = [1, 2, 3, 4, 5]
const rewardOf = (seed: number, prompt: number): number => seed * 2 + prompt

it('averages within a seed first: three prompts of five seeds are five units, not fifteen', () => {
  const runs = seeds.flatMap(seed =>
    [0, 1, 2].map(prompt => rising(rewardOf(seed, prompt), { params: { prompt }, block: { seed } })),
  )
  const found = curve(evidenceWith(runs, { blocks: ['seed'], factors: ['prompt'] }))
  expect(found).toMatchObject({ n: 5, units: 'seeds' })
  const means = seeds.map(seed => rewardOf(seed, 1))
  const interval = meanInterval(means)
  if (!('low' in interval)) throw new Error('no interval')
  expect(found.points.at(-1)).toEqual({
    step: 10,
    mean: 7,
    interval: { low: expect.closeTo(interval.low, 9), high: expect.closeTo(interval.high, 9) },
  })
})

it('gives a repeated cell no more weight than the others', () => {
  const run = (seed: number, prompt: number, replicate: number, to: number) =>
    rising(to, { params: { prompt }, block: { seed }, replicate })
  const runs = [run(1, 0, 1, 1), run(1, 0, 2, 1), run(1, 0, 3, 1), run(1, 1, 1, 5), run(2, 0, 1, 1), run(2, 1, 1, 5)]
  const found = curve(evidenceWith(runs, { blocks: ['seed'], factors: ['prompt'] }))
  expect(found.points.at(-1)?.mean).toBe(3)
})

it('counts crossed seeds in the band', () => {
  const runs = ['x', 'y', 'z', 'u', 'v', 'w'].flatMap((task, own) =>
    seeds.map(seed => rising(seed + ((own * seed) % 4) / 10, { block: { task, seed } })),
  )
  const width = (blocks: readonly string[]) => {
    const { interval } = curve(evidenceWith(runs, { blocks })).points.at(-1) ?? {}
    return (interval?.high ?? 0) - (interval?.low ?? 0)
  }
  const ofSeeds = meanInterval(seeds)
  if (!('low' in ofSeeds)) throw new Error('no interval')
  expect(width(['task', 'seed'])).toBeGreaterThan(0.9 * (ofSeeds.high - ofSeeds.low))
  expect(width(['task', 'seed'])).toBeGreaterThan(5 * width(['task']))
})

it('draws no band over the variants of a search, but one over the seeds of a single variant', () => {
  const search = { ranges: ['lr'], learns: true }
  const tried = seeds.map(seed => rising(seed, { params: { lr: seed / 100 } }))
  const found = curve(evidenceWith(tried, { factors: ['lr'], search }))
  expect(found.points.every(({ interval }) => interval === null)).toBe(true)
  expect(found.points.at(-1)?.mean).toBe(3)
  const same = seeds.map(seed => rising(seed, { params: { lr: 0.1 }, block: { seed } }))
  const one = curve(evidenceWith(same, { factors: ['lr'], blocks: ['seed'], search }))
  expect(one.points.at(-1)?.interval).not.toBeNull()
})

it('draws yes-or-no bands within 0 and 1, with a width even if all runs are alike', () => {
  const runs = seeds.flatMap(seed =>
    [0, 1].map(prompt => rising(seed === 1 ? 1 : 0, { params: { prompt }, block: { seed } })),
  )
  const found = curve(evidenceWith(runs, { blocks: ['seed'], factors: ['prompt'] }))
  const share = (successes: number) => {
    const interval = wilsonInterval({ successes, n: 5 })
    if (!('low' in interval)) throw new Error('no interval')
    return { low: expect.closeTo(interval.low, 9), high: expect.closeTo(interval.high, 9) }
  }
  expect(found.points).toEqual([
    { step: 0, mean: 0, interval: share(0) },
    { step: 10, mean: 0.2, interval: share(1) },
  ])
})
