import { wordsIn } from '../content.ts'
import type { Message } from '../model-call.ts'
import type { PromptPart, Summary } from './trajectory.ts'

/** The messages that a prompt is made of. */
export function renderPrompt(
  parts: readonly PromptPart[],
  history: readonly Message[],
  summaries: readonly Pick<Summary, 'text'>[],
): readonly Message[] {
  return parts.flatMap((part): readonly Message[] => {
    if ('message' in part) return [part.message]
    if ('summary' in part) return [summaryMessage(summaries[part.summary]?.text ?? '')]
    const messages = history.slice(part.from, part.to)
    return part.masked === true ? messages.map(masked) : messages
  })
}

/** A result keeps its place and its call; only its words go. Agents without tools get results as words of the user. */
export function masked(message: Message): Message {
  if (message.role === 'assistant' || message.role === 'system') return message
  return { ...message, content: omittedNotice(linesOf(wordsIn(message.content))) }
}

/** In place of a result that is hidden from the model. */
export const omittedNotice = (lines: number): string =>
  `Old environment output: (${lines} ${lines === 1 ? 'line' : 'lines'} omitted)`

/** As Python's splitlines counts: an end of line at the very end begins no further line. */
function linesOf(text: string): number {
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}

/** The agent reads a summary as something that it has said itself. */
const summaryMessage = (text: string): Message => ({ role: 'assistant', content: text })
