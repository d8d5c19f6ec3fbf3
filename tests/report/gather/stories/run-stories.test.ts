import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRead, type StoryView } from '../../../../src/report/dataset/turns.ts'
import { filesOf } from '../../../../src/report/gather/run-files.ts'
import { storiesOf, wholeStoryIn } from '../../../../src/report/gather/stories/run-stories.ts'
import type { TurnRecord } from '../../../../src/targets/scenario/state/state.ts'
import { aRun } from '../../../analyze/evidence.ts'
import { folderWith } from '../../../support/assay.ts'
import { aDecision, aTurn, storyFiles } from '../../../support/story-records.ts'

const turnsOf = (count: number, change: (turn: number) => Partial<TurnRecord> = () => ({})): readonly TurnRecord[] =>
  Array.from({ length: count }, (_, at) => aTurn(at + 1, change(at + 1)))

function storyIn(folder: string, first = 1): StoryView {
  const found = wholeStoryIn(folder, first)
  if (found === null || !isRead(found)) throw new Error(found?.problem ?? 'there is none')
  return found
}

const gathered = (folders: readonly string[], variants = 1) =>
  storiesOf(
    folders.map((_, at) => aRun({ name: `run-${at}`, params: { variant: at % variants }, metrics: { passed: 1 } })),
    folders,
    filesOf(folders).lists,
  )

const whole = (text: string) => ({ text, left: 0, end: '', mark: null })

describe('the story of a run', () => {
  it('has every turn with events, talks, coalitions, decisions, world, metrics, checks and usage', () => {
    const changes: Partial<TurnRecord> = {
      events: [{ name: 'storm', text: 'It blows.' }],
      summary: { through: 1, text: 'Little so far.' },
      coalitions: [
        {
          ...{ proposer: 'port', members: ['port', 'carrier'], purpose: 'a fund', is_formed: true },
          answers: [{ actor: 'carrier', accepts: true, reason: 'cheap' }],
          messages: [{ actor: 'port', text: 'Welcome.' }],
        },
      ],
      metrics: [
        { name: 'trust', value: null, problem: 'the line has no trust' },
        { name: 'mood', value: 'grim', problem: null },
      ],
      checks: [
        {
          ...{ check: 'realism', actor: 'port', passed: false, severity: 'high', issues: ['too fast'] },
          ...{ explanation: 'Ships are slow.', reaction: 'warn' },
        },
      ],
      remarks: ['nobody answered'],
    }
    const view = storyIn(folderWith(storyFiles(turnsOf(2, turn => (turn === 2 ? changes : {})))))
    expect(view).toMatchObject({
      ...{ scenario: 'Harbour', status: 'completed', success: true, seed: 7, turn_count: 2, total_turns: 2 },
      opening: whole('The quay is old.'),
      metrics: ['trust', 'mood'],
      overview: [
        { number: 1, values: [1, null], calls: 3, price_usd: 1 },
        { number: 2, values: [null, 'grim'], calls: 3, price_usd: 1 },
      ],
    })
    expect(view.actors).toEqual([
      { short_name: 'port', name: 'Port', model: 'sim/a' },
      { short_name: 'carrier', name: 'Carrier', model: 'sim/b' },
    ])
    const nothing = whole('')
    const decision = { long_term_goals: nothing, short_term_goals: nothing, reasoning: nothing }
    expect(view.turns[1]).toEqual({
      number: 2,
      events: [{ name: 'storm', text: whole('It blows.') }],
      summary: { through: 1, text: whole('Little so far.') },
      talks: [{ from: 'port', to: 'carrier', message: whole('Pay in month 2.'), answer: whole('No.') }],
      coalitions: [
        {
          ...{ proposer: 'port', members: ['port', 'carrier'], purpose: whole('a fund'), is_formed: true },
          answers: [{ actor: 'carrier', accepts: true, reason: whole('cheap') }],
          messages: [{ actor: 'port', text: whole('Welcome.') }],
        },
      ],
      decisions: [
        { actor: 'port', action: whole('wait 2'), ...decision },
        { actor: 'carrier', action: whole('sail 2'), ...decision },
      ],
      world: { state: whole('Month 2.'), key_changes: nothing, consequences: nothing },
      metrics: changes.metrics,
      checks: [
        {
          ...{ check: 'realism', actor: 'port', passed: false, severity: 'high', reaction: 'warn' },
          text: whole('too fast\nShips are slow.'),
        },
      ],
      remarks: ['nobody answered'],
      calls: [
        { purpose: 'decision', calls: 2, input_tokens: 200, output_tokens: 20, price_usd: 0.5 },
        { purpose: 'world', calls: 1, input_tokens: 50, output_tokens: 5, price_usd: 0.5 },
      ],
      left: 0,
    })
  })

  it('has no price if one of its calls has none', () => {
    const [first] = aTurn(1).calls
    const calls = [...aTurn(1).calls, { ...first, purpose: 'check', actor: null, cost_usd: null }]
    const view = storyIn(folderWith(storyFiles([aTurn(1, { calls: calls as TurnRecord['calls'] })])))
    expect(view.overview[0]?.price_usd).toBe(null)
    expect(view.turns[0]?.calls.map(({ price_usd }) => price_usd)).toEqual([0.5, 0.5, null])
  })

  it('is text without escapes, cut in the middle', () => {
    const flood = `<b>start</b>\u001b[31m red\u0007${'x'.repeat(3_000_000)}\u001b]0;title\u0007the end`
    const folder = folderWith(storyFiles([aTurn(1, { decisions: [aDecision('port', flood)] }), aTurn(2)]))
    const action = storyIn(folder).turns[0]?.decisions[0]?.action
    expect(action?.text).toMatch(/^<b>start<\/b> red\ufffdx+$/)
    expect(action?.end).toMatch(/^x+the end$/)
    expect(action?.left).toBe(flood.length - 40_000)
    const [view] = gathered([folder]).views
    expect(JSON.stringify(view).length).toBeLessThan(20_000)
    // A text that differs only where it was cut is another text.
    const other = folderWith(
      storyFiles([aTurn(1, { decisions: [aDecision('port', flood.replace('xxx', 'xyx'))] }), aTurn(2)]),
    )
    expect(storyIn(other).turns[0]?.decisions[0]?.action.mark).not.toBe(action?.mark)
  })

  it('counts the omitted talks of a turn with thousands', () => {
    const talks = Array.from({ length: 3000 }, () => ({ from: 'port', to: 'carrier', message: 'a', answer: 'b' }))
    const remarks = Array.from({ length: 150 }, () => 'c'.repeat(10_000))
    const { turns } = storyIn(folderWith(storyFiles([aTurn(1, { talks, remarks })])))
    expect([turns[0]?.talks.length, turns[0]?.remarks.length, turns[0]?.left]).toEqual([100, 100, 2950])
    expect(turns[0]?.remarks[0]).toBe(`${'c'.repeat(400)}…`)
  })

  it('is paged for thousands of turns, and a later page reads only its own', () => {
    const folder = folderWith(storyFiles(turnsOf(1200)))
    const first = storyIn(folder)
    expect([first.turn_count, first.turns.length, first.overview.length, first.calls]).toEqual([1200, 1000, 1000, 3600])
    const [view] = gathered([folder]).views
    if (view === null || view === undefined || !isRead(view)) throw new Error('there is none')
    const numbers = view.turns.map(({ number }) => number)
    expect([numbers[0], numbers.at(-1)]).toEqual([1, 1200])
    expect(numbers.length).toBeLessThan(400)
    expect([view.overview.length, view.price_usd]).toEqual([400, 1200])
    expect(JSON.stringify(view).length).toBeLessThan(250_000)
    rmSync(join(folder, 'turns/003.json'))
    const later = storyIn(folder, 1195)
    expect(later.turns.map(({ number }) => number)).toEqual([1195, 1196, 1197, 1198, 1199, 1200])
    expect([later.overview, later.unread]).toEqual([[], []])
  })

  it('is included for as many runs of every variant as fit, and all are counted', () => {
    const long = { state: 'word '.repeat(2000), key_changes: '', consequences: '', raw: '' }
    const files = storyFiles(turnsOf(60, () => ({ world: long })))
    const folders = Array.from({ length: 100 }, () => folderWith(files))
    const { views, found } = gathered(folders, 4)
    const kept = views.flatMap((view, at) => (view === null ? [] : [at]))
    expect(found).toBe(100)
    expect(kept.length).toBeGreaterThan(20)
    expect(kept.length).toBeLessThan(100)
    expect(new Set(kept.map(at => at % 4)).size).toBe(4)
    expect(JSON.stringify(views).length).toBeLessThan(1_700_000)
  })

  it('names unreadable turns, and continues after them', () => {
    const folder = folderWith(storyFiles(turnsOf(6)))
    writeFileSync(join(folder, 'turns/002.json'), '{"turn": 2')
    writeFileSync(join(folder, 'turns/003.json'), JSON.stringify(aTurn(4)))
    writeFileSync(join(folder, 'turns/004.json'), JSON.stringify({ ...aTurn(4), decisions: 'none' }))
    rmSync(join(folder, 'turns/005.json'))
    const { turns, unread, marks, price_usd } = storyIn(folder)
    expect(price_usd).toBe(null)
    expect(turns.map(({ number }) => number)).toEqual([1, 6])
    expect(unread.map(({ number, problem }) => [number, problem.replace(/(valid JSON|decisions).*/s, '$1')])).toEqual([
      [2, 'turns/002.json is not valid JSON'],
      [3, 'turns/003.json is of turn 4'],
      [4, 'turns/004.json is not as it should be: decisions'],
      [5, 'turns/005.json is missing'],
    ])
    // Only turns without a gap before them are compared with those of another run.
    expect(marks.world.length).toBe(6)
  })

  it('is refused by name if its state is broken, foreign, too large, or outside the folder', () => {
    const problemOf = (text: string) => wholeStoryIn(folderWith({ 'scenario-state.json': text }))
    expect(problemOf('{')).toEqual({
      file: 'scenario-state.json',
      problem: expect.stringContaining('is not valid JSON'),
    })
    expect(problemOf('{"scenario_name": "Harbour"}')).toEqual({
      file: 'scenario-state.json',
      problem: 'was not written by assay',
    })
    expect(problemOf('{"format": "assay-scenario-1"}')).toEqual({
      file: 'scenario-state.json',
      problem: expect.stringContaining('digest'),
    })
    const large = folderWith({ 'scenario-state.json': '' })
    truncateSync(join(large, 'scenario-state.json'), 70 * 1024 * 1024)
    expect(wholeStoryIn(large)).toMatchObject({ problem: 'has 73 MB, and at most 67 MB of a run are read' })
    const secret = folderWith(storyFiles([aTurn(1)]))
    const linked = folderWith({})
    symlinkSync(join(secret, 'scenario-state.json'), join(linked, 'scenario-state.json'))
    expect([wholeStoryIn(linked), wholeStoryIn(folderWith({}))]).toEqual([null, null])
    const half = folderWith({ 'scenario-state.json': storyFiles([aTurn(1)])['scenario-state.json'] ?? '' })
    symlinkSync(join(secret, 'turns'), join(half, 'turns'))
    expect(storyIn(half)).toMatchObject({ turns: [], unread: [{ number: 1, problem: 'turns/001.json is missing' }] })
  })
})
