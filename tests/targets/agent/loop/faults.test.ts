import { describe, expect, it } from 'vitest'
import type { SimStep } from '../../../../src/define/models/model-settings.ts'
import { ModelError } from '../../../../src/models/model-error.ts'
import { systemClock } from '../../../../src/util/system-clock.ts'
import { chatCompletion, startServer } from '../../../models/support.ts'
import { bash, promptOfTurn, scripted, simulated, submit, workOn } from '../support.ts'

const talk: SimStep = { answer: 'I think about it.' }

/** A model behind a server that answers these messages, one after the other, the last for ever. */
async function served(...messages: readonly object[]) {
  const server = await startServer((response, nth) => {
    const message = messages[Math.min(nth, messages.length) - 1]
    response.setHeader('content-type', 'application/json')
    response.end(
      chatCompletion('', {
        choices: [{ index: 0, message: { role: 'assistant', content: '', ...message }, finish_reason: 'tool_calls' }],
      }),
    )
  })
  const models = {
    'sim/a': { provider: 'openai-compatible', model: 'm', address: server.address, price: 'free' as const },
  }
  return { models, server }
}

const called = (name: string, written: string) => ({
  tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: written } }],
})

describe('an unusable answer', () => {
  it('without a call is requested again, and dropped once there is a usable one', async () => {
    const { work, trajectory } = await workOn({ models: scripted(talk, bash('ls'), submit) })
    expect(work.exitStatus).toBe('submitted')
    // Scripts count the answers that the model sees: the forgotten one is not among them.
    expect(trajectory.turns.map(({ kind }) => kind)).toEqual(['again', 'turn', 'turn', 'turn'])
    expect(promptOfTurn(trajectory, 1).at(-1)?.content).toContain('calls no tool')
    expect(promptOfTurn(trajectory, 2).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  })

  it('three times in a row ends the work', async () => {
    const { work, trajectory } = await workOn({
      models: scripted(bash('echo two > a.txt'), talk, bash('ls'), talk, talk, talk, submit),
    })
    expect(work.exitStatus).toBe('submitted (exit_format)')
    expect(trajectory.turns.map(({ kind }) => kind)).toEqual([
      ...['turn', 'again', 'turn', 'turn', 'again', 'again', 'again', 'autosubmit'],
    ])
  })

  it.each([
    ['no JSON', 'bash', '{"command": "ls', 'no JSON'],
    ['a list', 'bash', '["ls"]', '"command"'],
    ['no argument', 'bash', '{}', '"command"'],
    ['another type', 'bash', '{"command": 7}', 'must be text'],
    ['an empty command', 'bash', '{"command": ""}', 'empty'],
    ['an unknown tool', 'edit_file', '{"path": "a"}', 'There is no tool "edit_file"'],
  ])('with %s is answered with the reason', async (_, name, written, told) => {
    const { models, server } = await served(called(name, written), called('submit', '{}'))
    const { work, results, trajectory } = await workOn({ models, clock: systemClock })
    expect(work.exitStatus).toBe('submitted')
    expect(results[0]).toContain(told)
    expect(trajectory.turns.map(({ kind }) => kind)).toEqual(['again', 'turn'])
    expect(server.requests[1]?.body).toContain('"tool_call_id":"call_1"')
  })

  it('repeated forever ends as exit_format, with every call answered', async () => {
    const { models, server } = await served(called('teleport', '{}'))
    const { work, results } = await workOn({ models, clock: systemClock })
    expect(work.exitStatus).toBe('exit_format')
    expect(server.requests).toHaveLength(3)
    expect(results).toHaveLength(3)
  })

  it.each(['empty', 'content_filter'] as const)('because it is %s is requested again', async fail => {
    const { work, trajectory } = await workOn({
      models: simulated([{ turn: 1, in: 'any', matches: 'Your answer', ...submit }, { fail }]),
    })
    expect(work.exitStatus).toBe('submitted')
    expect(trajectory.turns.map(({ kind }) => kind)).toEqual(['again', 'turn'])
  })

  it('because the model always refuses ends as exit_format', async () => {
    const refusing = await workOn({ models: simulated([{ answer: "I can't help with that." }]) })
    expect(refusing.work.exitStatus).toBe('exit_format')
    const silent = await workOn({ models: simulated([{ fail: 'empty' }]) })
    expect(silent.work.exitStatus).toBe('exit_format')
    // Every try of an empty answer was paid for.
    expect(silent.trajectory.totals.agent.calls).toBe(9)
    expect(silent.trajectory.turns.filter(({ kind }) => kind === 'again')).toHaveLength(3)
  })
})

describe('an error of the provider', () => {
  it('caused by the request is exit_api', async () => {
    const { work } = await workOn({
      models: simulated([{ turn: 1, ...bash('echo two > a.txt') }, { tool: { name: 'teleport', arguments: {} } }]),
    })
    expect(work.exitStatus).toBe('submitted (exit_api)')
  })

  it.each(['server_error', 'rate_limited', 'overloaded'] as const)(
    '%s does not count against the agent',
    async fail => {
      const working = workOn({ models: simulated([{ turn: 1, ...bash('ls') }, { fail }]) })
      await expect(working).rejects.toBeInstanceOf(ModelError)
      await expect(working).rejects.toMatchObject({ fault: fail })
    },
  )
})
