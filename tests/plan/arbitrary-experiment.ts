import fc from 'fast-check'
import type { Experiment } from '../../src/define/experiment.ts'
import { experimentWith } from './experiment.ts'

const names = ['a', 'b', 'c', 'd'] as const
const level = fc.integer({ min: 0, max: 3 })
const comparison = (allowed: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...allowed), fc.constantFrom('==', '!=', '<', '>='), level)
    .map(([name, operator, value]) => `${name} ${operator} ${value}`)
const entry = fc.dictionary(fc.constantFrom(...names), level, { minKeys: 1, maxKeys: 3 })
const someLevels = fc.oneof(level, fc.uniqueArray(level, { minLength: 1, maxLength: 3 }))
const inclusion = fc.dictionary(fc.constantFrom(...names, 'constant', 'extra', 'other'), someLevels, { maxKeys: 4 })

/** Small experiments with everything that decides about variants: conditions in any direction but circles. */
export const arbitraryExperiment: fc.Arbitrary<Experiment> = fc
  .record({
    order: fc.shuffledSubarray([...names], { minLength: 4 }),
    levels: fc.array(fc.array(level, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 4 }),
    whens: fc.array(fc.option(fc.nat(3).chain(depth => comparison(names.slice(0, depth + 1)))), {
      minLength: 3,
      maxLength: 3,
    }),
    constraints: fc.array(comparison(names), { maxLength: 2 }),
    exclude: fc.array(entry, { maxLength: 2 }),
    include: fc.array(inclusion, { maxLength: 3 }),
    sets: fc.array(fc.dictionary(fc.constantFrom(...names, 'extra'), level, { maxKeys: 2 }), { maxLength: 2 }),
    seeds: fc.integer({ min: 1, max: 3 }),
    replicates: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ order, levels, whens, constraints, exclude, include, sets, seeds, replicates }) =>
    experimentWith({
      params: { constant: 7 },
      // The condition of the n-th name reads only earlier names, but factors are listed in any order.
      factors: order.map(name => {
        const at = names.indexOf(name)
        const when = at === 0 ? null : (whens[at - 1] ?? null)
        const readsLater = when !== null && names.slice(at).some(later => when.startsWith(later))
        return { name, levels: levels[at] ?? [0], when: readsLater ? null : when }
      }),
      constraints,
      exclude,
      include,
      ablations: sets.map((set, at) => ({ name: `ablation${at}`, flags: at === 0 ? [] : ['--off'], set })),
      blocks: [{ name: 'seed', levels: Array.from({ length: seeds }, (_, at) => at + 1) }],
      replicates,
    }),
  )
