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
  it('suggests, is told, and knows the best', () => {
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

  it('goes on elsewhere as if nothing had happened', () => {
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

  it('has nothing more to suggest when a finite space is done', () => {
    const search = openSearch({ method: 'tpe', goal: 'minimize', factors: { a: [1, 2, 3], b: [true, false] } })
    expect(search.ask(100)).toHaveLength(6)
    expect(search.ask()).toEqual([])
  })

  it('says what is wrong', () => {
    expect(() => openSearch({ ...definition, factors: { x: { min: 1, max: 0 } } })).toThrow(
      'factors.x.min: min must be less than max',
    )
    expect(() => openSearch(definition).tell('nobody', 1)).toThrow('nothing was suggested under the id "nobody"')
  })
})
