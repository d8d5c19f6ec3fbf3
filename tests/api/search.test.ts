import { describe, expect, it } from 'vitest'
import { openSearch, type SearchDefinition } from '../../src/api/search.ts'
import type { JsonObject } from '../../src/util/json.ts'

const definition: SearchDefinition = {
  method: 'bayes',
  goal: 'maximize',
  factors: { x: { min: 0, max: 1 }, kind: ['a', 'b'], y: { min: 1, max: 9, integer: true, when: "kind == 'b'" } },
}
const score = ({ x, y }: JsonObject) => -((Number(x) - 0.3) ** 2) - Number(y ?? 5) / 100

describe('openSearch', () => {
  it('suggests, accepts results, and knows the best', () => {
    const search = openSearch(definition)
    expect(search.best()).toBeNull()
    for (let trial = 0; trial < 30; trial++)
      for (const { id, params, why } of search.ask()) {
        expect(why).not.toBe('')
        search.tell(id, score(params))
      }
    expect(search.best()?.value).toBeGreaterThan(-0.02)
    expect(search.best()?.params).toMatchObject({ kind: 'b', y: 1 })
  })

  it('continues from saved state as if uninterrupted', () => {
    const one = openSearch(definition)
    for (const { id, params } of one.ask(8)) one.tell(id, score(params))
    const other = openSearch(definition, JSON.parse(JSON.stringify(one.save())))
    expect(other.ask(3)).toEqual(one.ask(3))
    expect(other.best()).toEqual(one.best())
  })

  it('suggests several at once, all different, and learns from parameters of your own and from failures', () => {
    const search = openSearch(definition)
    search.tell({ x: 0.3, kind: 'b', y: 1 }, -0.01)
    const several = search.ask(12)
    expect(new Set(several.map(({ id }) => id)).size).toBe(12)
    for (const { id } of several) search.tell(id, null)
    expect(search.ask(1)).toHaveLength(1)
    expect(search.best()).toEqual({ params: { x: 0.3, kind: 'b', y: 1 }, value: -0.01 })
  })

  it('has nothing more to suggest when a finite space is exhausted', () => {
    const search = openSearch({ method: 'tpe', goal: 'minimize', factors: { a: [1, 2, 3], b: [true, false] } })
    expect(search.ask(100)).toHaveLength(6)
    expect(search.ask()).toEqual([])
  })

  it('reports errors', () => {
    expect(() => openSearch({ ...definition, factors: { x: { min: 1, max: 0 } } })).toThrow(
      'factors.x.min: min must be less than max',
    )
    expect(() => openSearch(definition).tell('nobody', 1)).toThrow('there is no suggestion with the id "nobody"')
  })

  it.each([
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [undefined, 'undefined'],
    ['0.5', '"0.5"'],
    [[1], '[1]'],
    [{ value: '1' }, '"1"'],
    [{ value: 1, cost: 2 }, 'got "cost" as well'],
  ])('refuses %j as a result, and continues', (value, shown) => {
    const search = openSearch(definition)
    const [one] = search.ask()
    const before = search.save()
    expect(() => search.tell(one?.id ?? '', value as number)).toThrow(shown)
    expect(search.save()).toEqual(before)
    expect(search.best()).toBeNull()
    search.tell(one?.id ?? '', 1)
    expect(search.best()?.value).toBe(1)
  })

  it.each([
    [{ x: 0.3 }, 'the parameter "kind" is missing'],
    [{ x: Number.NaN, kind: 'a' }, 'expected a value for "x", got NaN'],
    [{ x: undefined, kind: 'a' }, 'expected a value for "x", got undefined'],
    [7, 'expected the id of a suggestion, or parameters, got 7'],
    [null, 'got null'],
  ])('refuses %j as parameters, and continues', (params, shown) => {
    const search = openSearch(definition)
    const before = search.save()
    expect(() => search.tell(params as unknown as string, 1)).toThrow(shown)
    expect(search.save()).toEqual(before)
  })

  it('refuses a big integer with the same message', () => {
    const search = openSearch(definition)
    const [one] = search.ask()
    expect(() => search.tell(one?.id ?? '', 3n as unknown as number)).toThrow('expected a finite number, got 3')
  })

  it.each([Number.NaN, -1, 1.5, '2'])('refuses to suggest %j, which would look like an exhausted space', count => {
    expect(() => openSearch(definition).ask(count as number)).toThrow('ask: expected a whole number, 0 or more')
  })

  it('searches for a front of several objectives, and continues from saved state', () => {
    const both: SearchDefinition = {
      method: 'bayes',
      goal: 'minimize',
      also: { cost: 'maximize' },
      factors: { x: { min: 0, max: 1 } },
    }
    const search = openSearch(both)
    for (let trial = 0; trial < 12; trial++)
      for (const { id, params } of search.ask())
        search.tell(id, { value: Number(params.x) ** 2, cost: Number(params.x) })
    const [only] = search.ask()
    expect(() => search.tell(only?.id ?? '', 1)).toThrow('tell: expected { value, cost }, got 1')
    expect(() => search.tell(only?.id ?? '', { value: 1, cost: Number.NaN })).toThrow('for "cost", got NaN')
    search.tell(only?.id ?? '', null)
    // More of x is worse in one and better in the other: nothing beats anything.
    expect(search.front()).toHaveLength(12)
    search.tell({ x: 0.5 }, { value: 9, cost: 0 })
    expect(search.front()).toHaveLength(12)
    const other = openSearch(both, JSON.parse(JSON.stringify(search.save())))
    expect(other.front()).toEqual(search.front())
    expect(other.best()).toEqual(search.best())
    expect(other.ask(2)).toEqual(search.ask(2))
  })

  it('says which suggestion to stop early, and why', () => {
    const early: SearchDefinition = {
      method: 'random',
      goal: 'minimize',
      factors: { x: { min: 0, max: 1 } },
      early_stop: { type: 'hyperband', min_iter: 2 },
    }
    let search = openSearch(early)
    const [good, bad] = search.ask(2).map(({ id }) => id)
    expect([1, 2, 3].map(() => search.report(good ?? '', 1))).toEqual([null, null, null])
    search.tell(good ?? '', 1)
    search = openSearch(early, JSON.parse(JSON.stringify(search.save())))
    expect(search.report(bad ?? '', 7)).toBeNull()
    expect(search.report(bad ?? '', 7)).toBe(
      'hyperband, band 2: 7 at iteration 2 is worse than 1, number 1 of 2 runs there (eta 3)',
    )
    expect(() => search.report(bad ?? '', Number.NaN)).toThrow('report: expected a finite number, got NaN')
    expect(() => openSearch(definition).report('x', 1)).toThrow('there is no suggestion with the id "x"')
    const without = openSearch(definition)
    expect(() => without.report(without.ask()[0]?.id ?? '', 1)).toThrow('report uses early_stop')
  })
})
