import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { armsFor } from '../../../src/analyze/arms.ts'
import { readingOf } from '../../../src/analyze/reading.ts'
import { evidenceOfTable } from '../../../src/record/evidence/from-table.ts'
import { numpyRandom } from '../../../src/stats/random/numpy-random.ts'
import { folderWith } from '../../support/assay.ts'
import { ask } from '../ask.ts'

/** A table of the shape of the published one: two experiments, instances in no order, one missing on each side. */
function table() {
  const instances = Array.from({ length: 40 }, (_, index) => `repo__issue-${(index * 7) % 40}`)
  const rows = instances.flatMap((instance, index) => [
    ...(index === 3
      ? []
      : [`raw,Raw Agent,${instance},${(0.4 + (index % 9) / 10).toFixed(4)},0.0,${index % 3 === 0 ? 1 : 0}`]),
    ...(index === 5
      ? []
      : [`masked,Masking,${instance},${(0.2 + (index % 5) / 10).toFixed(4)},0.01,${index % 2 === 0 ? 1 : 0}`]),
  ])
  const file = join(folderWith(), 'instances.csv')
  writeFileSync(file, ['experiment,strategy,instance_id,cost,summary_cost,outcome', ...rows, ''].join('\n'))
  return evidenceOfTable(file, { group: ['experiment'], pairBy: ['instance_id'], run: null, step: null })
}

const asPublished = (metric: string, seed: number) => {
  const evidence = table()
  return ask(evidence, {
    ...armsFor(evidence, { control: { experiment: 'raw' } }),
    reading: readingOf(evidence, { metric, goal: 'maximize' }),
    method: 'percentile',
    missing: 'zero',
    drawing: { seed, resamples: 2000, rng: 'numpy' },
  })
}

/** The published recipe, written down once more: ids sorted, indices drawn once per resample, linear quantiles, p not capped. */
function recipe(differences: readonly number[], seed: number) {
  const random = numpyRandom(seed)
  const n = differences.length
  const means = Array.from({ length: 2000 }, () => {
    let sum = 0
    const chosen = new Int32Array(n)
    random.fillBelow(n, chosen)
    for (const at of chosen) sum += differences[at] ?? Number.NaN
    return sum / n
  })
  const share = (fits: (mean: number) => boolean) => means.filter(fits).length / means.length
  const sorted = means.toSorted((a, b) => a - b)
  const quantile = (q: number) => {
    const at = q * (sorted.length - 1)
    const [low = 0, high = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
    return low + (high - low) * (at - Math.floor(at))
  }
  return {
    low: quantile(0.025),
    high: quantile(0.975),
    p:
      2 *
      Math.min(
        share(x => x >= 0),
        share(x => x <= 0),
      ),
  }
}

describe('the published method, on a small table', () => {
  const ids = [...Array(40).keys()].map(index => `repo__issue-${(index * 7) % 40}`)
  const byId = (value: (index: number) => number) =>
    ids
      .map((id, index) => ({ id, value: value(index) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(one => one.value)

  it('yes or no: interval and p follow the recipe, missing instances are 0', () => {
    const differences = byId(
      index => (index === 5 ? 0 : Number(index % 2 === 0)) - (index === 3 ? 0 : Number(index % 3 === 0)),
    )
    const found = asPublished('outcome', 0)
    const wanted = recipe(differences, 0)
    expect(found.n).toEqual({ control: 40, candidate: 40, pairs: 40, dropped: 0 })
    expect(found.ci?.low).toBeCloseTo(wanted.low, 14)
    expect(found.ci?.high).toBeCloseTo(wanted.high, 14)
    expect(found.p).toBe(wanted.p)
  })

  it('costs are those of the agent plus the summaries', () => {
    const cost = (index: number) => (index === 5 ? 0 : Number((0.2 + (index % 5) / 10).toFixed(4)) + 0.01)
    const differences = byId(index => cost(index) - (index === 3 ? 0 : Number((0.4 + (index % 9) / 10).toFixed(4))))
    const found = asPublished('cost + summary_cost', 1)
    const wanted = recipe(differences, 1)
    expect(found.ci?.low).toBeCloseTo(wanted.low, 12)
    expect(found.ci?.high).toBeCloseTo(wanted.high, 12)
    expect(found.p).toBe(0)
  })

  it('p is capped and never 0 unless the published form is requested', () => {
    const evidence = table()
    const found = ask(evidence, {
      ...armsFor(evidence, { control: { experiment: 'raw' } }),
      reading: readingOf(evidence, { metric: 'cost' }),
      method: 'percentile',
      missing: 'zero',
    })
    expect(found.p).toBe(2 / 2001)
  })
})
