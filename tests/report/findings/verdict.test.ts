import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../src/plan/evidence.ts'
import { comparisonsOf } from '../../../src/report/findings/comparisons.ts'
import { verdictOf } from '../../../src/report/findings/verdict.ts'
import { defaultView } from '../../../src/report/findings/view.ts'
import { badgesOf } from '../../../src/report/findings/wording/badges.ts'
import { nextStepsOf } from '../../../src/report/findings/wording/next-steps.ts'
import { aRun, evidenceWith, scored, twoArms } from '../../analyze/evidence.ts'
import { aDataset, factsOf } from '../dataset/datasets.ts'

function verdictFor(evidence: Evidence) {
  const dataset = aDataset(
    evidence,
    evidence.runs.map(() => factsOf()),
  )
  const view = defaultView(dataset)
  return verdictOf(dataset, view, comparisonsOf(dataset, view))
}

const a = [1, 2, 3, 4, 5, 6, 7, 8]

describe('the headline', () => {
  it('is the sentence of the one comparison', () => {
    const better = a.map((value, at) => value + 2 + 0.1 * (at % 3))
    expect(verdictFor(twoArms(a, better))).toMatchObject({
      verdict: 'better',
      headline: expect.stringMatching(/^b is better on score than a by 2\.\d+ \(95 % CI .*\), paired on 8 seeds\.$/),
      others: [],
    })
  })

  it('is about what is better by most; the others follow', () => {
    const arms = { a: 0, b: 2, c: 5, d: -3 }
    const runs = Object.entries(arms).flatMap(([arm, shift]) =>
      a.map((value, at) => scored({ arm }, { seed: at + 1 }, value + shift + 0.1 * Math.sin(at + shift))),
    )
    const { headline, others } = verdictFor(evidenceWith(runs, { blocks: ['seed'] }))
    expect(headline).toMatch(/^c is better on score than a/)
    expect(others.map(text => text.slice(0, 11))).toEqual(['b is better', 'd is worse '])
  })

  it('says so when nothing is better', () => {
    const runs = Object.entries({ a: 0, b: -2, c: -5 }).flatMap(([arm, shift]) =>
      a.map((value, at) => scored({ arm }, { seed: at + 1 }, value + shift + 0.1 * Math.sin(at + shift))),
    )
    const { headline, others } = verdictFor(evidenceWith(runs, { blocks: ['seed'] }))
    expect(headline).toBe('a is the best of 3 on score: b and c are worse.')
    expect(others).toHaveLength(2)
  })

  it('of one variant is its mean', () => {
    const one = evidenceWith(
      a.map(value => aRun({ name: `r${value}`, params: { arm: 'a' }, metrics: { score: value } })),
    )
    expect(verdictFor(one).headline).toMatch(
      /^score is 4\.50 on average \(95 % CI .*, 8 runs\)\. There is one variant: nothing to compare it with\.$/,
    )
  })

  it('of runs that all failed is how', () => {
    const outcome = { kind: 'failed', error_class: 'exit_7' } as const
    const failed = evidenceWith([aRun({ name: 'x', outcome }), aRun({ name: 'y', outcome })])
    expect(verdictFor(failed).headline).toBe('No run completed: all 2 ended as “failed: exit_7”.')
  })

  it('of a metric that nobody measured says that', () => {
    const runs = [aRun({ name: 'x', params: { arm: 'a' } }), aRun({ name: 'y', params: { arm: 'b' } })]
    expect(verdictFor(evidenceWith(runs)).headline).toBe('No verdict: no run has a value of score.')
  })
})

describe('what next', () => {
  it('is about how many more units would show a difference of the size seen', () => {
    const noisy = a.map((value, at) => value + 0.4 + 3 * Math.sin(5 * at))
    const { verdict, about } = verdictFor(twoArms(a, noisy))
    expect(verdict).toBe('inconclusive')
    const [step] = nextStepsOf(aDataset(evidenceWith([]), []), about)
    expect(step).toMatch(/^if the difference really is [\d.]+, about \d+ seeds would show it four times out of five/)
  })
})

describe('badges', () => {
  const standing = (states: Record<string, number>) => {
    const planned = Object.values(states).reduce((sum, count) => sum + count, 0)
    const facts = { planned, states, attempts: 0, cost_usd: 0, overrun_usd: 0, budget_usd: null }
    return aDataset(evidenceWith([]), [], { experiments: [{ standing: facts } as never] })
  }
  const texts = (states: Record<string, number>) => badgesOf(standing(states)).map(({ text }) => text)

  it('say what is missing', () => {
    expect(texts({ completed: 60 })).toEqual(['exploratory', 'complete: 60 runs'])
    expect(texts({ completed: 40, failed: 2, timed_out: 1, pending: 16, running: 1 })).toEqual([
      'exploratory',
      'partial: 43 of 60 runs',
      '3 without a result',
    ])
  })
})
