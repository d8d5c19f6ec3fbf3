import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../../src/define/models/model-settings.ts'
import { startSim } from '../../support.ts'

// Requests of codex and claude, recorded on a loopback server: the simulated providers must support their sessions.

const settings: ModelSettings = {
  'gpt-5-codex': {
    rules: [
      {
        offers: 'exec_command',
        script: [
          { reasoning: 'Look first.', tool: { name: 'exec_command', arguments: { cmd: 'ls' } } },
          { answer: 'Editing.', tool: { name: 'apply_patch', arguments: { input: '*** Begin Patch\n*** End Patch' } } },
          { answer: 'Done.' },
        ],
      },
    ],
  },
  'claude-opus-4-5': {
    rules: [
      {
        offers: 'Bash',
        script: [
          { reasoning: 'Look first.', answer: 'I look.', tool: { name: 'Bash', arguments: { command: 'ls' } } },
          { answer: 'Done: {result}' },
        ],
      },
      { answer: 'a title' },
    ],
  },
}

type Item = Record<string, unknown> & { readonly type: string }

/** The data of every event of a stream. */
async function eventsOf(response: Response): Promise<Item[]> {
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const blocks = (await response.text()).split('\n\n').filter(Boolean)
  return blocks.map(block => {
    const [event = '', data = ''] = block.split('\n')
    const parsed: Item = JSON.parse(data.replace(/^data: /, ''))
    expect(event).toBe(`event: ${parsed.type}`)
    return parsed
  })
}

test('a session of codex: streamed responses with functions, a patch, a namespace and sealed thoughts', async () => {
  const address = await startSim(settings)
  const input: object[] = [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'You are a coding agent.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix it.' }] },
  ]
  const ask = async (): Promise<Item[]> => {
    const response = await fetch(`${address}/responses`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer k',
        'content-type': 'application/json',
        'openai-beta': 'responses=experimental',
      },
      body: JSON.stringify({
        model: 'gpt-5-codex',
        instructions: 'Be careful.',
        input,
        stream: true,
        store: false,
        tool_choice: 'auto',
        parallel_tool_calls: false,
        reasoning: { effort: 'medium', summary: 'auto' },
        include: ['reasoning.encrypted_content'],
        prompt_cache_key: 'session',
        client_metadata: { 'x-codex': '1' },
        tools: [
          {
            type: 'function',
            name: 'exec_command',
            description: '',
            strict: false,
            parameters: { type: 'object', properties: { cmd: { type: 'string' } } },
          },
          {
            type: 'custom',
            name: 'apply_patch',
            description: '',
            format: { type: 'grammar', syntax: 'lark', definition: 'start: /x/' },
          },
          {
            type: 'namespace',
            name: 'mcp',
            description: '',
            tools: [{ type: 'function', name: 'look', parameters: {} }],
          },
          { type: 'web_search', external_web_access: false },
        ],
      }),
    })
    expect(response.status).toBe(200)
    const events = await eventsOf(response)
    expect(events.at(-1)?.type).toBe('response.completed')
    return events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item as Item)
  }
  const first = await ask()
  expect(first.map(({ type }) => type)).toEqual(['reasoning', 'function_call'])
  input.push(...first, { type: 'function_call_output', call_id: first[1]?.call_id, output: 'a.ts' })
  const second = await ask()
  expect(second.map(({ type }) => type)).toEqual(['message', 'custom_tool_call'])
  expect(second[1]?.input).toBe('*** Begin Patch\n*** End Patch')
  input.push(...second, { type: 'custom_tool_call_output', call_id: second[1]?.call_id, output: 'ok' })
  expect(await ask()).toMatchObject([{ type: 'message', content: [{ text: 'Done.' }] }])
})

test('a session of claude: streamed messages with thinking, marks, a reminder after the result, and a title beside', async () => {
  const address = await startSim(settings)
  const mark = { cache_control: { type: 'ephemeral' } }
  const messages: object[] = [{ role: 'user', content: [{ type: 'text', text: 'Fix it.', ...mark }] }]
  const ask = async (more: object): Promise<Item[]> => {
    const response = await fetch(`${address}/messages?beta=true`, {
      method: 'POST',
      headers: {
        'x-api-key': 'k',
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27',
      },
      body: JSON.stringify({
        model: 'claude-opus-4-5',
        messages,
        system: [
          { type: 'text', text: 'You are a coding agent.' },
          { type: 'text', text: 'rules '.repeat(2000), ...mark },
        ],
        max_tokens: 32000,
        stream: true,
        metadata: { user_id: 'u' },
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
        ...more,
      }),
    })
    expect(response.status).toBe(200)
    return eventsOf(response)
  }
  const tools = [
    { name: 'Bash', description: '', input_schema: { type: 'object', properties: { command: { type: 'string' } } } },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
  ]
  const agent = { tools, thinking: { type: 'enabled', budget_tokens: 31999 } }
  const first = await ask(agent)
  const started = first
    .filter(({ type }) => type === 'content_block_start')
    .map(event => (event.content_block as Item).type)
  expect(started).toEqual(['thinking', 'text', 'tool_use'])
  const delta = (kind: string, key: string): string =>
    first
      .map(event => (event.delta ?? {}) as Record<string, unknown>)
      .filter(({ type }) => type === kind)
      .map(part => part[key])
      .join('')
  expect(first.find(({ type }) => type === 'message_start')).toMatchObject({
    message: { usage: { cache_creation_input_tokens: expect.any(Number) } },
  })
  const use = first.map(event => event.content_block as Item | undefined).find(block => block?.type === 'tool_use')
  messages.push(
    {
      role: 'assistant',
      content: [
        {
          type: 'thinking',
          thinking: delta('thinking_delta', 'thinking'),
          signature: delta('signature_delta', 'signature'),
        },
        { type: 'text', text: delta('text_delta', 'text') },
        { type: 'tool_use', id: use?.id, name: 'Bash', input: JSON.parse(delta('input_json_delta', 'partial_json')) },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: use?.id, content: [{ type: 'text', text: 'a.ts' }], is_error: false },
        { type: 'text', text: '<system-reminder>the list is empty</system-reminder>', ...mark },
      ],
    },
  )
  const second = await ask(agent)
  expect(second.map(event => (event.delta as Item | undefined)?.text ?? '').join('')).toBe('Done: a.ts')
  const { usage } = second.find(({ type }) => type === 'message_delta') as unknown as { usage: Record<string, number> }
  expect(usage.cache_read_input_tokens).toBeGreaterThan(1024)
  const title = await ask({ messages: [{ role: 'user', content: 'name this talk' }] })
  expect(title.map(event => (event.delta as Item | undefined)?.text ?? '').join('')).toBe('a title')
})
