import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Experiment, Order } from '../../../src/define/experiment.ts'
import { planOf } from '../../../src/plan/runs/plan.ts'
import { variantsOf } from '../../../src/plan/variants/variants.ts'
import { sha256 } from '../../../src/util/hash.ts'
import { canonicalJson } from '../../../src/util/json.ts'
import { arbitraryExperiment } from '../arbitrary-experiment.ts'
import { experimentWith, factor } from '../experiment.ts'

const runsOf = (experiment: Experiment, order: Order, seed = 1) => {
  const plan = planOf(experiment, order, seed)
  return Array.from({ length: plan.count }, (_, position) => plan.at(position))
}
const seeds = (...levels: number[]) => ({ name: 'seed', levels })
const brief = (experiment: Experiment, order: Order) =>
  runsOf(experiment, order).map(({ params, ablation, seed, replicate }) =>
    [params.a, ablation, seed, replicate].join(' '),
  )

const plannable = arbitraryExperiment.filter(experiment => variantsOf(experiment, () => {}).count > 0)

test('every order has the same runs, none twice', () => {
  fc.assert(
    fc.property(plannable, fc.integer(), (experiment, seed) => {
      const listed = runsOf(experiment, 'listed')
      expect(new Set(listed.map(({ key }) => key)).size).toBe(listed.length)
      expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length)
      const sorted = (order: Order) => runsOf(experiment, order, seed).toSorted((a, b) => (a.key < b.key ? -1 : 1))
      expect(sorted('interleaved')).toEqual(sorted('listed'))
      expect(sorted('shuffled')).toEqual(sorted('listed'))
    }),
  )
})

test('the key is the hash of a run’s identity', () => {
  fc.assert(
    fc.property(plannable, experiment => {
      for (const { key, params, ablation, flags, block, replicate } of runsOf(experiment, 'listed'))
        expect(key).toBe(sha256(canonicalJson({ params, ablation, flags, block, replicate })).slice(0, 32))
    }),
    { numRuns: 20 },
  )
})

describe('order', () => {
  const ablations = [
    { name: 'x', flags: [], set: {} },
    { name: 'y', flags: [], set: {} },
  ]
  const experiment = experimentWith({ factors: [factor('a', [1, 2])], ablations, blocks: [seeds(7, 8)] })

  test('listed: variants, then blocks, then replicates', () => {
    expect(brief(experiment, 'listed')).toEqual([
      '1 x 7 1',
      '1 x 8 1',
      '1 y 7 1',
      '1 y 8 1',
      '2 x 7 1',
      '2 x 8 1',
      '2 y 7 1',
      '2 y 8 1',
    ])
  })

  test('listed as in Cascade: ablations innermost, even if some are missing', () => {
    const matrix: Experiment = { ...experiment, dialect: 'matrix-json', naming: { kind: 'matrix-json', spelling: {} } }
    expect(brief(matrix, 'listed')).toEqual([
      '1 x 7 1',
      '1 y 7 1',
      '1 x 8 1',
      '1 y 8 1',
      '2 x 7 1',
      '2 y 7 1',
      '2 x 8 1',
      '2 y 8 1',
    ])
    expect(brief({ ...matrix, exclude: [{ a: 1, ablation: 'y' }] }, 'listed')).toEqual([
      '1 x 7 1',
      '1 x 8 1',
      '2 x 7 1',
      '2 y 7 1',
      '2 x 8 1',
      '2 y 8 1',
    ])
  })

  test('interleaved: each block has all variants, in an order of its own', () => {
    const many = experimentWith({
      factors: [
        factor(
          'a',
          Array.from({ length: 20 }, (_, at) => at),
        ),
      ],
      blocks: [seeds(7, 8)],
      replicates: 2,
    })
    const runs = runsOf(many, 'interleaved')
    const rounds = [0, 20, 40, 60].map(start => runs.slice(start, start + 20))
    expect(rounds.map(round => new Set(round.map(({ params }) => params.a)).size)).toEqual([20, 20, 20, 20])
    expect(
      rounds.map(round => [...new Set(round.map(({ block, replicate }) => `${block.seed}/${replicate}`))]),
    ).toEqual([['7/1'], ['8/1'], ['7/2'], ['8/2']])
    expect(new Set(rounds.map(round => round.map(({ params }) => params.a).join())).size).toBe(4)
  })

  test('depends on the seed', () => {
    expect(runsOf(experiment, 'shuffled', 1)).toEqual(runsOf(experiment, 'shuffled', 1))
    expect(runsOf(experiment, 'shuffled', 1)).not.toEqual(runsOf(experiment, 'shuffled', 2))
  })
})

describe('seeds', () => {
  test('a block that is a seed gives it to the first replicate', () => {
    const runs = runsOf(experimentWith({ blocks: [seeds(7)], replicates: 3 }), 'listed')
    expect(runs[0]?.seed).toBe(7)
    expect(new Set(runs.map(({ seed }) => seed)).size).toBe(3)
  })

  test('otherwise it comes from experiment, block and replicate, never from the variant', () => {
    const experiment = experimentWith({
      factors: [factor('a', [1, 2])],
      blocks: [{ name: 'task', levels: ['t', 'u'] }],
      replicates: 2,
    })
    const runs = runsOf(experiment, 'listed')
    const byVariant = (a: number) => runs.filter(({ params }) => params.a === a).map(({ seed }) => seed)
    expect(byVariant(1)).toEqual(byVariant(2))
    expect(new Set(byVariant(1)).size).toBe(4)
    expect(runsOf({ ...experiment, seed: 5 }, 'listed')[0]?.seed).not.toBe(runs[0]?.seed)
  })
})

describe('names', () => {
  const names = (parts: Partial<Experiment>) => runsOf(experimentWith(parts), 'listed').map(({ name }) => name)

  test('have the varying parameters and end in the key', () => {
    expect(
      names({
        params: { depth: 3 },
        factors: [factor('policy', ['full', 'a b/../c']), factor('fixed', [1])],
        blocks: [seeds(1)],
      }),
    ).toMatchInlineSnapshot(`
      [
        "policy-full_seed-1__7dbf8d8b44a8",
        "policy-a-b-.-c_seed-1__f78a72f705da",
      ]
    `)
  })

  test('of a single run, of replicates, of ablations, of long levels', () => {
    expect(names({})).toMatchInlineSnapshot(`
      [
        "run__ddf862e777b4",
      ]
    `)
    expect(names({ replicates: 2 })).toMatchInlineSnapshot(`
      [
        "replicate-1__ddf862e777b4",
        "replicate-2__15bf4f510dfc",
      ]
    `)
    expect(
      names({
        ablations: [
          { name: 'all', flags: [], set: {} },
          { name: '.none', flags: [], set: {} },
        ],
      }),
    ).toMatchInlineSnapshot(`
      [
        "all__45523fbbc6ad",
        "none__44837f40c128",
      ]
    `)
    expect(
      names({ factors: [factor('prompt', ['Think step by step. '.repeat(20), '...', { name: 'adam', lr: 0.1 }])] }),
    ).toMatchInlineSnapshot(`
      [
        "prompt-Think-step-by-step.-Think-step-by-step.-Think-step-by-step.-Think-step-by__782ddeb1260a",
        "prompt-blank__67a46671c11a",
        "prompt-lr-0.1-name-adam__455626e14cec",
      ]
    `)
  })
})
