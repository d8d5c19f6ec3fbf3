import { describe, expect, it } from 'vitest'
import { filesOfTurn } from '../../../../src/targets/scenario/files/turn-files.ts'
import type { Scenario } from '../../../../src/targets/scenario/scenario.ts'
import type { TurnRecord } from '../../../../src/targets/scenario/state/state.ts'

const turnWith = (more: Partial<TurnRecord>): TurnRecord => ({
  ...{
    turn: 1,
    events: [],
    summary: null,
    talks: [],
    coalitions: [],
    decisions: [],
    metrics: [],
    checks: [],
    remarks: [],
    calls: [],
  },
  world: { state: 'Calm.', key_changes: '', consequences: '', raw: '' },
  ...more,
})

const talk = (from: string, to: string) => ({ from, to, message: `${from} speaks`, answer: `${to} answers` })

// Only names of actors, the title and the rules of checks matter here.
const scenario = { name: 'S', turn_duration: '1 day', actors: [], checks: null } as unknown as Scenario

describe('the files of a turn', () => {
  it('have all talks of two actors in one file, whoever started them', () => {
    const files = filesOfTurn(turnWith({ talks: [talk('a', 'b'), talk('b', 'a'), talk('a', 'c')] }), scenario)
    expect(files.map(({ name }) => name)).toEqual([
      'world-state-001.md',
      'bilateral-a-b-001.md',
      'bilateral-a-c-001.md',
    ])
    expect(files[1]?.text).toContain('b speaks')
  })

  it('do not overwrite each other if hyphens make names alike', () => {
    const files = filesOfTurn(turnWith({ talks: [talk('a-b', 'c'), talk('a', 'b-c')] }), scenario)
    expect(files.map(({ name }) => name)).toEqual([
      'world-state-001.md',
      'bilateral-a-b-c-001.md',
      'bilateral-a-b-c-2-001.md',
    ])
  })

  it.each([
    ['```', '```'],
    ['~~~~ python', '~~~~'],
    ['```\ncode\n```\n````\n```', '````'],
    ['<!-- a note', '-->'],
  ])('close the narrator’s %j before the next heading', (open, end) => {
    const world = { state: `A list:\n${open}\nfish`, key_changes: 'none', consequences: '', raw: '' }
    const [file] = filesOfTurn(turnWith({ world }), scenario)
    expect(file?.text).toContain(`${open}\nfish\n${end}\n\n---\n\n## Key Changes`)
  })

  it('keep closed code and inline fences unchanged', () => {
    const state = 'Say ```so```.\n```js\n1\n```\n<!-- seen -->\nEnd.'
    const world = { state, key_changes: 'none', consequences: '', raw: '' }
    const [file] = filesOfTurn(turnWith({ world }), scenario)
    expect(file?.text).toContain(`${state}\n\n---\n\n## Key Changes`)
  })

  it('have valid names, however many actors join a coalition', () => {
    const members = Array.from({ length: 60 }, (_, at) => `member-${at}`)
    const coalition = { proposer: 'member-0', purpose: 'p', answers: [], is_formed: true, messages: [] }
    const other = { ...coalition, members: members.slice(1) }
    const files = filesOfTurn(turnWith({ turn: 1234, coalitions: [{ ...coalition, members }, other] }), scenario)
    const names = files.map(({ name }) => name)
    expect(new Set(names).size).toBe(3)
    for (const name of names) expect(name.length).toBeLessThan(230)
    expect(names[1]).toMatch(/^coalition-member-0-.*-1234\.md$/)
  })
})
