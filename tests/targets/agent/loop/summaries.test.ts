import { describe, expect, it } from 'vitest'
import type { ModelSettings, SimRule } from '../../../../src/define/models/model-settings.ts'
import { bash, promptOfTurn, simulated, workOn } from '../support.ts'

const summary = { strategy: 'llm_summary', hp_sum_n: 3, hp_sum_keep_m: 1 }

const models = (of: SimRule): ModelSettings => ({
  ...simulated([{ purpose: 'summary', ...of }, bash('echo line >> a.txt')]),
  'sim/short': { price: [{ above: 0, input: 1, output: 1 }], rules: [{ answer: 'I am another model.' }] },
})

describe('a summary', () => {
  it('replaces its turns, counts as a call, and is distinguished', async () => {
    const { work, trajectory, permits } = await workOn({
      models: models({ answer: 'COMPLETED: three lines.' }),
      settings: { ...summary, call_limit: 9 },
    })
    const { turns, summaries, totals } = trajectory
    expect(work.exitStatus).toBe('submitted (exit_cost)')
    // After turns 4 and 7: 7 of the 9 calls are the agent's.
    expect(summaries.map(({ from, to }) => [from, to])).toEqual([
      [0, 3],
      [0, 6],
    ])
    expect([totals.agent.calls, totals.summary.calls, totals.rloop.calls]).toEqual([7, 2, 0])
    expect(permits.settled.map(({ ask }) => ask.purpose)).toEqual([
      ...['agent', 'agent', 'agent', 'agent', 'summary', 'agent', 'agent', 'agent', 'summary'],
    ])
    expect(promptOfTurn(trajectory, 4).map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'assistant', 'tool'],
    ])
    expect(promptOfTurn(trajectory, 4)[2]?.content).toContain('COMPLETED: three lines.')
    expect(totals.summary.cost_usd).toBeCloseTo(
      summaries.reduce((sum, { call }) => sum + (call?.cost_usd ?? 0), 0),
      12,
    )
    expect(turns).toHaveLength(8)
  })

  it('may be written by another model', async () => {
    const { trajectory } = await workOn({
      models: models({ fail: 'server_error' }),
      settings: { ...summary, summarizer_model: 'sim/short', call_limit: 6 },
    })
    expect(trajectory.summaries).toMatchObject([{ call: { model: 'sim/short' } }])
    expect(trajectory.summaries[0]?.text).toContain('I am another model.')
  })

  it('counts turns without repeated answers', async () => {
    const { trajectory } = await workOn({
      models: simulated([
        { purpose: 'summary', answer: 'Short.' },
        { in: 'any', matches: 'calls no tool', ...bash('echo again >> a.txt') },
        { turn: 3, answer: 'I talk.' },
        bash('echo line >> a.txt'),
      ]),
      settings: { ...summary, call_limit: 6 },
    })
    expect(trajectory.turns.map(({ kind }) => kind)).toEqual(['turn', 'turn', 'again', 'turn', 'turn', 'autosubmit'])
    // Three turns that count, with the repeated one in between.
    expect(trajectory.summaries).toMatchObject([{ from: 0, to: 4 }])
  })

  it.each([
    ['is refused', { tool: { name: 'bash', arguments: { command: 'ls' } } }, 'submitted (exit_api)', 1],
    ['does not fit', { fail: 'context_too_long' }, 'submitted (exit_context)', 1],
    ['stays empty', { fail: 'empty' }, 'submitted (exit_format)', 9],
  ] as const)('that %s ends the work with its diff', async (_, rule, status, calls) => {
    const { work, trajectory } = await workOn({ models: models(rule), settings: summary })
    expect(work.exitStatus).toBe(status)
    expect(trajectory.totals.summary.calls).toBe(calls)
    expect(trajectory.turns.at(-1)?.kind).toBe('autosubmit')
  })

  it('whose provider is gone does not count against the agent', async () => {
    const working = workOn({ models: models({ fail: 'server_error' }), settings: summary })
    await expect(working).rejects.toMatchObject({ fault: 'server_error' })
  })
})

describe('masking', () => {
  it('hides old outputs from the prompt, and from nothing else', async () => {
    const { trajectory } = await workOn({
      models: simulated([bash('seq 5')]),
      settings: { strategy: 'observation_masking', hp_obs_n: 2, call_limit: 5 },
    })
    const shown = promptOfTurn(trajectory, 4).flatMap(({ role, content }) => (role === 'tool' ? [content] : []))
    expect(shown).toEqual([
      'Old environment output: (5 lines omitted)',
      'Old environment output: (5 lines omitted)',
      '1\n2\n3\n4\n5',
      '1\n2\n3\n4\n5',
    ])
    expect(
      trajectory.history.filter(({ role, content }) => role === 'tool' && String(content).includes('omitted')),
    ).toEqual([])
  })
})
