import { describe, expect, it } from 'vitest'
import type { Message } from '../../../../src/models/model-call.ts'
import { renderPrompt } from '../../../../src/models/trajectory/trajectory.ts'
import { chooseStrategy, idleSettings } from '../../../../src/targets/agent/strategies/choose-strategy.ts'
import { builtInStrategy, type StrategyName } from '../../../../src/targets/agent/strategies/registry.ts'
import type { Strategy } from '../../../../src/targets/agent/strategies/strategy.ts'
import type { JsonObject } from '../../../../src/util/json.ts'
import { folderWith } from '../../../support/assay.ts'
import { historyOf, type PlannedTurn, played } from './histories.ts'

const turns = (count: number): readonly PlannedTurn[] =>
  Array.from({ length: count }, (_, at) => ({ says: `turn ${at}`, outputs: [`output ${at}\nof two lines\n`] }))

const made = (name: StrategyName, params: JsonObject = {}): Strategy => {
  const choice = builtInStrategy(name, params)
  if (choice.problems !== undefined) throw new Error(choice.problems[0]?.message)
  return choice.strategy
}

/** The outputs that can be read before each turn, by the number of the turn that made them. */
const readable = (strategy: Strategy, planned: readonly PlannedTurn[]): readonly (readonly number[])[] =>
  played(strategy, planned).map(({ prompt, history }) =>
    renderPrompt(prompt, history.messages, history.summaries).flatMap(({ role, content }) => {
      const [, number] = /^output (\d+)/.exec(String(content)) ?? []
      return role === 'tool' && number !== undefined ? [Number(number)] : []
    }),
  )

describe('observation_masking', () => {
  it('keeps exactly the 10 newest outputs by default', () => {
    const seen = readable(made('observation_masking'), turns(30))
    expect(seen.map(outputs => outputs.length)).toEqual(Array.from({ length: 31 }, (_, at) => Math.min(at, 10)))
    expect(seen.at(-1)).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28, 29])
  })

  it('replaces a masked output by its number of lines', () => {
    const asked = played(made('observation_masking', { hp_obs_n: 1 }), [
      { says: 'a', outputs: ['one line'] },
      { says: 'b', outputs: ['two\nlines\n'] },
      { says: 'c', outputs: ['last'] },
    ]).at(-1)
    const contents = renderPrompt(asked?.prompt ?? [], asked?.history.messages ?? [], []).flatMap(message =>
      message.role === 'tool' ? [message.content] : [],
    )
    expect(contents).toEqual([
      'Old environment output: (1 line omitted)',
      'Old environment output: (2 lines omitted)',
      'last',
    ])
  })

  it('changes the masked part only every `polling` outputs, and keeps between n and n + polling', () => {
    const seen = readable(made('observation_masking', { hp_obs_n: 3, hp_obs_polling: 5 }), turns(40))
    const first = seen.map(outputs => outputs[0] ?? 0)
    expect(new Set(first).size).toBeLessThanOrEqual(40 / 5 + 1)
    for (const [at, outputs] of seen.entries()) {
      expect(outputs.length).toBeGreaterThanOrEqual(Math.min(at, 3))
      expect(outputs.length).toBeLessThanOrEqual(3 + 5)
    }
  })

  it('keeps outputs of some commands for good and hides those of others at once', () => {
    const seen = readable(
      made('observation_masking', { hp_obs_n: 2, hp_obs_keep: 'cmd 1"', hp_obs_remove: 'cmd 6"' }),
      turns(8),
    )
    expect(seen.at(-1)).toEqual([1, 7])
    expect(seen.at(-2)).toEqual([1, 5])
  })

  it('counts each of several outputs of one turn', () => {
    const planned = [
      { says: 'a', outputs: ['output 0', 'output 1'] },
      { says: 'b', outputs: ['output 2', 'output 3'] },
    ]
    expect(readable(made('observation_masking', { hp_obs_n: 3 }), planned).at(-1)).toEqual([1, 2, 3])
  })

  it('masks outputs in user messages of agents without tools, but not the instruction', () => {
    const history = {
      messages: [
        { role: 'user' as const, content: 'Fix the bug.' },
        { role: 'assistant' as const, content: 'ls' },
        { role: 'user' as const, content: 'a\nb' },
        { role: 'assistant' as const, content: 'cat a' },
        { role: 'user' as const, content: 'text' },
      ],
      opening: 1,
      turns: [
        { from: 1, to: 3 },
        { from: 3, to: 5 },
      ],
      summaries: [],
    }
    const { prompt } = made('observation_masking', { hp_obs_n: 1 }).next(history, null)
    expect(renderPrompt(prompt ?? [], history.messages, []).map(({ content }) => content)).toEqual([
      'Fix the bug.',
      'ls',
      'Old environment output: (2 lines omitted)',
      'cat a',
      'text',
    ])
  })
})

describe('llm_summary', () => {
  it('writes the first summary after turn n + m and one every n turns after that', () => {
    const written = played(made('llm_summary'), turns(80)).map(one => one.written)
    const when = written.flatMap((count, at) => (count > (written[at - 1] ?? 0) ? [at] : []))
    expect(when).toEqual([31, 52, 73])
  })

  it('shows only the newest summary, which was written from the one before it', () => {
    const strategy = made('llm_summary', { hp_sum_n: 3, hp_sum_keep_m: 1 })
    const last = played(strategy, turns(9)).at(-1)
    expect(last?.prompt).toEqual([{ from: 0, to: 2 }, { summary: 1 }, { from: 14, to: 20 }])
    const next = strategy.next(historyOf(turns(7), [{ text: 'what was before', from: 0, to: 3 }]), strategy.start())
    expect(next.summarise?.ask?.[1]?.content).toContain('<PREVIOUS_CHECKPOINT>\nwhat was before')
  })

  it('shows all summaries without static checkpoints', () => {
    const strategy = made('llm_summary', { hp_sum_n: 3, hp_sum_keep_m: 1, hp_sum_static_checkpoint: false })
    expect(played(strategy, turns(9)).at(-1)?.prompt.slice(1, 3)).toEqual([{ summary: 0 }, { summary: 1 }])
  })

  it('brings all summaries back after one prompt with legacy', () => {
    const strategy = made('llm_summary', { hp_sum_n: 3, hp_sum_keep_m: 1, hp_sum_static_checkpoint: 'legacy' })
    const prompts = played(strategy, turns(8)).map(({ prompt }) => prompt.filter(part => 'summary' in part))
    expect(prompts.slice(7)).toEqual([[{ summary: 1 }], [{ summary: 0 }, { summary: 1 }]])
  })

  it('asks the summariser with the task, the turns and their commands', () => {
    const strategy = made('llm_summary', { hp_sum_n: 2, hp_sum_keep_m: 0 })
    const { summarise } = strategy.next(historyOf(turns(2)), strategy.start())
    const [system, user] = summarise?.ask ?? []
    expect(system?.role).toBe('system')
    expect(user?.content).toContain('<PROBLEM_STATEMENT>\nFix the bug.\n</PROBLEM_STATEMENT>')
    expect(user?.content).toContain('<TURN 1>\nASSISTANT: turn 1\nACTION: cmd 1\nTOOL: output 1\nof two lines')
  })

  it('shortens messages and commands on request', () => {
    const strategy = made('llm_summary', {
      hp_sum_n: 2,
      hp_sum_keep_m: 0,
      hp_sum_max_reasoning_length: 1,
      hp_sum_extract_actions: true,
      hp_sum_max_action_length: 1,
    })
    const { summarise } = strategy.next(historyOf(turns(2)), strategy.start())
    expect(summarise?.ask?.[1]?.content).toContain('<TURN 1>\nASSISTANT: turn\nACTION: cmd 1\nTOOL: output\n</TURN 1>')
    expect(summarise?.textOf('done so far')).toMatch(/done so far\n\n<ACTIONS>\n1\. cmd\n2\. cmd\n<\/ACTIONS>$/)
  })

  it('calls no model if turns are only left out', () => {
    const strategy = made('llm_summary', { hp_sum_n: 2, hp_sum_keep_m: 0, hp_sum_omit_turns: true })
    const { summarise } = strategy.next(historyOf(turns(2)), strategy.start())
    expect(summarise?.ask).toBeNull()
    expect(summarise?.textOf(null)).toBe('(The previous 2 turns are left out.)')
  })
})

describe('hybrid', () => {
  it('masks old outputs among the unsummarised turns', () => {
    const seen = readable(made('hybrid'), turns(60))
    expect(Math.max(...seen.map(outputs => outputs.length))).toBe(10)
    expect(seen.at(-1)).toEqual([50, 51, 52, 53, 54, 55, 56, 57, 58, 59])
  })
})

describe('choosing a strategy', () => {
  const here = { folder: '.', cwd: '.' }
  const problemOf = (params: JsonObject) => chooseStrategy(params, here).problems?.[0]

  it('uses the paper’s values by default', () => {
    const choice = chooseStrategy({ strategy: 'hybrid' }, here)
    expect(choice.problems === undefined && choice.settings).toMatchObject({
      hp_obs_n: 10,
      hp_sum_n: 21,
      hp_sum_keep_m: 10,
      hp_sum_static_checkpoint: true,
      hp_sum_extract_actions: false,
    })
  })

  it('refuses to keep as many turns as a summary covers, with the reason', () => {
    expect(problemOf({ strategy: 'llm_summary', hp_sum_n: 10, hp_sum_keep_m: 10 })).toEqual({
      name: 'hp_sum_keep_m',
      message:
        'hp_sum_keep_m must be less than hp_sum_n: a summary of 10 turns that leaves 10 as they are keeps more than it saves',
    })
  })

  it('suggests the nearest strategy', () => {
    expect(problemOf({ strategy: 'observation_mask' })?.message).toMatch(
      /no strategy "observation_mask".*observation_masking/,
    )
  })

  it('distinguishes outputs whose calls have the same id', () => {
    const call = (command: string) => ({ id: 'call_0', name: 'bash', arguments: { command } })
    const result = (content: string): Message => ({ role: 'tool', tool_call_id: 'call_0', name: 'bash', content })
    const messages: readonly Message[] = [
      { role: 'user', content: 'Fix it.' },
      { role: 'assistant', content: '', tool_calls: [call('ls'), call('cat notes')] },
      result('a.txt'),
      result('remember'),
    ]
    const history = { messages, opening: 1, turns: [{ from: 1, to: 4 }], summaries: [] }
    const strategy = made('observation_masking', { hp_obs_remove: 'cat notes' })
    const { prompt = [] } = strategy.next(history, strategy.start())
    expect(renderPrompt(prompt, messages, []).map(({ content }) => content)).toEqual([
      ...['Fix it.', '', 'a.txt', 'Old environment output: (1 line omitted)'],
    ])
  })

  it('names settings that the strategy ignores', () => {
    expect(idleSettings({ strategy: 'raw', hp_obs_n: 10, model: 'x' })).toEqual(['hp_obs_n'])
    expect(idleSettings({ strategy: 'hybrid', hp_obs_n: 10, hp_sum_n: 21 })).toEqual([])
  })

  it('accepts a strategy from a user’s module', () => {
    const folder = folderWith({
      'last.mjs': `export default { name: 'last', make: ({ keep }) => ({ name: 'last', start: () => null,
        next: ({ opening, turns, messages }, state) => ({ state, prompt: [{ from: 0, to: opening }, ...turns.slice(-keep)] }) }) }`,
    })
    const choice = chooseStrategy({ strategy: './last.mjs', keep: 2 }, { folder, cwd: folder })
    if (choice.problems !== undefined) throw new Error(choice.problems[0]?.message)
    const { prompt } = choice.strategy.next(historyOf(turns(4)), choice.strategy.start())
    expect(prompt).toEqual([
      { from: 0, to: 2 },
      { from: 6, to: 8 },
      { from: 8, to: 10 },
    ])
  })

  it('reports what a module lacks', () => {
    const folder = folderWith({ 'half.mjs': 'export default { name: "half" }' })
    const { problems } = chooseStrategy({ strategy: './half.mjs' }, { folder, cwd: folder })
    expect(problems?.[0]?.message).toMatch(/expected a context strategy.*make: expected a function, got nothing/)
  })
})

it.each(['raw', 'observation_masking', 'llm_summary', 'hybrid'] as const)('accepts its declared settings: %s', name => {
  const first = builtInStrategy(name, {})
  if (first.problems !== undefined) throw new Error(first.problems[0]?.message)
  const again = chooseStrategy({ ...first.settings, strategy: name }, { folder: '.', cwd: '.' })
  expect(again).toMatchObject({ settings: first.settings })
})
