import type { Message, ToolCall } from '../../../models/model-call.ts'
import { bashTool, submitTool } from './tools.ts'

/**
 * Models without tools write their commands in fenced blocks. In the history they are tool calls, like those of all
 * other models, so that strategies and readers see no difference; only the requests differ.
 */
export function callsInBlocks(text: string, turn: number): readonly ToolCall[] {
  return [...text.matchAll(/^[ \t]*```(bash|sh|shell|submit)[ \t]*\n(.*?)^[ \t]*```[ \t]*$/gms)].map(
    ([, word, command = ''], at): ToolCall => ({
      id: `block_${turn}_${at}`,
      ...(word === 'submit'
        ? { name: submitTool.name, arguments: {} }
        : { name: bashTool.name, arguments: { command: command.trimEnd() } }),
    }),
  )
}

/** The same conversation without tool calls: results are the user's words. */
export function asPlainMessages(messages: readonly Message[]): readonly Message[] {
  const plain: Message[] = []
  for (const message of messages) {
    if (message.role === 'assistant') {
      const { tool_calls: _, ...rest } = message
      plain.push(rest)
    } else if (message.role === 'tool') {
      const before = plain.at(-1)
      const content = textOf(message)
      // Several results of one answer are one message.
      if (before?.role === 'user' && typeof before.content === 'string')
        plain[plain.length - 1] = { ...before, content: `${before.content}\n\n${content}` }
      else plain.push({ role: 'user', content })
    } else plain.push(message)
  }
  return plain
}

/** Results of commands are texts. */
const textOf = ({ content }: Message): string => (typeof content === 'string' ? content : JSON.stringify(content))

export const blockProtocol = `You have no tools. To run a command, write it in a fenced block, one block in each answer:

\`\`\`bash
ls -la
\`\`\`

Its output comes in the next message. When the task is done, hand in your work with an empty block of this kind:

\`\`\`submit
\`\`\``
