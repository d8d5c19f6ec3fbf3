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

/** A result keeps its place and its call; only its words go. */
export function masked(message: Message): Message {
  if (message.role !== 'tool') return message
  return { ...message, content: omittedNotice(linesOf(wordsIn(message.content))) }
}

/** In place of a result that is hidden from the model. */
export const omittedNotice = (lines: number): string =>
  `Old environment output: (${lines} ${lines === 1 ? 'line' : 'lines'} omitted)`

/** As Python's splitlines counts: an end of line at the very end begins no further line. */
const linesOf = (text: string): number => {
  if (text === '') return 0
  const ends = text.match(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g)?.length ?? 0
  return /[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]$/.test(text) ? ends : ends + 1
}

/** The agent reads a summary as something that it has said itself. */
const summaryMessage = (text: string): Message => ({ role: 'assistant', content: text })
