import type { CallContext, Message, Tool } from 'assay'

interface Params {
  readonly model: string
  readonly tries: number
}

const tools: readonly Tool[] = [
  {
    name: 'look_up',
    description: 'The price of a thing in the shop, in cents.',
    parameters: { type: 'object', properties: { thing: { type: 'string' } }, required: ['thing'] },
  },
  {
    name: 'multiply',
    description: 'Multiplies two numbers.',
    parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  },
]

const prices: { readonly [thing: string]: number } = { apples: 35, pears: 42, plums: 18 }

/** A question that needs two tools, answered in a loop: call the model, execute its tool calls, return the results. */
export default async function shop({ model, tries }: Params, { models, block }: CallContext) {
  const { thing, count } = block as { thing: string; count: number }
  const messages: Message[] = [
    {
      role: 'system',
      content: 'Look prices up, calculate with the tools, and end with the sum in cents.',
      cache: '5m',
    },
    { role: 'user', content: `What do ${count} ${thing} cost?` },
  ]
  let wrong_tools = 0
  for (let turn = 1; turn <= tries; turn++) {
    const { text, tool_calls, reasoning } = await models.call({ model, messages, tools, temperature: 0 })
    messages.push({ role: 'assistant', content: text, tool_calls, reasoning })
    if (tool_calls.length === 0) {
      const isRight = text.includes(String(count * (prices[thing] ?? Number.NaN)))
      return { solved: isRight, turns: turn, wrong_tools }
    }
    for (const { id, name, arguments: given } of tool_calls) {
      const result = useTool(name, given)
      if (result.is_error) wrong_tools++
      messages.push({ role: 'tool', tool_call_id: id, name, ...result })
    }
  }
  return { solved: false, turns: tries, wrong_tools }
}

/** The result of a tool; after an error the model can try again. */
function useTool(name: string, given: { readonly [name: string]: unknown }): { content: string; is_error?: boolean } {
  const price = prices[String(given.thing)]
  if (name === 'look_up')
    return price === undefined
      ? { content: `there are no ${given.thing}, only ${Object.keys(prices).join(', ')}`, is_error: true }
      : { content: `one costs ${price}` }
  const product = Number(given.a) * Number(given.b)
  return Number.isFinite(product) ? { content: `product ${product}` } : { content: 'not numbers', is_error: true }
}
