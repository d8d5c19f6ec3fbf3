import type { SpanLists } from './call-span.ts'
import type { Span } from './span.ts'

/** Per list; longer prompts are sent without their beginning. */
const mostCharacters = 1_000_000

/** A span with its lists as attributes, each a JSON text, as it goes to a collector. */
export function writtenOut(span: Span, lists: SpanLists): Span {
  const added = Object.entries(lists).map(([key, items]) => ({ key, value: { stringValue: endOf(items) } }))
  return added.length === 0 ? span : { ...span, attributes: [...span.attributes, ...added] }
}

/** As many items as fit, from the end: the new part of a prompt is there. */
function endOf(items: readonly object[]): string {
  const texts: string[] = []
  let room = mostCharacters
  for (const item of items.toReversed()) {
    const text = JSON.stringify(item)
    room -= text.length
    if (room < 0 && texts.length > 0) {
      texts.push(JSON.stringify(placeholder(items.length - texts.length)))
      break
    }
    texts.push(text)
  }
  return `[${texts.reverse().join(',')}]`
}

const placeholder = (count: number) => ({
  role: 'missing',
  parts: [{ type: 'text', content: `${count} earlier messages, which are too long to be sent` }],
})
