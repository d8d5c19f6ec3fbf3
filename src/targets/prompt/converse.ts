import type { Message, ModelAnswer, ModelClient } from '../../models/model-call.ts'
import type { Json } from '../../util/json.ts'
import type { Question } from './question.ts'

/** A complete conversation: every answer, the last of which counts. */
export interface Conversation {
  readonly messages: readonly Message[]
  readonly answers: readonly ModelAnswer[]
  readonly last: ModelAnswer
}

/** Asks turn by turn: where an assistant's turn is left open, the model answers and the conversation continues. */
export async function converse(
  { turns, model, settings }: Question,
  client: Pick<ModelClient, 'call'>,
  signal: AbortSignal,
): Promise<Conversation> {
  const messages: Message[] = []
  const answers: ModelAnswer[] = []
  const answer = async (isLast: boolean): Promise<ModelAnswer> => {
    const { schema, tools, ...others } = settings
    // Only the last answer is data, or calls tools; the others are talk.
    const last = isLast ? { schema, ...(tools !== undefined && { tools }) } : {}
    const call = { ...others, ...last, model, messages: [...messages], purpose: 'answer' as const }
    const given = await client.call(call, signal)
    answers.push(given)
    messages.push(turnOf(given))
    return given
  }
  const open = turns.map(({ role, content }) => role === 'assistant' && content === undefined)
  const hasOpenEnd = open.at(-1) === true
  let last: ModelAnswer | null = null
  for (const [index, { role, content = '' }] of turns.entries()) {
    if (open[index] === true) last = await answer(hasOpenEnd && index === turns.length - 1)
    else messages.push({ role, content })
  }
  if (!hasOpenEnd || last === null) last = await answer(true)
  return { messages, answers, last }
}

const turnOf = ({ text, reasoning, tool_calls }: ModelAnswer): Message => ({
  role: 'assistant',
  content: text,
  reasoning,
  ...(tool_calls.length > 0 && { tool_calls }),
})

/** The text of a message; prompts are texts, so parts of other kinds are only named. */
export const saidIn = ({ content }: Message): string =>
  typeof content === 'string' ? content : JSON.stringify(content)

/** A text as JSON, ignoring a code fence around it. undefined: it is not JSON. */
export function dataIn(text: string): Json | undefined {
  try {
    return JSON.parse(/^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(text)?.[1] ?? text)
  } catch {
    return undefined
  }
}
