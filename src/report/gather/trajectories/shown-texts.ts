import { type Content, type Message, type ToolCall, wordsIn } from '../../../models/model-call.ts'
import { plainOutput } from '../../../util/words.ts'
import type { CutText, Hidden, ShownText } from '../../dataset/turns.ts'

/**
 * A message as texts that can be shown: reasoning, words, calls, results. Terminal escapes are removed; long texts are
 * shortened.
 */
export function shownTexts(message: Message, most: number, hidden: Hidden | null): readonly ShownText[] {
  const text = (kind: ShownText['kind'], whole: string, name: string | null = null): ShownText => ({
    ...cutText(whole, most),
    ...{ kind, name, hidden },
  })
  switch (message.role) {
    case 'system':
      return [text('system', message.content)]
    case 'user':
      return [text('user', contentText(message.content))]
    case 'tool':
      return [text(message.is_error === true ? 'error' : 'output', contentText(message.content), message.name)]
    case 'assistant': {
      const { content, reasoning = [], tool_calls = [] } = message
      const thought = reasoning.map(part => part.text).join('\n')
      return [
        ...(thought.trim() === '' ? [] : [text('thought', thought)]),
        ...(content.trim() === '' ? [] : [text('words', content)]),
        ...tool_calls.map(call => text('call', callText(call), call.name)),
      ]
    }
  }
}

/** The beginning and the end of a text, so that the file stays small whatever a command prints. */
export function cutText(whole: string, most: number): CutText {
  if (whole.length <= most) return { text: plainOutput(whole), left: 0, end: '' }
  const start = Math.ceil((most * 2) / 3)
  const end = most - start
  return {
    text: plainOutput(whole.slice(0, start)),
    left: whole.length - most,
    end: plainOutput(whole.slice(whole.length - end)),
  }
}

/** A command as it is typed; other calls by their arguments. */
function callText({ arguments: given }: ToolCall): string {
  const entries = Object.entries(given)
  const [only] = entries
  if (only !== undefined && entries.length === 1 && typeof only[1] === 'string') return only[1]
  return entries.length === 0 ? '' : JSON.stringify(given, null, 2)
}

/** Pictures and files are named. */
function contentText(content: Content): string {
  if (typeof content === 'string') return content
  const others = content.flatMap(part =>
    part.type === 'text' ? [] : [`[${part.name ?? part.type}, ${part.media_type}]`],
  )
  return [wordsIn(content), ...others].filter(part => part !== '').join('\n')
}
