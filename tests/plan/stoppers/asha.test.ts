import { describe, expect, it } from 'vitest'
import { asha } from '../../../src/plan/stoppers/asha.ts'
import { complete, namesOf, series } from './series.ts'

describe('asha', () => {
  const stop = asha({ type: 'asha', min_iter: 2, eta: 3 }, 'minimize')

  it('lets the best third of a rung continue', () => {
    const all = [1, 2, 3, 4, 5, 6].map(loss => series(`run${loss}`, [loss, loss]))
    expect(namesOf(stop(all, all))).toEqual(['run3', 'run4', 'run5', 'run6'])
  })

  it('lets one continue if there is less than a third', () => {
    const all = [1, 2].map(loss => series(`run${loss}`, [loss, loss]))
    expect(stop(all, all)).toEqual([
      { run: 'run2', reason: 'asha, iteration 2: 1 of 2 runs were better than its 2, and only the best one goes on' },
    ])
  })

  it('uses the last rung only, with the best value up to it', () => {
    const rivals = [complete('a', [3, 3, 3, 3, 3, 3]), complete('b', [4, 4]), complete('c', [5, 5])]
    const late = series('late', [9, 9, 9, 9, 9, 2, 9])
    expect(stop([late], [...rivals, late])).toEqual([])
    expect(namesOf(stop([series('late', [9, 9, 9, 9, 9])], [...rivals, series('late', [9, 9, 9, 9, 9])]))).toEqual([
      'late',
    ])
  })

  it('waits for the first rung', () => {
    expect(stop([series('d', [9])], [complete('a', [1, 1]), series('d', [9])])).toEqual([])
  })
})
