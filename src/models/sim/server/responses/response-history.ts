import type { JsonObject } from '../../../../util/json.ts'
import { bad } from '../openai-reading.ts'
import { Refused } from '../refusal.ts'
import { isSealed, type StoredResponses } from './stored-responses.ts'

/** Calls, results and thoughts must belong together; OpenAI refuses an input in which they don't. */
export function checkResponseHistory(items: readonly JsonObject[], stored: StoredResponses): void {
  for (const [call, result, words] of callKinds) {
    const ids = (type: string): ReadonlySet<unknown> =>
      new Set(items.filter(item => item.type === type).map(item => item.call_id))
    const [called, answered] = [ids(call), ids(result)]
    for (const id of answered)
      if (!called.has(id)) throw bad(`No tool call found for ${words} output with call_id ${id}.`, 'input')
    for (const id of called) if (!answered.has(id)) throw bad(`No tool output found for ${words} ${id}.`, 'input')
  }
  const present = new Set(items.map(item => item.id))
  for (const [index, item] of items.entries()) {
    if (item.type === 'reasoning') checkReasoning(item, items[index + 1], stored)
    const thoughts = typeof item.id === 'string' ? stored.thoughtsOf(item.id) : null
    if (thoughts !== null && !present.has(thoughts))
      throw bad(
        `Item '${item.id}' of type '${item.type}' was provided without its required 'reasoning' item: '${thoughts}'.`,
        'input',
      )
  }
}

const callKinds = [
  ['function_call', 'function_call_output', 'function call'],
  ['custom_tool_call', 'custom_tool_call_output', 'custom tool call'],
  ['local_shell_call', 'local_shell_call_output', 'local shell call'],
] as const

function checkReasoning(item: JsonObject, next: JsonObject | undefined, stored: StoredResponses): void {
  const { id, encrypted_content } = item
  if (next === undefined || isFromUser(next))
    throw bad(`Item '${id}' of type 'reasoning' was provided without its required following item.`, 'input')
  if (typeof encrypted_content === 'string') {
    if (isSealed(encrypted_content)) return
    throw bad(
      `The encrypted content ${encrypted_content.slice(0, 4)}...${encrypted_content.slice(-4)} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
      null,
      'invalid_encrypted_content',
    )
  }
  if (stored.item(String(id)) === null) throw notFound(String(id))
}

export const isFromUser = ({ type, role }: JsonObject): boolean =>
  typeof type === 'string' && type !== 'message' ? type.endsWith('_output') : role !== 'assistant'

export const notFound = (id: string): Refused =>
  new Refused({
    status: 404,
    message: `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    param: 'input',
  })
