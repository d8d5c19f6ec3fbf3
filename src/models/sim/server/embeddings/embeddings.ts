import * as z from 'zod'
import { sha256 } from '../../../../util/hash.ts'
import type { JsonObject } from '../../../../util/json.ts'
import { seededRandom } from '../../../../util/random.ts'
import type { Usage } from '../../../model-call.ts'
import { simTokensOf } from '../../../prices/count-tokens.ts'
import { bad, readOpenai } from '../openai-reading.ts'

export interface Embedded {
  readonly model: string
  readonly body: object
  readonly usage: Usage
}

/** OpenAI's embeddings: texts that share words are near each other, and equal texts are equal. */
export function embed(body: JsonObject): Embedded {
  const { model, input, dimensions, encoding_format } = readOpenai(requestSchema, body)
  const texts = textsOf(input)
  const tokens = texts.reduce((sum, text) => sum + Math.max(1, simTokensOf(text)), 0)
  const data = texts.map((text, index) => {
    const vector = embedding(text, dimensions ?? 1536)
    return { object: 'embedding', index, embedding: encoding_format === 'base64' ? inBase64(vector) : vector }
  })
  return {
    model,
    body: { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } },
    usage: {
      input_tokens: tokens,
      cached_input_tokens: 0,
      cache_write_tokens: 0,
      output_tokens: 0,
      reasoning_tokens: 0,
    },
  }
}

const tokenList = z.lazy(() => z.array(z.int()).min(1))

const requestSchema = z.lazy(() =>
  z.looseObject({
    model: z.string(),
    input: z.union([z.string(), z.array(z.string()).min(1), tokenList, z.array(tokenList).min(1)]),
    dimensions: z.int().min(1).max(4096).nullish(),
    encoding_format: z.enum(['float', 'base64']).nullish(),
  }),
)

function textsOf(input: z.output<typeof requestSchema>['input']): readonly string[] {
  const list = typeof input === 'string' ? [input] : input
  const isOneListOfTokens = list.every(item => typeof item === 'number')
  const texts = isOneListOfTokens
    ? [list.join(' ')]
    : list.map(item => (Array.isArray(item) ? item.join(' ') : String(item)))
  if (texts.length > 2048)
    throw bad(
      `Invalid 'input': array too long. Expected an array with maximum length 2048, but got an array with length ${texts.length} instead.`,
      'input',
      'array_above_max_length',
    )
  if (texts.some(text => text === ''))
    throw bad("Invalid 'input': input cannot be an empty string.", 'input', 'invalid_value')
  return texts
}

/** The sum of a random direction for each word, of length 1. */
function embedding(text: string, dimensions: number): readonly number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    const random = seededRandom(Number.parseInt(sha256(word).slice(0, 7), 16))
    for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] ?? 0) + random.next() - 0.5
  }
  const length = Math.hypot(...vector)
  return vector.map(value => Math.fround(value / length))
}

const inBase64 = (vector: readonly number[]): string => Buffer.from(Float32Array.from(vector).buffer).toString('base64')
