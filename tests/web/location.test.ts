import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { View } from '../../src/report/findings/view.ts'
import { hashOf, placeOf } from '../../web/state/location.ts'

const defaults: View = {
  metric: 'score',
  group: ['policy'],
  baseline: { policy: 'a' },
  alpha: 0.05,
  filter: '',
  cost: 'cost_usd',
}

const view = fc.record({
  metric: fc.string({ minLength: 1 }),
  group: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 3 }),
  baseline: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), { noNullPrototype: true }),
  alpha: fc.constantFrom(0.1, 0.05, 0.01),
  filter: fc.string(),
  cost: fc.string({ minLength: 1 }),
})
const pair = fc.record({ kind: fc.constantFrom('runs' as const, 'variants' as const), a: fc.string(), b: fc.string() })

describe('the address of a view', () => {
  it('leads back to it, whatever the names', () => {
    fc.assert(
      fc.property(view, fc.option(fc.string({ minLength: 1 })), fc.option(pair), (given, run, two) => {
        const place = { view: given, run, pair: two }
        expect(placeOf(hashOf(place, defaults), defaults)).toEqual(place)
      }),
    )
  })

  it('contains only changes', () => {
    const place = { view: defaults, run: null, pair: null }
    expect(hashOf(place, defaults)).toBe('')
    expect(hashOf({ ...place, view: { ...defaults, alpha: 0.01 } }, defaults)).toBe('#/?alpha=0.01')
  })

  it('with a typo leads to the defaults', () => {
    for (const hash of ['#runs', '#/?alpha=7', '#/?baseline=%7Bx', '#/?alpha=x&group', '#/'])
      expect(placeOf(hash, { ...defaults, group: [] })).toMatchObject({ run: null, view: { alpha: 0.05, group: [] } })
  })
})
