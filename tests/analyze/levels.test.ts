import { describe, expect, it } from 'vitest'
import { armsFor, levelsOf, runsWith, sameLevel } from '../../src/analyze/arms.ts'
import { variantsIn } from '../../src/analyze/variance/variance.ts'
import { armsBy } from '../../src/report/findings/view.ts'
import { aRun, evidenceWith } from './evidence.ts'

describe('sameLevel', () => {
  it('treats text as the number or list that it spells, as on a command line', () => {
    expect(sameLevel(0.9, '0.9')).toBe(true)
    expect(sameLevel([1, 2], '1,2')).toBe(true)
    expect(sameLevel('true', true)).toBe(true)
    expect(sameLevel(1, 2)).toBe(false)
  })

  it('tells objects apart, and nothing from the word null', () => {
    expect(sameLevel({ rate: 1 }, { rate: 2 })).toBe(false)
    expect(sameLevel({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true)
    expect(sameLevel([{ rate: 1 }], [{ rate: 2 }])).toBe(false)
    expect(sameLevel(null, 'null')).toBe(false)
  })
})

describe('the label of an arm', () => {
  const models = ['firm', 'soft']
  const crossed = (other: readonly string[]) =>
    evidenceWith(
      models.flatMap(buyer => other.map(seller => aRun({ name: `${buyer} ${seller}`, params: { buyer, seller } }))),
      { factors: ['buyer', 'seller'] },
    )
  const labels = (other: readonly string[]) => {
    const { control, candidates } = armsFor(crossed(other), { control: { buyer: 'firm' } })
    return [control, ...candidates].map(({ label }) => label)
  }

  it('is its level, with the factor if another factor has the same level', () => {
    expect(labels(['a', 'b'])).toEqual(['firm', 'soft'])
    expect(labels(['soft', 'b'])).toEqual(['buyer=firm', 'buyer=soft'])
  })
})

describe('runsWith', () => {
  it('finds runs by any set of names in any order', () => {
    const runs = [1, 2].flatMap(a => ['x', 'y'].map(b => aRun({ name: `${a}${b}`, params: { a, b } })))
    const names = (levels: Parameters<typeof runsWith>[1]) => runsWith(runs, levels).map(({ name }) => name)
    expect(names({ a: '2' })).toEqual(['2x', '2y'])
    expect(names({ b: 'x', a: 1 })).toEqual(names({ a: 1, b: 'x' }))
    expect(names({ a: 3 })).toEqual([])
    expect(names({})).toHaveLength(4)
  })

  it('distinguishes levels that look alike when concatenated', () => {
    const runs = [aRun({ params: { a: 'x\ny', b: 'z' } }), aRun({ params: { a: 'x', b: 'y\nz' } })]
    expect(runsWith(runs, { a: 'x', b: 'y\nz' })).toEqual([runs[1]])
  })
})

describe('with ten thousand levels', () => {
  const count = 10_000
  const written = Array.from({ length: count }, (_, index) => (index * 7919) % count)
  const runs = Array.from({ length: count }, (_, arm) => aRun({ name: `run ${arm}`, params: { arm } }))
  const evidence = evidenceWith(runs, { levels: { arm: written } })

  it('every list of arms follows the order of the levels in the file', () => {
    const { control, candidates } = armsFor(evidence, {})
    expect([control, ...candidates].map(({ levels }) => levels.arm)).toEqual(written)
    expect([control, ...candidates].map(arm => arm.runs.length)).toEqual(written.map(() => 1))
    expect(levelsOf(evidence, 'arm')).toEqual(written)
    expect(armsBy(evidence, ['arm']).map(({ arm }) => arm)).toEqual(written)
    expect(variantsIn(evidence).map(({ label }) => label)).toEqual(written.map(arm => `arm=${arm}`))
  })
})
