import { describe, expect, it } from 'vitest'
import { normalDeviates } from '../../../src/analyze/calibrate/normal-deviates.ts'
import { counterRandom } from '../../../src/stats/index.ts'
import { ask } from '../ask.ts'
import { evidenceWith, scored } from '../evidence.ts'

const drawing = { seed: 1, resamples: 199, rng: 'assay' } as const
const random = counterRandom(21)
const z = normalDeviates(random)
const trials = 120

/** Costs of independent runs: 7 of 10 are free, the others have one long tail. */
const cost = () => (random.next() < 0.7 ? 0 : Math.exp(z()))

const group = (arm: string, n: number, more = 0) =>
  Array.from({ length: n }, (_, at) => scored({ arm }, { run: `${arm}${at}` }, cost() + more))

/** The true difference is `more`, and the margin just as much. */
function outcomes(n: number, m: number, more: number) {
  const found = Array.from({ length: trials }, () =>
    ask(evidenceWith([...group('a', m), ...group('b', n, more)], { blocks: ['run'] }), {
      drawing,
      isPaired: false,
      ...(more === 0 ? {} : { margin: String(Math.abs(more)) }),
    }),
  )
  return {
    claimed: found.filter(({ verdict }) => verdict === 'better' || verdict === 'worse').length / trials,
    equivalent: found.filter(({ equivalence }) => equivalence?.equivalent).length / trials,
  }
}

describe('few units against many with one long tail', () => {
  it.each([
    [5, 50],
    [12, 90],
    [40, 6],
  ])('%i against %i claim no difference where there is none: 12 to 23%% did', (n, m) => {
    expect(outcomes(n, m, 0).claimed).toBeLessThan(0.06)
  })

  it('keep no margin that they are just beyond', () => {
    expect(outcomes(8, 60, 0.5).equivalent).toBeLessThan(0.06)
    expect(outcomes(8, 60, -0.5).equivalent).toBeLessThan(0.06)
  })
})
