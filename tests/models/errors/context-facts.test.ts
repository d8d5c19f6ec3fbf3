import { expect, test } from 'vitest'
import { contextFacts } from '../../../src/models/errors/context-facts.ts'

/** As providers really write it. */
const texts: readonly (readonly [text: string, used: number | null, allowed: number | null])[] = [
  [
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 140123 tokens. Please reduce the length of the messages.",
    140123,
    128000,
  ],
  [
    "This model's maximum context length is 8192 tokens. However, you requested 9096 tokens (5000 in the messages, 4096 in the completion).",
    9096,
    8192,
  ],
  ["This model's maximum context length is 8192 tokens", null, 8192],
  ['prompt is too long: 212345 tokens > 200000 maximum', 212345, 200000],
  ['input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000, decrease input length', 195000, 200000],
  ['The input token count (1,200,123) exceeds the maximum number of tokens allowed (1,048,576).', 1200123, 1048576],
  ['The request was too large for us today', null, null],
]

for (const [text, used, allowed] of texts)
  test(`used and allowed are read from "${text.slice(0, 60)}…"`, () => {
    expect(contextFacts(text)).toEqual({ used, allowed })
  })
