import { describe, expect, it } from 'vitest'
import { isRead, type StoryView } from '../../src/report/dataset/turns.ts'
import { wholeStoryIn } from '../../src/report/gather/stories/run-stories.ts'
import type { TurnRecord } from '../../src/targets/scenario/state/state.ts'
import { sharedTurns, storyDivergenceOf, storyDivergenceSentences } from '../../web/story/story-divergence.ts'
import { folderWith } from '../support/assay.ts'
import { aDecision, aTurn, storyFiles } from '../support/story-records.ts'

function story(turns: readonly TurnRecord[], changes: Readonly<Record<string, unknown>> = {}): StoryView {
  const found = wholeStoryIn(folderWith(storyFiles(turns, changes)))
  if (found === null || !isRead(found)) throw new Error('there is none')
  return found
}

const plain = [1, 2, 3, 4].map(turn => aTurn(turn))
const with3 = (changes: Partial<TurnRecord>): readonly TurnRecord[] =>
  plain.map(record => (record.turn === 3 ? { ...record, ...changes } : record))

describe('the divergence of two scenario runs', () => {
  it('is nowhere for the same run, whatever its costs', () => {
    const [a, b] = [story(plain), story(with3({ calls: [] }))]
    expect(storyDivergenceOf(a, b)).toEqual({
      ...{ isSameOpening: true, turn: null, part: null, metric: null, compared: 4, isWhole: true },
    })
    expect(storyDivergenceSentences(a, b)).toEqual(['Both runs are the same in every turn.'])
  })

  it('is the first decision that differs, and the sentence names its actor', () => {
    const decisions = [aDecision('port', 'give in'), aDecision('carrier', 'sail 3')]
    const metrics = [{ name: 'trust', value: 9, problem: null }]
    const [a, b] = [story(plain), story(with3({ decisions, metrics }))]
    expect(storyDivergenceOf(a, b)).toMatchObject({
      ...{ turn: 3, part: 'decisions', metric: { turn: 3, name: 'trust', a: 3, b: 9 } },
    })
    expect(storyDivergenceSentences(a, b)).toEqual([
      'They diverge at turn 3, and are the same until then. The first difference is in the decisions of Port.',
      'Their metrics differ for the first time after turn 3: trust is 3 in A and 9 in B.',
    ])
  })

  it.each([
    ['events', { events: [{ name: 'storm', text: 'It blows.' }] }, 'the events.'],
    ['talks', { talks: [] }, 'the private talks of Port and Carrier.'],
    [
      'world',
      { world: { state: 'Else.', key_changes: '', consequences: '', raw: '' } },
      'the narrator’s account of the same actions.',
    ],
  ] as const)('reports a difference in the %s', (part, changes, words) => {
    const [a, b] = [story(plain), story(with3(changes as Partial<TurnRecord>))]
    expect(storyDivergenceOf(a, b)).toMatchObject({ turn: 3, part, metric: null })
    expect(storyDivergenceSentences(a, b)).toEqual([
      `They diverge at turn 3, and are the same until then. The first difference is in ${words}`,
      'Their metrics are the same in all turns that both have.',
    ])
  })

  it('is correct if both texts were cut in the middle', () => {
    const long = 'x'.repeat(200_000)
    const cut = (text: string) => with3({ decisions: [aDecision('port', text)] })
    const [a, b] = [story(cut(long)), story(cut(`${long.slice(0, 100_000)}y${long.slice(100_001)}`))]
    expect(storyDivergenceOf(a, b)).toMatchObject({ turn: 3, part: 'decisions' })
    expect(storyDivergenceSentences(a, b)[0]).toContain('the decisions of Port')
  })

  it('is the end of the shorter one', () => {
    expect(storyDivergenceSentences(story(plain), story(plain.slice(0, 2)))[0]).toBe(
      'They diverge at turn 3, and are the same until then: B ended after turn 2.',
    )
  })

  it('names actors with other models, and a different beginning', () => {
    const other = story(plain, {
      initial_world_state: 'The quay is new.',
      actors: { port: { name: 'Port', llm_model: 'sim/z' }, carrier: { name: 'Carrier', llm_model: 'sim/b' } },
    })
    expect(storyDivergenceSentences(story(plain), other)).toEqual([
      'Played by other models: Port (A sim/a, B sim/z).',
      'They began in different states of the world.',
      'Both runs are the same in every turn.',
    ])
  })

  it('reports what a branch and its trunk share', () => {
    const branch = story(with3({ talks: [] }), { branched_from: { run: 'results/a/runs/one', turn: 2 } })
    const sibling = story(plain, { branched_from: { run: 'results/a/runs/one', turn: 1 } })
    const stranger = story(plain, { branched_from: { run: 'results/a/runs/two', turn: 2 } })
    const trunk = story(plain)
    expect([sharedTurns(trunk, branch), sharedTurns(branch, sibling), sharedTurns(branch, stranger)]).toEqual([
      2,
      1,
      null,
    ])
    expect(sharedTurns(story(plain, { seed: 8 }), branch)).toBe(null)
    expect(storyDivergenceSentences(trunk, branch)[0]).toBe(
      'Turns 1 to 2 are one and the same history, and both draw their events from the same seed: what differs from turn 3 on comes from what was changed there, and from chance in the models’ answers.',
    )
  })

  it('reports where a branch continues with a changed state', () => {
    const flood = { state: 'A flood.', key_changes: '', consequences: '', raw: '' }
    const turns = plain.map(one => (one.turn === 2 ? { ...one, world: flood } : one))
    const branch = story(turns, { branched_from: { run: 'results/a/runs/one', turn: 2, changed: ['world_state'] } })
    expect(storyDivergenceSentences(story(plain), branch).slice(0, 2)).toEqual([
      'Turns 1 to 2 are one and the same history up to the state after turn 2, which was changed: world_state in B. Both draw their events from the same seed.',
      'They diverge with the state of the world after turn 2, which was changed for the branch.',
    ])
  })
})
