import { expect, it } from 'vitest'
import { systemClock } from '../../../../src/util/system-clock.ts'
import { startServer } from '../../../models/support.ts'
import { workOn } from '../support.ts'

/** Calls bash twice, then submits, with a signed thought before each call. */
const anthropic = () =>
  startServer((response, nth) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        id: `msg_${nth}`,
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [
          { type: 'thinking', thinking: `thought ${nth}`, signature: `signed ${nth}` },
          nth < 3
            ? { type: 'tool_use', id: `t${nth}`, name: 'bash', input: { command: `echo ${nth}` } }
            : { type: 'tool_use', id: `t${nth}`, name: 'submit', input: {} },
        ],
        stop_reason: 'tool_use',
        usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 },
      }),
    )
  })

it('marks the system prompt and the last two results for providers that need it, and sends signed thoughts back', async () => {
  const server = await anthropic()
  const { work, trajectory } = await workOn({
    models: { claude: { provider: 'anthropic', model: 'claude-sonnet-4-5', address: server.address, stream: false } },
    model: 'claude',
    env: { ANTHROPIC_API_KEY: 'sk-test' },
    clock: systemClock,
    wantsMarks: true,
  })
  expect(work.exitStatus).toBe('submitted')
  const last = JSON.parse(server.requests[2]?.body ?? '{}')
  expect(last.system.at(-1)).toMatchObject({ cache_control: { type: 'ephemeral' } })
  expect(
    last.messages.map((message: { content: object[] }) => JSON.stringify(message).includes('cache_control')),
  ).toEqual([...[false, false, true, false, true]])
  expect(JSON.stringify(last.messages)).toContain('"signature":"signed 2"')
  expect(trajectory.turns[0]?.usage).toMatchObject({ cached_input_tokens: 100, input_tokens: 130 })
})
