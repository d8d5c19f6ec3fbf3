import type { Content, Delta, MediaPart, Message, ModelAnswer } from './model-call.ts'

/** The words of a content; pictures and files have none. */
export const wordsIn = (content: Content): string =>
  typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '')).join('')

/** The pictures and files of a message. */
export function mediaIn({ content }: Message): readonly MediaPart[] {
  return typeof content === 'string' ? [] : content.filter(part => part.type !== 'text')
}

/** An answer that is whole already, as the pieces that a stream would have brought. */
export const deltasOf = ({
  text,
  reasoning,
  tool_calls,
}: Pick<ModelAnswer, 'text' | 'reasoning' | 'tool_calls'>): readonly Delta[] => [
  ...reasoning.map(part => ({ type: 'reasoning' as const, text: part.text })),
  ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ...tool_calls.map(tool_call => ({ type: 'tool_call' as const, tool_call })),
]
