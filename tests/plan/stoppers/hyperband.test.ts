import { describe, expect, it } from 'vitest'
import type { EarlyStop } from '../../../src/define/experiment.ts'
import { bandsOf, hyperband } from '../../../src/plan/stoppers/hyperband.ts'
import { complete, namesOf, series } from './series.ts'

type Hyperband = Extract<EarlyStop, { type: 'hyperband' }>
const rule = (more: Partial<Hyperband>): Hyperband => ({
  type: 'hyperband',
  min_iter: null,
  max_iter: null,
  s: null,
  eta: 3,
  strict: false,
  ...more,
})

describe('bands', () => {
  it('begin at min_iter and are eta times apart; s does not count', () => {
    expect(bandsOf(rule({ min_iter: 3, eta: 2, s: 2 })).slice(0, 5)).toEqual([3, 6, 12, 24, 48])
    expect(bandsOf(rule({ min_iter: 30, eta: 1.5 })).slice(0, 3)).toEqual([30, 45, 67])
  })

  it('end below max_iter: s of them, those below 1 left out', () => {
    expect(bandsOf(rule({ max_iter: 27, s: 2 }))).toEqual([3, 9])
    expect(bandsOf(rule({ max_iter: 100, s: 3, eta: 4 }))).toEqual([1, 6, 25])
    expect(bandsOf(rule({ max_iter: 27, s: 5 }))).toEqual([1, 3, 9])
  })

  it('rise strictly, however small eta is', () => {
    const bands = bandsOf(rule({ min_iter: 1, eta: 1.1 }))
    expect(bands).toEqual([...new Set(bands)].sort((one, other) => one - other))
  })
})

describe('hyperband', () => {
  // 116 runs, bands 30, 45 and 67, as in W&B's own reference set: strictly judged, 38, 25 and 17 of them are stopped.
  it('stops as many of 116 runs at three bands as W&B in strict mode', () => {
    const stop = hyperband(rule({ min_iter: 30, eta: 1.5, strict: true }), 'minimize')
    let running = Array.from({ length: 116 }, (_, index) => index)
    const stopped: number[] = []
    const ended: number[] = []
    for (const band of [30, 45, 67]) {
      const now = running.map(index => series(`run${index}`, Array(band).fill(index)))
      const before = ended.map(index => series(`run${index}`, Array(band - 1).fill(index), { isRunning: false }))
      const names = new Set(namesOf(stop(now, [...before, ...now])))
      stopped.push(names.size)
      ended.push(...running.filter(index => names.has(`run${index}`)))
      running = running.filter(index => !names.has(`run${index}`))
    }
    expect(stopped).toEqual([38, 25, 17])
  })

  it('compares the best so far, which spares a run that got worse, unless strict', () => {
    const rivals = [complete('a', [5, 4]), complete('b', [6, 5]), complete('c', [7, 6])]
    const worsened = series('d', [1, 9])
    const with2 = (strict: boolean) =>
      hyperband(rule({ min_iter: 2, strict }), 'minimize')([worsened], [...rivals, worsened])
    expect(with2(false)).toEqual([])
    expect(with2(true)).toEqual([
      {
        run: 'd',
        reason: 'hyperband, band 2: 9 at iteration 2 is worse than 5, number 2 of 4 runs there (eta 3)',
      },
    ])
  })

  it('uses the last band that a run has reached, and stops none before the first', () => {
    const rivals = [complete('a', [1, 1, 1, 1]), complete('b', [2, 2, 2, 2]), complete('c', [3, 3, 3, 3])]
    const stop = hyperband(rule({ min_iter: 2, eta: 2 }), 'minimize')
    expect(stop([series('d', [9])], [...rivals, series('d', [9])])).toEqual([])
    expect(namesOf(stop([series('d', [9, 9, 9])], [...rivals, series('d', [9, 9, 9])]))).toEqual(['d'])
  })
})
