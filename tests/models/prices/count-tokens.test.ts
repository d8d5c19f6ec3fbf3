import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { boundInputTokens } from '../../../src/models/prices/count-tokens.ts'

const openai = { kind: 'openai', provider: 'openai', setting: {} } as const
const other = { kind: 'anthropic', provider: 'anthropic', setting: {} } as const
const messages = (content: string) => ({ messages: [{ role: 'user' as const, content }] })

test('no text has more tokens than its bound, in any length or script', async () => {
  const texts = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: 'grapheme', minLength: 2500, maxLength: 4000 }),
    fc.array(fc.lorem(), { minLength: 20, maxLength: 200 }).map(words => words.join(' ')),
  )
  await fc.assert(
    fc.asyncProperty(texts, async text => {
      const real = countTokens(text, { disallowedSpecial: new Set() })
      expect(await boundInputTokens(messages(text), openai)).toBeGreaterThanOrEqual(real)
      expect(await boundInputTokens(messages(text), other)).toBeGreaterThanOrEqual(real)
    }),
    { numRuns: 60 },
  )
})

test('a long text is counted, not measured in bytes: a reservation four times too high would block everything else', async () => {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(200)
  const real = countTokens(text)
  const bound = await boundInputTokens(messages(text), openai)
  expect(bound).toBeLessThan(real + 200)
  expect(await boundInputTokens(messages(text), other)).toBeGreaterThan(bound)
})

test('tools and schemas count too, and text that looks like a control token is text', async () => {
  const plain = await boundInputTokens(messages('x'), openai)
  const tool = { name: 'bash', description: 'runs it', parameters: { type: 'object' } }
  expect(await boundInputTokens({ ...messages('x'), tools: [tool] }, openai)).toBeGreaterThan(plain + 20)
  expect(await boundInputTokens({ ...messages('x'), schema: { type: 'object' } }, openai)).toBeGreaterThan(plain + 10)
  await expect(boundInputTokens(messages('<|endoftext|> '.repeat(300)), openai)).resolves.toBeGreaterThan(300)
})
