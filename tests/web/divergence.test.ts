import { describe, expect, it } from 'vitest'
import { trajectoryView } from '../../src/report/gather/trajectories/trajectory-view.ts'
import { divergenceOf, divergenceSentences } from '../../web/trajectory/divergence.ts'
import { type AgentPlan, madeTrajectory } from '../support/agent-work.ts'

/** So little room that hardly a text is whole. */
const limits = { text: 10, room: 500, turns: 2, endShare: 0 }
const viewOf = (plan: AgentPlan) => trajectoryView(madeTrajectory(plan), { file: 'a', bytes: 1 }, limits)

describe('the divergence of two trajectories', () => {
  it('is the first turn with different actions, even if texts are cut', () => {
    const long = 'x'.repeat(500)
    const a = viewOf({ turns: 9, command: turn => `${long}${turn}` })
    const b = viewOf({ turns: 9, command: turn => `${long}${turn < 7 ? turn : 0}` })
    expect(divergenceOf(a, b)).toEqual({
      ...{ isSameOpening: true, acts: 7, results: null, prompts: null, compared: 9, isWhole: true },
    })
    expect(divergenceSentences(a, b)).toEqual(['They diverge at turn 7: until then both agents did the same.'])
  })

  it('distinguishes different results and prompts from different actions', () => {
    const a = viewOf({ turns: 8, keep: 2 })
    const b = viewOf({
      turns: 8,
      output: turn => (turn === 2 ? 'other' : `${turn}\n`),
      command: turn => `echo ${turn === 6 ? 'x' : turn}`,
    })
    expect(divergenceOf(a, b)).toMatchObject({ acts: 6, results: 2, prompts: 4 })
    expect(divergenceSentences(a, b)).toEqual([
      'They diverge at turn 6: until then both agents did the same.',
      'The same command gave another result in turn 2, before the agents diverged.',
      'Their prompts had different parts of the history for the first time in turn 4.',
    ])
  })

  it('is where one of them ends, and nowhere if both are the same', () => {
    expect(divergenceSentences(viewOf({ turns: 5 }), viewOf({ turns: 3 }))).toEqual([
      'They diverge at turn 4: until then both did the same, and B ended after turn 3.',
    ])
    expect(divergenceSentences(viewOf({ turns: 5 }), viewOf({ turns: 5 }))).toEqual([
      'Both agents did the same in every turn.',
    ])
    expect(divergenceSentences(viewOf({ turns: 0 }), viewOf({ turns: 0 }))).toEqual([
      'Both agents did the same in every turn.',
    ])
  })

  it('gives the number of compared turns', () => {
    const a = viewOf({ turns: 2500 })
    const b = viewOf({ turns: 2500, command: turn => `echo ${turn === 2400 ? 'x' : turn}` })
    expect(divergenceOf(a, b)).toMatchObject({ acts: null, compared: 2000, isWhole: false })
    expect(divergenceSentences(a, b)).toEqual([
      'Both agents did the same in the first 2000 turns; later ones were not compared.',
    ])
  })
})
