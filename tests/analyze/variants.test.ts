import { describe, expect, it } from 'vitest'
import { cellsOf } from '../../src/analyze/effects/cells.ts'
import { readingOf } from '../../src/analyze/reading.ts'
import { unitsOf } from '../../src/analyze/units/units.ts'
import { variantMetrics, variantsOf } from '../../src/analyze/variants.ts'
import { ask } from './ask.ts'
import { aRun, evidenceWith, scored, twoArms } from './evidence.ts'

const options = { level: 0.95, drawing: null } as const

it('uses the units of comparisons, in any order of blocks', () => {
  const runs = Array.from({ length: 24 }, (_, at) => at).flatMap(at =>
    ['a', 'b'].map((arm, gain) =>
      scored({ arm }, { task: `t${at % 8}`, seed: Math.floor(at / 8) }, Math.sin(at * (gain + 1))),
    ),
  )
  const [first, turned] = [
    ['task', 'seed'],
    ['seed', 'task'],
  ].map(blocks => {
    const evidence = evidenceWith(runs, { blocks })
    const reading = readingOf(evidence, {})
    return {
      unit: unitsOf(evidence).name,
      compared: ask(evidence).unit,
      means: variantMetrics(evidence, variantsOf(evidence), reading, options),
      effects: cellsOf(evidence, ['arm'], reading).unit,
    }
  })
  expect(first).toMatchObject({ unit: 'task', compared: 'task', effects: 'task' })
  expect(turned).toEqual(first)
})

describe('variantsOf', () => {
  it('lists variants in the order of the levels in the file, labelled by varying factors', () => {
    const runs = [
      { model: 'b', size: 2 },
      { model: 'a', size: 2 },
    ].map(params => aRun({ params }))
    const levels = { model: ['a', 'b'], size: [2] }
    const variants = variantsOf(evidenceWith(runs, { factors: ['model', 'size'], levels }))
    expect(variants.map(({ id, label, levels }) => ({ id, label, levels }))).toEqual([
      { id: 1, label: 'model=a', levels: { model: 'a', size: 2 } },
      { id: 2, label: 'model=b', levels: { model: 'b', size: 2 } },
    ])
  })

  it('keeps the numbers in the names of runs', () => {
    const runs = [7, 3].map(id => aRun({ name: `var-00${id}-run-001`, params: { arm: id } }))
    expect(variantsOf(evidenceWith(runs)).map(({ id }) => id)).toEqual([7, 3])
  })

  it('is one variant if nothing varies', () => {
    expect(variantsOf(evidenceWith([aRun(), aRun()], { factors: [] }))).toMatchObject([
      { id: 1, label: 'Base configuration', levels: {} },
    ])
  })
})

describe('variantMetrics', () => {
  it('gives each mean an interval and counts what is missing, by reason', () => {
    const evidence = twoArms([1, 2, 3], [4, null, 6])
    const found = variantMetrics(evidence, variantsOf(evidence), readingOf(evidence, {}), options)
    expect(found).toMatchObject([
      { count: 3, mean: 2, stdev: 1, missing: 0, ci: { method: 't' } },
      { count: 2, mean: 5, missing: 1, missing_reasons: { failed: 1 } },
    ])
  })

  it('counts blocks, not runs, if a block has several', () => {
    const runs = [1, 2, 3, 4].flatMap(task =>
      [1, 2, 3].map(replicate =>
        aRun({ params: { arm: 'a' }, block: { task }, replicate, metrics: { score: task + replicate / 100 } }),
      ),
    )
    const evidence = evidenceWith(runs, { blocks: ['task'] })
    const [only] = variantMetrics(evidence, variantsOf(evidence), readingOf(evidence, {}), options)
    expect(only?.ci?.method).toBe('t')
    expect((only?.ci?.high ?? 0) - (only?.ci?.low ?? 0)).toBeGreaterThan(3)
  })

  it('weights blocks equally even with different numbers of runs', () => {
    const runs = [1, 2, 3, 4].flatMap(task =>
      Array.from({ length: task }, (_, replicate) =>
        aRun({ params: { arm: 'a' }, block: { task }, replicate, metrics: { score: task + replicate / 100 } }),
      ),
    )
    const evidence = evidenceWith(runs, { blocks: ['task'] })
    const [only] = variantMetrics(evidence, variantsOf(evidence), readingOf(evidence, {}), options)
    expect(only?.ci?.method).toBe('clustered t')
    expect(only?.mean).toBeCloseTo(3.01, 12)
  })

  it('gives a reason if there is no interval', () => {
    const evidence = twoArms([1], [2])
    const found = variantMetrics(evidence, variantsOf(evidence), readingOf(evidence, {}), options)
    expect(found[1]).toMatchObject({ count: 1, stdev: null, ci: null, reason: 'too few values' })
  })
})
