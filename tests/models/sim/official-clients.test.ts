import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { embedMany, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { type SimServer, startSimServer } from '../../../src/models/sim/server/sim-server.ts'

// The calls that people's programs make, by the clients that they make them with: one server, many small questions.

const settings: ModelSettings = {
  'sim/plain': { price: [{ above: 0, input: 1, cached_input: 0.1, cache_write: 1.25, output: 10 }] },
  'sim/worker': {
    price: [{ above: 0, input: 1, output: 10 }],
    rules: [
      { contains: ['both'], in: 'user', turn: 1, answer: 'I look at both.', tools: twoCalls() },
      { after: 'weather', matches: '(\\d+) degrees', in: 'tool', answer: 'It has {1} degrees.' },
      { contains: ['weather'], in: 'user', turn: 1, tool: { name: 'weather', arguments: { city: 'Oslo' } } },
      { contains: ['patch'], in: 'user', turn: 1, tool: { name: 'apply_patch', arguments: { input: '*** Begin' } } },
      { answer: 'You said: {last}' },
    ],
  },
  'sim/thinker': {
    rules: [
      {
        contains: ['weather'],
        in: 'user',
        turn: 1,
        reasoning: 'I should look.',
        answer: 'Looking.',
        tool: { name: 'weather', arguments: { city: 'Oslo' } },
      },
      { reasoning: 'First I think of {prompt}.', answer: 'Then I answer.' },
    ],
  },
  'sim/scripted': {
    rules: [
      { script: [{ answer: 'one' }, { answer: 'two' }, { tool: { name: 'weather', arguments: { city: 'Rome' } } }] },
    ],
  },
  'sim/again': { failures: { retry_after_ms: 5 }, rules: [{ try: 1, fail: 'rate_limited' }, { answer: 'at last' }] },
  'sim/fails': {
    rules: [
      { contains: ['busy'], fail: 'rate_limited' },
      { contains: ['broken'], fail: 'server_error' },
      { contains: ['overloaded'], fail: 'overloaded' },
      { contains: ['filtered'], fail: 'content_filter' },
      { contains: ['cut'], fail: 'cut', answer: 'this is never heard to its end' },
    ],
  },
  'house-model': { price: [{ above: 0, input: 1, output: 10 }] },
  'sim/narrow': { context: 50, max_output: 100, rules: [{ answer: 'fits' }] },
}

function twoCalls(): { name: string; arguments: { city: string } }[] {
  return ['Oslo', 'Rome'].map(city => ({ name: 'weather', arguments: { city } }))
}

let server: SimServer
let openai: OpenAI
let anthropic: Anthropic
let root: string

beforeAll(async () => {
  server = await startSimServer({ settings, port: 0, seed: 1 })
  root = server.address.replace(/\/v1$/, '')
  openai = new OpenAI({ apiKey: 'sk-any', baseURL: server.address, maxRetries: 0 })
  anthropic = new Anthropic({ apiKey: 'sk-ant-any', baseURL: root, maxRetries: 0 })
})
afterAll(() => server.close())

const parameters = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] }
const weather = { type: 'function' as const, function: { name: 'weather', description: 'of a city', parameters } }
const weatherItem = { type: 'function' as const, name: 'weather', description: 'of a city', parameters, strict: false }
const weatherTool = { name: 'weather', description: 'of a city', input_schema: parameters }
const user = (content: string): { role: 'user'; content: string } => ({ role: 'user', content })
const long = 'The harbour has a quay, a crane and a long memory. '.repeat(160)

/** Everything that a stream brings. */
async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of stream) items.push(item)
  return items
}

/** The error that a client makes of a refusal. */
async function refused(call: Promise<unknown>): Promise<{ status: number; error: unknown; message: string }> {
  const thrown = await call.then(
    () => null,
    (error: unknown) => error,
  )
  if (thrown instanceof OpenAI.APIError || thrown instanceof Anthropic.APIError)
    return { status: Number(thrown.status), error: thrown.error, message: messageIn(thrown.error) ?? thrown.message }
  throw new Error(`expected to be refused, got ${thrown}`)
}

/** Anthropic's client shows the whole body as its message. */
function messageIn(error: unknown): string | undefined {
  const { error: inner } = (error ?? {}) as { readonly error?: { readonly message?: string } }
  return inner?.message
}

describe("OpenAI's client: chat completions", () => {
  const chat = (
    messages: OpenAI.ChatCompletionMessageParam[],
    more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {},
  ): Promise<OpenAI.ChatCompletion> => openai.chat.completions.create({ model: 'sim/worker', messages, ...more })

  test('an answer with its usage', async () => {
    const answer = await chat([user('hello')])
    expect(answer.choices[0]).toMatchObject({
      message: { role: 'assistant', content: 'You said: hello' },
      finish_reason: 'stop',
    })
    expect(answer.usage).toMatchObject({ prompt_tokens: 6, completion_tokens: 4, total_tokens: 10 })
  })

  test('a stream with its usage, put together by the client', async () => {
    const stream = openai.chat.completions.stream({
      model: 'sim/worker',
      messages: [user('three short words')],
      stream_options: { include_usage: true },
    })
    const whole = await stream.finalChatCompletion()
    expect(whole.choices[0]?.message.content).toBe('You said: three short words')
    expect(whole.usage?.completion_tokens).toBe(7)
  })

  test('a stream without usage has none', async () => {
    const chunks = await all(
      await openai.chat.completions.create({ model: 'sim/worker', messages: [user('x')], stream: true }),
    )
    expect(chunks.every(chunk => !chunk.usage)).toBe(true)
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop')
  })

  test('text and several tool calls in one answer', async () => {
    const answer = await chat([user('both please')], { tools: [weather] })
    const [choice] = answer.choices
    expect(choice?.finish_reason).toBe('tool_calls')
    expect(choice?.message.content).toBe('I look at both.')
    const calls = choice?.message.tool_calls ?? []
    expect(calls.map(call => call.type === 'function' && call.function.arguments)).toEqual([
      '{"city":"Oslo"}',
      '{"city":"Rome"}',
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  })

  test('several streamed tool calls, put together by the client', async () => {
    const stream = openai.chat.completions.stream({
      model: 'sim/worker',
      messages: [user('both please')],
      tools: [weather],
    })
    const calls = (await stream.finalMessage()).tool_calls ?? []
    expect(calls.map(call => call.type === 'function' && call.function.arguments)).toEqual([
      '{"city":"Oslo"}',
      '{"city":"Rome"}',
    ])
  })

  test('a tool loop: the result leads to the answer', async () => {
    const runner = openai.chat.completions.runTools({
      model: 'sim/worker',
      messages: [user('weather?')],
      tools: [
        {
          type: 'function',
          function: { name: 'weather', parameters, description: '', parse: JSON.parse, function: () => '12 degrees' },
        },
      ],
    })
    expect(await runner.finalContent()).toBe('It has 12 degrees.')
  })

  test('parallel_tool_calls: false brings one call', async () => {
    const answer = await chat([user('both please')], { tools: [weather], parallel_tool_calls: false })
    expect(answer.choices[0]?.message.tool_calls).toHaveLength(1)
  })

  test.each([
    ['none', undefined],
    ['required', ['weather']],
    [{ type: 'function', function: { name: 'weather' } } as const, ['weather']],
  ] as const)('tool_choice %j', async (tool_choice, names) => {
    const answer = await chat([user('say something')], { tools: [weather], tool_choice })
    const calls = answer.choices[0]?.message.tool_calls
    expect(calls?.map(call => call.type === 'function' && call.function.name)).toEqual(names)
  })

  test('a tool that takes a plain text', async () => {
    const tools: OpenAI.ChatCompletionTool[] = [{ type: 'custom', custom: { name: 'apply_patch' } }]
    const answer = await chat([user('patch it')], { tools })
    expect(answer.choices[0]?.message.tool_calls).toMatchObject([
      { type: 'custom', custom: { name: 'apply_patch', input: '*** Begin' } },
    ])
  })

  test('stop ends the text before it', async () => {
    const answer = await chat([user('one END two')], { stop: ['END'] })
    expect(answer.choices[0]).toMatchObject({ message: { content: 'You said: one ' }, finish_reason: 'stop' })
  })

  test('n answers, the prompt counted once', async () => {
    const answer = await chat([user('x')], { model: 'sim/plain', n: 3 })
    expect(answer.choices.map(({ index }) => index)).toEqual([0, 1, 2])
    expect(new Set(answer.choices.map(({ message }) => message.content)).size).toBe(3)
    expect(answer.usage?.prompt_tokens).toBe(5)
  })

  test('an answer is cut at max_tokens', async () => {
    const answer = await chat([user('many words to repeat')], { max_tokens: 3 })
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'You said: ma' } })
    expect(answer.usage?.completion_tokens).toBe(3)
  })

  test('JSON for a strict schema', async () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string', pattern: '^[A-Z]{3}$' },
        ages: { type: 'array', items: { $ref: '#/$defs/age' }, minItems: 2 },
      },
      required: ['name', 'ages'],
      additionalProperties: false,
      $defs: { age: { type: 'integer', minimum: 30, maximum: 40 } },
    }
    const answer = await chat([user('x')], {
      model: 'sim/plain',
      response_format: { type: 'json_schema', json_schema: { name: 'people', strict: true, schema } },
    })
    const value = JSON.parse(answer.choices[0]?.message.content ?? '')
    expect(value.name).toMatch(/^[A-Z]{3}$/)
    expect(value.ages.length).toBeGreaterThanOrEqual(2)
    expect(value.ages.every((age: number) => age >= 30 && age <= 40)).toBe(true)
  })

  test('a strict schema that is open is refused', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    const { status, error } = await refused(
      chat([user('x')], {
        response_format: { type: 'json_schema', json_schema: { name: 'open', strict: true, schema } },
      }),
    )
    expect(status).toBe(400)
    expect(error).toMatchObject({
      message: expect.stringContaining("'additionalProperties' is required to be supplied and to be false"),
    })
  })

  test('a schema that nothing satisfies is refused by name', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(?=b)a$' } }, required: ['a'] }
    const { message } = await refused(
      chat([user('x')], {
        model: 'sim/plain',
        response_format: { type: 'json_schema', json_schema: { name: 's', schema } },
      }),
    )
    expect(message).toContain('^(?=b)a$')
  })

  test('reasoning_content and its tokens', async () => {
    const answer = await chat([user('ships')], { model: 'sim/thinker' })
    expect(answer.choices[0]?.message).toMatchObject({
      reasoning_content: 'First I think of ships.',
      content: 'Then I answer.',
    })
    expect(answer.usage?.completion_tokens_details?.reasoning_tokens).toBe(6)
  })

  test('a long prefix that was sent before is cached', async () => {
    const ask = async (end: string): Promise<OpenAI.CompletionUsage | undefined> =>
      (await chat([{ role: 'system', content: long }, user(end)], { model: 'sim/plain' })).usage
    expect((await ask('one'))?.prompt_tokens_details?.cached_tokens).toBe(0)
    const second = await ask('two')
    expect(second?.prompt_tokens_details?.cached_tokens).toBeGreaterThanOrEqual(1024)
    expect((second?.prompt_tokens_details?.cached_tokens ?? 1) % 128).toBe(0)
    expect(second?.prompt_tokens_details?.cached_tokens).toBeLessThan(second?.prompt_tokens ?? 0)
  })

  const called: OpenAI.ChatCompletionMessageParam = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
  }
  const result = (id: string): OpenAI.ChatCompletionMessageParam => ({ role: 'tool', tool_call_id: id, content: 'x' })

  test.each<[string, OpenAI.ChatCompletionMessageParam[], string]>([
    [
      'a result without a call',
      [user('x'), result('call_1')],
      "must be a response to a preceeding message with 'tool_calls'",
    ],
    ['a result of another call', [user('x'), called, result('call_2')], "'tool_call_id' of 'call_2' not found"],
    ['a call without a result', [user('x'), called, user('y')], 'did not have response messages: call_1'],
    ['a last call without a result', [user('x'), called], 'did not have response messages: call_1'],
    ['an answer without content', [user('x'), { role: 'assistant', content: null }], 'expected a string, got null'],
    ['no message', [], 'Expected an array with minimum length 1'],
  ])('%s is refused', async (_, messages, words) => {
    const { status, error } = await refused(chat(messages, { tools: [weather] }))
    expect(status).toBe(400)
    expect(error).toMatchObject({ type: 'invalid_request_error', message: expect.stringContaining(words) })
  })

  test.each<[string, Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>, string]>([
    [
      'a choice nobody offered',
      { tools: [weather], tool_choice: { type: 'function', function: { name: 'fly' } } },
      'fly',
    ],
    ['a choice without tools', { tool_choice: 'auto' }, "is only allowed when 'tools' are specified"],
    ['five stops', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'maximum length 4'],
    ['max_tokens for a thinking model', { model: 'o4-mini', max_tokens: 9 }, "Use 'max_completion_tokens' instead"],
    [
      'more tokens than the model has',
      { model: 'sim/narrow', max_tokens: 101 },
      'supports at most 100 completion tokens',
    ],
    ['json_object without the word', { response_format: { type: 'json_object' } }, "must contain the word 'json'"],
    ['logprobs', { logprobs: true }, "'logprobs' is not supported"],
  ])('%s is refused', async (_, more, words) => {
    const { status, message } = await refused(chat([user('x')], more))
    expect(status).toBe(400)
    expect(message).toContain(words)
  })

  test('errors have their class, type and code', async () => {
    await expect(chat([user('x')], { model: 'sim/nope' })).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    await expect(chat([user('busy')], { model: 'sim/fails' })).rejects.toBeInstanceOf(OpenAI.RateLimitError)
    await expect(chat([user('broken')], { model: 'sim/fails' })).rejects.toBeInstanceOf(OpenAI.InternalServerError)
    expect((await refused(chat([user('x')], { model: 'sim/nope' }))).error).toMatchObject({ code: 'model_not_found' })
    expect((await refused(chat([user(long)], { model: 'sim/narrow' }))).error).toMatchObject({
      code: 'context_length_exceeded',
    })
  })

  test('a filtered answer says so', async () => {
    const answer = await chat([user('filtered')], { model: 'sim/fails' })
    expect(answer.choices[0]?.finish_reason).toBe('content_filter')
  })

  test('a cut stream is an error', async () => {
    const stream = await openai.chat.completions.create({ model: 'sim/fails', messages: [user('cut')], stream: true })
    await expect(all(stream)).rejects.toThrow()
  })

  test('a 429 is tried again as Retry-After says', async () => {
    const patient = openai.withOptions({ maxRetries: 2 })
    const answer = await patient.chat.completions.create({ model: 'sim/again', messages: [user('chat')] })
    expect(answer.choices[0]?.message.content).toBe('at last')
  })

  test('a missing key is a 401', async () => {
    const response = await fetch(`${server.address}/chat/completions`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', message: expect.stringContaining('API key') },
    })
  })

  test('scripts answer turn by turn', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [user('go')]
    const said: (string | null | undefined)[] = []
    for (let turn = 1; turn <= 3; turn++) {
      const { choices } = await chat(messages, { model: 'sim/scripted', tools: [weather] })
      said.push(choices[0]?.message.content ?? choices[0]?.finish_reason)
      messages.push({ role: 'assistant', content: 'x' }, user('on'))
    }
    expect(said).toEqual(['one', 'two', 'tool_calls'])
  })
})

describe("OpenAI's client: responses", () => {
  const respond = (
    input: OpenAI.Responses.ResponseInput | string,
    more: Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> = {},
  ): Promise<OpenAI.Responses.Response> =>
    openai.responses.create({ model: 'sim/worker', input, ...more }) as Promise<OpenAI.Responses.Response>

  test('an answer with its usage', async () => {
    const answer = await respond('hello', { instructions: 'Be brief.' })
    expect(answer.output_text).toBe('You said: hello')
    expect(answer.status).toBe('completed')
    expect(answer.usage).toMatchObject({ output_tokens: 4, input_tokens_details: { cached_tokens: 0 } })
  })

  test('a stream, put together by the client', async () => {
    const stream = openai.responses.stream({ model: 'sim/worker', input: 'three short words' })
    const events = await all(stream)
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
    const whole = await stream.finalResponse()
    expect(whole.output_text).toBe('You said: three short words')
    expect(events.at(-1)?.type).toBe('response.completed')
  })

  test('text, several tool calls and their results', async () => {
    const first = await respond('both please', { tools: [weatherItem] })
    const calls = first.output.filter(item => item.type === 'function_call')
    expect(first.output_text).toBe('I look at both.')
    expect(calls.map(call => call.arguments)).toEqual(['{"city":"Oslo"}', '{"city":"Rome"}'])
    const results = calls.map(({ call_id }) => ({
      type: 'function_call_output' as const,
      call_id,
      output: '7 degrees',
    }))
    const history = [user('both please'), ...first.output, ...results] as OpenAI.Responses.ResponseInput
    expect((await respond(history, { tools: [weatherItem] })).output_text).toBe('It has 7 degrees.')
  })

  test('previous_response_id continues a conversation', async () => {
    const first = await respond('weather?', { tools: [weatherItem] })
    const call = first.output.find(item => item.type === 'function_call')
    const output = { type: 'function_call_output' as const, call_id: call?.call_id ?? '', output: '3 degrees' }
    const second = await respond([output], { tools: [weatherItem], previous_response_id: first.id })
    expect(second.output_text).toBe('It has 3 degrees.')
    expect((await openai.responses.retrieve(second.id)).id).toBe(second.id)
    await openai.responses.delete(second.id)
    expect((await refused(openai.responses.retrieve(second.id))).status).toBe(404)
    const { error } = await refused(respond('x', { previous_response_id: 'resp_unknown' }))
    expect(error).toMatchObject({ code: 'previous_response_not_found' })
  })

  test('streamed arguments of a tool', async () => {
    const stream = openai.responses.stream({ model: 'sim/worker', input: 'weather?', tools: [weatherItem] })
    const events = await all(stream)
    const deltas = events.filter(event => event.type === 'response.function_call_arguments.delta')
    expect(deltas.length).toBeGreaterThan(1)
    expect(deltas.map(event => event.delta).join('')).toBe('{"city":"Oslo"}')
  })

  test('tools of other kinds are taken, unknown ones refused', async () => {
    const patch = { type: 'custom' as const, name: 'apply_patch', description: 'edits files' }
    const answer = await respond('patch it', { tools: [{ type: 'web_search' }, patch] })
    expect(answer.output).toMatchObject([{ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin' }])
    const { error } = await refused(respond('x', { tools: [{ type: 'telepathy' } as never] }))
    expect(error).toMatchObject({ param: 'tools[0].type', code: 'invalid_value' })
  })

  test('tool_choice required and by name', async () => {
    for (const tool_choice of ['required' as const, { type: 'function' as const, name: 'weather' }]) {
      const { output } = await respond('say something', { tools: [weatherItem], tool_choice })
      expect(output).toMatchObject([{ type: 'function_call', name: 'weather' }])
    }
  })

  test('JSON for a schema', async () => {
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    }
    const answer = await respond('x', {
      model: 'sim/plain',
      text: { format: { type: 'json_schema', name: 's', strict: true, schema } },
    })
    expect(JSON.parse(answer.output_text)).toEqual({ ok: expect.any(Boolean) })
  })

  test('an answer that is cut is incomplete', async () => {
    const answer = await respond('a text that is far too long for sixteen tokens, whatever one does to it', {
      max_output_tokens: 16,
    })
    expect(answer).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
    expect((await refused(respond('x', { max_output_tokens: 5 }))).message).toContain('Expected a value >= 16')
  })

  const thinking = { model: 'sim/thinker', store: false, tools: [weatherItem] }
  const sealed = {
    ...thinking,
    include: ['reasoning.encrypted_content' as const],
    reasoning: { summary: 'auto' as const },
  }

  test('reasoning items come with a summary, and go back sealed', async () => {
    const first = await respond('weather?', sealed)
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call'])
    expect(first.output[0]).toMatchObject({
      summary: [{ type: 'summary_text', text: 'I should look.' }],
      encrypted_content: expect.any(String),
    })
    expect(first.usage?.output_tokens_details.reasoning_tokens).toBe(4)
    const call = first.output.find(item => item.type === 'function_call')
    const output = { type: 'function_call_output' as const, call_id: call?.call_id ?? '', output: 'x' }
    const back = (items: readonly object[]): OpenAI.Responses.ResponseInput =>
      [user('weather?'), ...items, output] as OpenAI.Responses.ResponseInput
    expect((await respond(back(first.output), sealed)).output_text).toBe('Then I answer.')
    const [thought, ...rest] = first.output
    const without = await refused(respond(back(rest), sealed))
    expect(without.message).toContain("was provided without its required 'reasoning' item: 'rs_")
    const forged = await refused(respond(back([{ ...thought, encrypted_content: 'gAAAforged' }, ...rest]), sealed))
    expect(forged.error).toMatchObject({ code: 'invalid_encrypted_content' })
  })

  test('a reasoning item that nobody stored is not found', async () => {
    const first = await respond('weather?', thinking)
    const call = first.output.find(item => item.type === 'function_call')
    const output = { type: 'function_call_output' as const, call_id: call?.call_id ?? '', output: 'x' }
    const { status, message } = await refused(
      respond([user('weather?'), ...first.output, output] as OpenAI.Responses.ResponseInput, thinking),
    )
    expect(status).toBe(404)
    expect(message).toContain('Items are not persisted when `store` is set to false')
  })

  test('a streamed summary of thoughts', async () => {
    const stream = openai.responses.stream({ model: 'sim/thinker', input: 'ships', reasoning: { summary: 'auto' } })
    const deltas = (await all(stream)).filter(event => event.type === 'response.reasoning_summary_text.delta')
    expect(deltas.map(event => event.delta).join('')).toBe('First I think of ships.')
  })

  const call = { type: 'function_call' as const, call_id: 'call_1', name: 'weather', arguments: '{}' }
  test.each<[string, OpenAI.Responses.ResponseInput, string]>([
    [
      'a result without a call',
      [user('x'), { type: 'function_call_output', call_id: 'call_1', output: 'x' }],
      'No tool call found for function call output with call_id call_1.',
    ],
    ['a call without a result', [user('x'), call], 'No tool output found for function call call_1.'],
    ['an item that nobody stored', [{ type: 'item_reference', id: 'msg_none' }], "Item with id 'msg_none' not found"],
  ])('%s is refused', async (_, input, words) => {
    const { message, error } = await refused(respond(input, { tools: [weatherItem] }))
    expect(message).toContain(words)
    expect(error).toMatchObject({ type: 'invalid_request_error', param: 'input' })
  })

  test('a long prefix that was sent before is cached', async () => {
    const ask = async (input: string): Promise<number | undefined> =>
      (await respond(input, { model: 'sim/plain', instructions: `By the book. ${long}` })).usage?.input_tokens_details
        .cached_tokens
    expect(await ask('one')).toBe(0)
    expect(await ask('two')).toBeGreaterThanOrEqual(1024)
  })
})

describe("OpenAI's client: embeddings and models", () => {
  const near = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)

  test('texts with common words are near each other', async () => {
    const { data, usage } = await openai.embeddings.create({
      model: 'text-embedding-3-small',
      input: ['the ship is in the harbour', 'a ship lies in the harbour', 'integrals of odd functions'],
    })
    const [a = [], b = [], c = []] = data.map(({ embedding }) => embedding)
    expect(a).toHaveLength(1536)
    expect(near(a, a)).toBeCloseTo(1, 4)
    expect(near(a, b)).toBeGreaterThan(near(a, c) + 0.3)
    expect(usage.prompt_tokens).toBeGreaterThan(10)
  })

  test('dimensions, tokens as input, and an empty text', async () => {
    const made = await openai.embeddings.create({
      model: 'e',
      input: [[1, 2], [3]],
      dimensions: 8,
      encoding_format: 'float',
    })
    expect(made.data.map(({ embedding }) => embedding.length)).toEqual([8, 8])
    expect((await refused(openai.embeddings.create({ model: 'e', input: '' }))).status).toBe(400)
  })

  test('models are listed and found', async () => {
    const ids = (await all(openai.models.list())).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['sim/echo', 'sim/worker']))
    expect((await openai.models.retrieve('sim/echo')).id).toBe('sim/echo')
    expect((await refused(openai.models.retrieve('sim/nope'))).error).toMatchObject({ code: 'model_not_found' })
  })
})

describe("Anthropic's client", () => {
  const ask = (
    messages: Anthropic.MessageParam[],
    more: Partial<Anthropic.MessageCreateParamsNonStreaming> = {},
  ): Promise<Anthropic.Message> =>
    anthropic.messages.create({ model: 'sim/worker', max_tokens: 500, messages, ...more })

  test('an answer with its usage', async () => {
    const answer = await ask([user('hello')], { system: 'Be brief.' })
    expect(answer).toMatchObject({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'You said: hello' }],
      stop_reason: 'end_turn',
      usage: { output_tokens: 4, cache_read_input_tokens: 0 },
    })
  })

  test('a stream, put together by the client', async () => {
    const stream = anthropic.messages.stream({
      model: 'sim/worker',
      max_tokens: 500,
      messages: [user('three words, streamed')],
    })
    const events = await all(stream)
    expect(events[0]?.type).toBe('message_start')
    expect(events.at(-1)?.type).toBe('message_stop')
    const whole = await stream.finalMessage()
    expect(whole.content).toMatchObject([{ type: 'text', text: 'You said: three words, streamed' }])
    expect(whole.usage.output_tokens).toBe(8)
  })

  test('text and several tool calls, and their results in one message', async () => {
    const first = await ask([user('both please')], { tools: [weatherTool] })
    expect(first.stop_reason).toBe('tool_use')
    expect(first.content.map(({ type }) => type)).toEqual(['text', 'tool_use', 'tool_use'])
    const uses = first.content.filter(block => block.type === 'tool_use')
    expect(uses.every(({ id }) => id.startsWith('toolu_'))).toBe(true)
    const results = uses.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: '9 degrees' }))
    const second = await ask(
      [user('both please'), { role: 'assistant', content: first.content }, { role: 'user', content: results }],
      { tools: [weatherTool] },
    )
    expect(second.content).toMatchObject([{ text: 'It has 9 degrees.' }])
  })

  test('streamed input of a tool', async () => {
    const stream = anthropic.messages.stream({
      model: 'sim/worker',
      max_tokens: 500,
      messages: [user('weather?')],
      tools: [weatherTool],
    })
    expect((await stream.finalMessage()).content).toMatchObject([
      { type: 'tool_use', name: 'weather', input: { city: 'Oslo' } },
    ])
  })

  test.each([
    [{ type: 'none' } as const, ['text']],
    [{ type: 'any' } as const, ['tool_use']],
    [{ type: 'tool', name: 'weather' } as const, ['tool_use']],
  ])('tool_choice %j', async (tool_choice, types) => {
    const answer = await ask([user('say something')], { tools: [weatherTool], tool_choice })
    expect(answer.content.map(({ type }) => type)).toEqual(types)
  })

  test('disable_parallel_tool_use brings one call', async () => {
    const tool_choice = { type: 'auto' as const, disable_parallel_tool_use: true }
    const answer = await ask([user('both please')], { tools: [weatherTool], tool_choice })
    expect(answer.content.filter(({ type }) => type === 'tool_use')).toHaveLength(1)
  })

  test('stop sequences', async () => {
    const answer = await ask([user('one END two')], { stop_sequences: ['END'] })
    expect(answer).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
      content: [{ text: 'You said: one ' }],
    })
  })

  test('an answer is cut at max_tokens', async () => {
    const answer = await ask([user('many words to repeat')], { max_tokens: 3 })
    expect(answer).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 3 } })
  })

  const thinking = { type: 'enabled' as const, budget_tokens: 1024 }
  const thinks = { model: 'sim/thinker', max_tokens: 2000, thinking, tools: [weatherTool] }

  test('signed thoughts come first, and must come back with the calls they led to', async () => {
    const first = await ask([user('weather?')], thinks)
    expect(first.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use'])
    expect(first.content[0]).toMatchObject({ thinking: 'I should look.', signature: expect.any(String) })
    const use = first.content.find(block => block.type === 'tool_use')
    const result = { type: 'tool_result' as const, tool_use_id: use?.id ?? '', content: 'x' }
    const back = (content: Anthropic.ContentBlockParam[]): Promise<Anthropic.Message> =>
      ask([user('weather?'), { role: 'assistant', content }, { role: 'user', content: [result] }], thinks)
    expect((await back(first.content)).content.at(-1)).toMatchObject({ text: 'Then I answer.' })
    const [thought, ...rest] = first.content
    expect((await refused(back(rest))).message).toContain('must start with a thinking block')
    const changed = { ...thought, thinking: 'I should not.' } as Anthropic.ThinkingBlockParam
    expect((await refused(back([changed, ...rest]))).message).toContain('Invalid `signature` in `thinking` block')
  })

  test('streamed thoughts with their signature; without thinking there are none', async () => {
    const parts = { model: 'sim/thinker', messages: [user('ships')] }
    const stream = anthropic.messages.stream({ ...parts, max_tokens: 2000, thinking })
    expect((await stream.finalMessage()).content).toMatchObject([
      { type: 'thinking', thinking: 'First I think of ships.', signature: expect.any(String) },
      { type: 'text', text: 'Then I answer.' },
    ])
    const silent = await ask(parts.messages, { model: 'sim/thinker' })
    expect(silent.content.map(({ type }) => type)).toEqual(['text'])
  })

  test('a marked prefix is written to the cache and read from it', async () => {
    const call = async (end: string, ttl: '5m' | '1h'): Promise<Anthropic.Usage> =>
      (
        await ask([user(end)], {
          model: 'sim/plain',
          system: [{ type: 'text', text: `${ttl} ${long}`, cache_control: { type: 'ephemeral', ttl } }],
        })
      ).usage
    const first = await call('one', '5m')
    expect(first.cache_creation_input_tokens).toBeGreaterThan(1024)
    expect(first.cache_creation?.ephemeral_5m_input_tokens).toBe(first.cache_creation_input_tokens)
    const second = await call('two', '5m')
    expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens)
    expect(second.cache_creation_input_tokens).toBe(0)
    const before = server.bill().by_model['sim/plain']?.usd ?? 0
    const hour = await call('one', '1h')
    const paid = (server.bill().by_model['sim/plain']?.usd ?? 0) - before
    const written = hour.cache_creation_input_tokens ?? 0
    expect(paid).toBeCloseTo((2 * written + hour.input_tokens + 10 * hour.output_tokens) / 1e6, 12)
    expect(hour.cache_creation?.ephemeral_1h_input_tokens).toBe(hour.cache_creation_input_tokens)
    expect(hour.cache_creation_input_tokens).toBeGreaterThan(1024)
  })

  test('a growing conversation reads what the turn before has written', async () => {
    const marked = (text: string): Anthropic.MessageParam => ({
      role: 'user',
      content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
    })
    const plain = (text: string): Anthropic.MessageParam => ({ role: 'user', content: [{ type: 'text', text }] })
    const first = await ask([marked(`Story. ${long}`)], { model: 'sim/plain' })
    const second = await ask([plain(`Story. ${long}`), { role: 'assistant', content: 'and?' }, marked('on')], {
      model: 'sim/plain',
    })
    expect(second.usage.cache_read_input_tokens).toBe(first.usage.cache_creation_input_tokens)
    expect(second.usage.cache_creation_input_tokens).toBeGreaterThan(0)
  })

  test('a mark at the end covers all of the prompt, with what is wrapped around messages', async () => {
    const use = (id: string): Anthropic.ToolUseBlockParam => ({ type: 'tool_use', id, name: 'weather', input: {} })
    const result = (id: string): Anthropic.ToolResultBlockParam => ({
      type: 'tool_result',
      tool_use_id: id,
      content: 'sun!',
    })
    const turns = Array.from({ length: 30 }, (_, at): Anthropic.MessageParam[] => [
      { role: 'assistant', content: [{ type: 'text', text: 'Let me see' }, use(`a${at}`), use(`b${at}`)] },
      { role: 'user', content: [result(`a${at}`), result(`b${at}`), { type: 'text', text: 'And now?' }] },
    ]).flat()
    const { usage } = await anthropic.messages.create({
      ...{ model: 'sim/worker', max_tokens: 9, tools: [weatherTool], system: 'Look.' },
      messages: [user(`Where? ${long}`), ...turns],
      cache_control: { type: 'ephemeral' },
    })
    expect(usage.cache_creation_input_tokens).toBeGreaterThan(1024 + 30 * 4 * 4)
    // Blocks are rounded down to whole tokens; nothing else is missing.
    expect(usage.input_tokens).toBeLessThan(1 + 1 + 1 + 30 * 6)
  })

  test('tokens are counted as they are then charged', async () => {
    const parts = { model: 'sim/worker', messages: [user('how long is this?')], system: 'Count.', tools: [weatherTool] }
    const { input_tokens } = await anthropic.messages.countTokens(parts)
    const { usage } = await anthropic.messages.create({ ...parts, max_tokens: 9 })
    expect(usage.input_tokens).toBe(input_tokens)
  })

  test('JSON for a schema', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 5, maximum: 6 } },
      required: ['n'],
      additionalProperties: false,
    }
    const answer = await ask([user('x')], {
      model: 'sim/plain',
      output_config: { format: { type: 'json_schema', schema } },
    })
    const [block] = answer.content
    expect([5, 6]).toContain(JSON.parse(block?.type === 'text' ? block.text : '').n)
  })

  const use = { type: 'tool_use' as const, id: 'toolu_1', name: 'weather', input: {} }
  const result = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'x' }
  const tools = [weatherTool]
  const called: Anthropic.MessageParam[] = [user('x'), { role: 'assistant', content: [use] }]
  test.each<[string, object, string]>([
    [
      'a call without a result',
      { messages: [...called, user('y')], tools },
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
    ],
    [
      'a text before the result',
      { messages: [...called, { role: 'user', content: [{ type: 'text', text: 'y' }, result] }], tools },
      'immediately after: toolu_1',
    ],
    [
      'a result without a call',
      { messages: [{ role: 'user', content: [result] }], tools },
      'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1.',
    ],
    [
      'two results of one call',
      { messages: [...called, { role: 'user', content: [result, result] }], tools },
      'each tool_use must have a single result',
    ],
    [
      'calls where nobody offers tools',
      { messages: [...called, { role: 'user', content: [result] }] },
      'must define tools',
    ],
    [
      'an answer that comes first',
      { messages: [{ role: 'assistant', content: 'x' }, user('y')] },
      'first message must use the "user" role',
    ],
    ['a system message', { messages: [{ role: 'system', content: 'x' }, user('y')] }, 'Unexpected role "system"'],
    ['an empty message', { messages: [user(''), user('')] }, 'non-empty content'],
    ['no max_tokens', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['more tokens than the model has', { model: 'sim/narrow', max_tokens: 101 }, 'max_tokens: 101 > 100'],
    [
      'a thinking budget as large as max_tokens',
      { max_tokens: 1024, thinking },
      '`max_tokens` must be greater than `thinking.budget_tokens`',
    ],
    [
      'forced tools while thinking',
      { ...thinks, tool_choice: { type: 'any' } },
      'Thinking may not be enabled when tool_choice forces tool use.',
    ],
    ['a temperature while thinking', { ...thinks, temperature: 0 }, '`temperature` may only be set to 1'],
    [
      'a choice nobody offered',
      { tools, tool_choice: { type: 'tool', name: 'fly' } },
      "Tool 'fly' not found in provided tools",
    ],
    [
      'an unknown kind of tool',
      { tools: [{ type: 'telepathy_20300101', name: 'x' }] },
      "tools.0: Input tag 'telepathy_20300101'",
    ],
    [
      'five cache marks',
      { system: Array.from({ length: 5 }, () => ({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } })) },
      'A maximum of 4 blocks with cache_control',
    ],
  ])('%s is refused', async (_, more, words) => {
    const { status, error, message } = await refused(ask([user('x')], more))
    expect(status).toBe(400)
    expect(message).toContain(words)
    expect(error).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error' },
      request_id: expect.any(String),
    })
  })

  test('neighbours of one role are one turn, and a tool of Anthropic is taken', async () => {
    const answer = await ask([user('a'), user('b')], { tools: [{ type: 'web_search_20250305', name: 'web_search' }] })
    expect(answer.content).toMatchObject([{ text: 'You said: a\nb' }])
  })

  test('errors have their class and type', async () => {
    await expect(ask([user('x')], { model: 'sim/nope' })).rejects.toBeInstanceOf(Anthropic.NotFoundError)
    await expect(ask([user('busy')], { model: 'sim/fails' })).rejects.toBeInstanceOf(Anthropic.RateLimitError)
    expect((await refused(ask([user('overloaded')], { model: 'sim/fails' }))).status).toBe(529)
    expect((await refused(ask([user(long)], { model: 'sim/narrow', max_tokens: 9 }))).message).toContain(
      'prompt is too long',
    )
  })

  test('a 429 is tried again as Retry-After says', async () => {
    const patient = anthropic.withOptions({ maxRetries: 2 })
    const answer = await patient.messages.create({ model: 'sim/again', max_tokens: 9, messages: [user('messages')] })
    expect(answer.content).toMatchObject([{ text: 'at last' }])
  })

  test('a missing key is a 401', async () => {
    const response = await fetch(`${root}/v1/messages`, {
      method: 'POST',
      headers: { 'anthropic-version': '2023-06-01' },
      body: '{}',
    })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } })
  })

  test('models are listed', async () => {
    expect((await all(anthropic.models.list())).map(({ id }) => id)).toContain('sim/worker')
  })
})

describe('the AI SDK', () => {
  const models = {
    chat: () => createOpenAI({ baseURL: server.address, apiKey: 'k' }).chat('sim/worker'),
    responses: () => createOpenAI({ baseURL: server.address, apiKey: 'k' }).responses('sim/worker'),
    anthropic: () => createAnthropic({ baseURL: server.address, apiKey: 'k' })('sim/worker'),
    compatible: () =>
      createOpenAICompatible({ name: 'sim', baseURL: server.address, apiKey: 'k', includeUsage: true })('sim/worker'),
  }
  const tools = {
    weather: tool({
      inputSchema: jsonSchema<{ city: string }>(parameters as never),
      execute: async ({ city }) => `${city === 'Oslo' ? 4 : 20} degrees`,
    }),
  }

  test.each(Object.entries(models))('a tool loop through %s', async (_, model) => {
    const { text, steps } = await generateText({
      model: model(),
      prompt: 'weather?',
      tools,
      stopWhen: stepCountIs(4),
      maxOutputTokens: 2500,
      maxRetries: 0,
    })
    expect(text).toBe('It has 4 degrees.')
    expect(steps).toHaveLength(2)
  })

  test.each(Object.entries(models))('a streamed tool loop through %s', async (_, model) => {
    const result = streamText({
      model: model(),
      prompt: 'both please',
      tools,
      stopWhen: stepCountIs(4),
      maxOutputTokens: 2500,
      maxRetries: 0,
    })
    expect(await result.text).toBe('It has 4 degrees.')
    expect((await result.totalUsage).outputTokens).toBeGreaterThan(10)
  })

  test('thoughts go back by themselves in both formats that want them', async () => {
    const thinker = createAnthropic({ baseURL: server.address, apiKey: 'k' })('sim/thinker')
    const budget = { anthropic: { thinking: { type: 'enabled' as const, budgetTokens: 1024 } } }
    const messages = await generateText({
      model: thinker,
      prompt: 'weather?',
      tools,
      stopWhen: stepCountIs(4),
      maxOutputTokens: 2500,
      providerOptions: budget,
      maxRetries: 0,
    })
    expect(messages.text).toBe('Then I answer.')
    const responses = await generateText({
      model: createOpenAI({ baseURL: server.address, apiKey: 'k' }).responses('sim/thinker'),
      prompt: 'weather?',
      tools,
      stopWhen: stepCountIs(4),
      maxOutputTokens: 2500,
      maxRetries: 0,
    })
    expect(responses.text).toBe('Then I answer.')
  })

  test('objects for a schema', async () => {
    const schema = jsonSchema<{ ok: boolean }>({
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    })
    const model = createOpenAI({ baseURL: server.address, apiKey: 'k' })('sim/plain')
    const { output } = await generateText({ model, prompt: 'x', output: Output.object({ schema }), maxRetries: 0 })
    expect(output).toEqual({ ok: expect.any(Boolean) })
  })

  test('embeddings', async () => {
    const model = createOpenAI({ baseURL: server.address, apiKey: 'k' }).embedding('text-embedding-3-small')
    const { embeddings } = await embedMany({ model, values: ['a', 'b'], maxRetries: 0 })
    expect(embeddings.map(({ length }) => length)).toEqual([1536, 1536])
  })
})

describe('what programs do besides', () => {
  test('they check whether the server is there', async () => {
    expect((await fetch(`${root}/`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${root}/`)).status).toBe(200)
  })

  test('they send query strings, headers and fields that nobody knows', async () => {
    const response = await fetch(`${root}/v1/messages?beta=true`, {
      method: 'POST',
      headers: {
        'x-api-key': 'k',
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'interleaved-thinking-2025-05-14,unknown-2030',
      },
      body: JSON.stringify({
        model: 'sim/worker',
        max_tokens: 9,
        messages: [user('x')],
        metadata: {},
        context_management: { edits: [] },
      }),
    })
    expect(response.status).toBe(200)
  })

  test('they ask what it cost', async () => {
    const before = server.bill()
    const { usage } = await openai.chat.completions.create({
      model: 'sim/plain',
      messages: [user('what does it cost?')],
    })
    await refused(openai.chat.completions.create({ model: 'sim/fails', messages: [user('busy')] }))
    const after = server.bill()
    const spent = ((usage?.prompt_tokens ?? 0) + 10 * (usage?.completion_tokens ?? 0)) / 1e6
    expect((after.by_model['sim/plain']?.usd ?? 0) - (before.by_model['sim/plain']?.usd ?? 0)).toBeCloseTo(spent, 12)
    expect(after.charges - before.charges).toBe(1)
    expect(after.refused - before.refused).toBe(1)
    await openai.chat.completions.create({ model: 'house-model', messages: [user('x')], max_tokens: 5 })
    const { usd } = server.bill().by_model['house-model'] ?? {}
    expect(usd).toBeGreaterThan(0)
    await openai.chat.completions.create({ model: 'nobody-knows-me', messages: [user('x')] })
    expect(server.bill()).toMatchObject({ usd: null, by_model: { 'nobody-knows-me': { usd: null } } })
    expect(await (await fetch(`${root}/sim/bill`)).json()).toEqual(JSON.parse(JSON.stringify(server.bill())))
  })
})
