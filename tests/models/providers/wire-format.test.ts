import { describe, expect, test } from 'vitest'
import type { Message, ModelCall, ToolChoice } from '../../../src/models/model-call.ts'
import { errorOf } from '../support.ts'
import { type Api, apis, type Body, sentBy } from './wire.ts'

const weather = { name: 'weather', description: 'The weather', parameters: { type: 'object', properties: {} } }
const tools = [weather, { ...weather, name: 'news' }]
const all = Object.keys(apis) as Api[]

describe('tool_choice', () => {
  const asked: { readonly [C in 'required' | 'none' | 'news']: ToolChoice } = {
    required: 'required',
    none: 'none',
    news: { tool: 'news' },
  }
  const chat = { required: 'required', none: 'none', news: { type: 'function', function: { name: 'news' } } }
  const at = (body: Body): unknown => body.tool_choice
  const google = (body: Body): unknown => body.toolConfig?.functionCallingConfig
  const bedrock = (body: Body): unknown => body.toolConfig?.toolChoice
  const expected: {
    readonly [A in Api]: { where(body: Body): unknown; required: unknown; none: unknown; news: unknown }
  } = {
    'OpenAI chat': { where: at, ...chat },
    'OpenAI responses': { where: at, ...chat, news: { type: 'function', name: 'news' } },
    Anthropic: {
      where: at,
      required: { type: 'any' },
      none: { type: 'none' },
      news: { type: 'tool', name: 'news' },
    },
    DeepSeek: { where: at, ...chat },
    Google: {
      where: google,
      required: { mode: 'ANY' },
      none: { mode: 'NONE' },
      news: { mode: 'ANY', allowedFunctionNames: ['news'] },
    },
    'Bedrock Claude': { where: bedrock, required: { any: {} }, none: undefined, news: { tool: { name: 'news' } } },
    'Bedrock Nova': { where: bedrock, required: { any: {} }, none: undefined, news: { tool: { name: 'news' } } },
    OpenRouter: { where: at, ...chat },
  }
  for (const api of all)
    test(`reaches ${api}`, async () => {
      const { where, ...forms } = expected[api]
      for (const [name, form] of Object.entries(forms)) {
        const { body } = await sentBy(api, { tools, tool_choice: asked[name as keyof typeof asked] })
        expect(where(body), `${api}: ${name}`).toEqual(form)
      }
    })

  test('that names an unknown tool is refused before sending', async () => {
    const unknown = await errorOf(sentBy('OpenAI chat', { tools, tool_choice: { tool: 'wether' } }) as never)
    expect(unknown).toMatchObject({ fault: 'bad_request', cost: 'nothing' })
    expect(unknown.message).toContain('tool_choice wants "wether", but its tools are weather, news')
    const none = await errorOf(sentBy('Anthropic', { tool_choice: 'required' }) as never)
    expect(none.message).toContain('"required", but the call has no tools')
  })
})

test('that a thinking model can’t obey is refused before sending', async () => {
  for (const tool_choice of ['required', { tool: 'news' }] as const) {
    const thinking = { tools, tool_choice, reasoning: 'high', max_output_tokens: 4000 } as const
    const error = await errorOf(sentBy('Anthropic', thinking) as never)
    expect(error).toMatchObject({ fault: 'bad_request', cost: 'nothing' })
    expect(error.message).toContain("can't be made to call a tool (tool_choice)")
  }
  const { body } = await sentBy('Anthropic', { tools, tool_choice: 'auto', reasoning: 'high', max_output_tokens: 4000 })
  expect(body.thinking).toMatchObject({ type: 'enabled' })
})

describe('parallel_tool_calls', () => {
  const flags: { readonly [A in Api]?: (body: Body) => unknown } = {
    'OpenAI chat': body => body.parallel_tool_calls,
    'OpenAI responses': body => body.parallel_tool_calls,
    Anthropic: body => !body.tool_choice.disable_parallel_tool_use,
    DeepSeek: body => body.parallel_tool_calls,
    'Bedrock Claude': body => !body.additionalModelRequestFields?.tool_choice?.disable_parallel_tool_use,
    OpenRouter: body => body.parallel_tool_calls,
  }
  for (const api of all)
    test(
      flags[api] === undefined ? `is refused by name where ${api} can't forbid them` : `reaches ${api}`,
      async () => {
        const flag = flags[api]
        if (flag === undefined) {
          const error = await errorOf(sentBy(api, { tools, parallel_tool_calls: false }) as never)
          expect(error).toMatchObject({ fault: 'bad_request', cost: 'nothing' })
          expect(error.message).toContain('no way to forbid parallel tool calls')
          // Allowing them is the default.
          await sentBy(api, { tools, parallel_tool_calls: true })
          return
        }
        for (const parallel_tool_calls of [true, false])
          expect(flag((await sentBy(api, { tools, parallel_tool_calls })).body)).toBe(parallel_tool_calls)
      },
    )
})

/** A question, the call of a tool, and its answer. */
const afterTool = (result: Partial<Extract<Message, { role: 'tool' }>>): ModelCall['messages'] => [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: '', tool_calls: [{ id: 'call_1', name: 'weather', arguments: {} }] },
  { role: 'tool', tool_call_id: 'call_1', name: 'weather', content: 'no such town', ...result },
]

describe('the result of a tool that failed', () => {
  const text = { error: 'no such town' }
  const forms: { readonly [A in Api]: (body: Body) => unknown } = {
    'OpenAI chat': body => JSON.parse(body.messages.at(-1).content),
    'OpenAI responses': body => JSON.parse(body.input.at(-1).output),
    Anthropic: body => {
      const { is_error, content } = body.messages.at(-1).content[0]
      return { is_error, content }
    },
    DeepSeek: body => JSON.parse(body.messages.at(-1).content),
    Google: body => body.contents.at(-1).parts[0].functionResponse.response,
    'Bedrock Claude': body => JSON.parse(body.messages.at(-1).content[0].toolResult.content[0].text),
    'Bedrock Nova': body => JSON.parse(body.messages.at(-1).content[0].toolResult.content[0].text),
    OpenRouter: body => JSON.parse(body.messages.at(-1).content),
  }
  for (const api of all)
    test(`is marked as an error for ${api}`, async () => {
      const { body } = await sentBy(api, { tools, messages: afterTool({ is_error: true }) })
      const expected =
        api === 'Anthropic'
          ? { is_error: true, content: 'no such town' }
          : api === 'Google'
            ? { name: 'weather', error: 'no such town' }
            : text
      expect(forms[api](body)).toEqual(expected)
    })
})

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const pdf = Buffer.from('%PDF-1.4 tiny').toString('base64')
const withParts: ModelCall['messages'] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', media_type: 'image/png', data: png },
      { type: 'file', media_type: 'application/pdf', data: pdf, name: 'tiny.pdf' },
    ],
  },
]

describe('pictures and files', () => {
  const url = `data:image/png;base64,${png}`
  const file = { filename: 'tiny.pdf', file_data: `data:application/pdf;base64,${pdf}` }
  const chat = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url } },
    { type: 'file', file },
  ]
  const forms: { readonly [A in Api]: { of(body: Body): unknown; parts: unknown } } = {
    'OpenAI chat': { of: body => body.messages[0].content, parts: chat },
    'OpenAI responses': {
      of: body => body.input[0].content,
      parts: [
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_image', image_url: url },
        { type: 'input_file', ...file },
      ],
    },
    Anthropic: {
      of: body => body.messages[0].content,
      parts: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf }, title: 'tiny.pdf' },
      ],
    },
    DeepSeek: { of: body => body.messages[0].content, parts: chat },
    Google: {
      of: body => body.contents[0].parts,
      parts: [
        { text: 'What is this?' },
        { inlineData: { mimeType: 'image/png', data: png } },
        { inlineData: { mimeType: 'application/pdf', data: pdf } },
      ],
    },
    'Bedrock Claude': { of: body => body.messages[0].content, parts: bedrockParts() },
    'Bedrock Nova': { of: body => body.messages[0].content, parts: bedrockParts() },
    OpenRouter: { of: body => body.messages[0].content, parts: chat },
  }
  for (const api of all)
    test(`reach ${api}`, async () => {
      const { body } = await sentBy(api, { messages: withParts })
      expect(forms[api].of(body)).toMatchObject(forms[api].parts as object)
    })

  function bedrockParts(): unknown {
    return [
      { text: 'What is this?' },
      { image: { format: 'png', source: { bytes: png } } },
      { document: { format: 'pdf', source: { bytes: pdf } } },
    ]
  }

  test('in the result of a tool reach Anthropic, and are refused by name by text-only APIs', async () => {
    const messages = afterTool({ content: [{ type: 'image', media_type: 'image/png', data: png }] })
    const { body } = await sentBy('Anthropic', { tools, messages })
    expect(body.messages.at(-1).content[0].content).toMatchObject([{ type: 'image', source: { data: png } }])
    for (const api of ['OpenAI chat', 'DeepSeek'] as const) {
      const error = await errorOf(sentBy(api, { tools, messages }) as never)
      expect(error.message).toContain('takes no images in the result of a tool, and weather has one')
    }
  })

  test('that are invalid are refused before sending', async () => {
    const wrong = async (part: object) =>
      errorOf(sentBy('OpenAI chat', { messages: [{ role: 'user', content: [part as never] }] }) as never)
    expect((await wrong({ type: 'image', media_type: 'png', data: png })).message).toContain('not a media type')
    expect((await wrong({ type: 'image', media_type: 'application/pdf', data: pdf })).message).toContain('no picture')
    expect((await wrong({ type: 'file', media_type: 'application/pdf', url: 'x' })).message).toContain('which is none')
    expect((await wrong({ type: 'file', media_type: 'font/woff', data: pdf })).fault).toBe('bad_request')
  })
})

describe('cache marks', () => {
  const messages: ModelCall['messages'] = [
    { role: 'system', content: 'Be short.', cache: '1h' },
    { role: 'user', content: 'hello', cache: '5m' },
    { role: 'assistant', content: '', tool_calls: [{ id: 'call_1', name: 'weather', arguments: {} }] },
    { role: 'tool', tool_call_id: 'call_1', name: 'weather', content: 'rain', cache: '5m' },
  ]
  const long = { type: 'ephemeral', ttl: '1h' }
  const short = { type: 'ephemeral' }

  test('reach Anthropic as cache_control, with their duration', async () => {
    const { body, notices } = await sentBy('Anthropic', { tools, messages })
    expect(body.system.at(-1).cache_control).toEqual(long)
    expect(body.messages[0].content.at(-1).cache_control).toEqual(short)
    expect(body.messages.at(-1).content[0].cache_control).toEqual(short)
    expect(notices.join()).not.toContain('cache')
  })

  test('reach OpenRouter', async () => {
    const { body } = await sentBy('OpenRouter', { tools, messages })
    expect(body.messages[0].content[0].cache_control).toEqual(long)
    expect(body.messages[1].content[0].cache_control).toEqual(short)
    expect(body.messages[3].cache_control).toEqual(short)
  })

  test('reach Bedrock as cache points', async () => {
    const { body } = await sentBy('Bedrock Claude', { tools, messages })
    expect(body.system.at(-1)).toEqual({ cachePoint: { type: 'default', ttl: '1h' } })
    expect(body.messages[0].content.at(-1)).toEqual({ cachePoint: { type: 'default' } })
    expect(body.messages.at(-1).content.at(-1)).toEqual({ cachePoint: { type: 'default' } })
  })

  test('are left out with a notice if a provider has none', async () => {
    for (const api of ['OpenAI chat', 'OpenAI responses', 'DeepSeek', 'Google'] as const) {
      const { notices, body } = await sentBy(api, { tools, messages })
      expect(notices.filter(notice => notice.includes('takes no cache marks'))).toHaveLength(1)
      expect(JSON.stringify(body)).not.toContain('ephemeral')
    }
  })

  test('beyond the four that Anthropic takes are refused', async () => {
    const five = Array.from({ length: 5 }, (_, n) => ({ role: 'user' as const, content: `${n}`, cache: '5m' as const }))
    const error = await errorOf(sentBy('Anthropic', { messages: five }) as never)
    expect(error.message).toContain('5 messages have a cache mark, and Anthropic takes 4')
  })
})
