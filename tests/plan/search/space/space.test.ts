import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planRuns } from '../../../../src/plan/plan.ts'
import { spaceOf } from '../../../../src/plan/search/space/space.ts'
import { variantsOf } from '../../../../src/plan/variants/variants.ts'
import { arbitraryExperiment } from '../../arbitrary-experiment.ts'
import { experimentWith, factor } from '../../experiment.ts'
import { mixed, searching } from '../spaces.ts'

/** The shape of the original sweep: parameters that do not apply multiply its combinations, not its variants. */
const modelsMini = experimentWith({
  factors: [
    factor('model', ['deepseek', 'qwen', 'glm', 'kimi', 'minimax', 'gpt']),
    factor('strategy', ['raw', 'masking', 'summary', 'hybrid']),
    factor('summariser', [1, 2, 3, 4, 5, 6], "strategy in ['summary', 'hybrid']"),
    factor('obs_n', [5, 10, 15], "strategy in ['masking', 'hybrid']"),
    factor('sum_n', [15, 21, 28], "strategy in ['summary', 'hybrid']"),
    factor('sum_keep', [7, 10, 12], "strategy in ['summary', 'hybrid']"),
    factor('sum_temperature', [0, 0.3], "strategy in ['summary', 'hybrid']"),
    factor('sum_tokens', [500, 1000], "strategy in ['summary', 'hybrid']"),
  ],
})

describe('a space', () => {
  test('has 5,208 variants where there are 15,552 combinations', () => {
    const space = spaceOf(modelsMini)
    expect(space.dimensions.reduce((product, { size }) => product * size, 1)).toBe(15552)
    expect(space.listed?.count).toBe(5208)
    const runs = [...planRuns({ ...modelsMini, search: searching('random') }, options)]
    expect(new Set(runs.map(({ key }) => key)).size).toBe(5208)
  })

  test('has the variants of a grid: same parameters, same names', () => {
    fc.assert(
      fc.property(arbitraryExperiment, generated => {
        const experiment = { ...generated, include: [] }
        let variants: ReturnType<typeof variantsOf>
        try {
          variants = variantsOf(experiment)
        } catch {
          return
        }
        const space = spaceOf(experiment)
        for (let index = 0; index < variants.count; index++) {
          const variant = variants.at(index)
          const point = space.pointOf(variant)
          expect(point).not.toBeNull()
          expect(space.canonical(point ?? [])).toEqual(point)
          expect(space.variantAt(point ?? [])).toEqual(variant)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('knows its own variants and no others', () => {
    const space = spaceOf(mixed(searching('random')))
    expect(space.pointOf({ params: { rate: 0.1, share: 0.5, kind: 'a' }, ablation: null })).toEqual([0.1, 0.5, 0, null])
    expect(space.pointOf({ params: { rate: 0.1, share: 0.5, kind: 'b', depth: 3 }, ablation: null })).toEqual([
      0.1, 0.5, 1, 3,
    ])
    expect(space.pointOf({ params: { rate: 0.1, share: 0.5, kind: 'b', depth: 2.5 }, ablation: null })).toBeNull()
    expect(space.pointOf({ params: { rate: 0.1, share: 0.5, kind: 'c' }, ablation: null })).toBeNull()
    expect(space.pointOf({ params: { rate: 2, share: 0.5, kind: 'a' }, ablation: null })).toBeNull()
    expect(space.pointOf({ params: { rate: 0.9, share: 0.9, kind: 'a' }, ablation: null })).toBeNull()
  })

  test('a factor may be called ablation where there are no ablations', () => {
    const space = spaceOf(experimentWith({ factors: [factor('ablation', ['x', 'y'])], search: searching('bayes') }))
    expect(space.pointOf({ params: { ablation: 'y' }, ablation: null })).toEqual([1])
  })
})

const options = { order: 'listed', seed: 1, selection: { filters: [], first: null, shard: null } } as const
