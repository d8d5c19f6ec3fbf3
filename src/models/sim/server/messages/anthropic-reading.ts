import type * as z from 'zod'
import { firstIssue } from '../first-issue.ts'
import { Refused } from '../refusal.ts'

export const bad = (message: string): Refused => new Refused({ status: 400, message })

/** A parsed body; otherwise refused in Anthropic's words. */
export function readAnthropic<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = firstIssue(parsed.error)
  const place = issue?.path.map(String).join('.') ?? ''
  if (issue === undefined) throw bad('The request is not understood')
  if (issue.message.endsWith('received undefined')) throw bad(`${place}: Field required`)
  if (issue.code === 'too_small') throw bad(`${place}: Input should be greater than or equal to ${issue.minimum}`)
  if (issue.code === 'too_big') throw bad(`${place}: Input should be less than or equal to ${issue.maximum}`)
  if (issue.code === 'invalid_value')
    throw bad(`${place}: Input should be ${issue.values.map(value => `'${String(value)}'`).join(' or ')}`)
  throw bad(`${place}: ${issue.message.replace(/^Invalid input: expected (\w+),.*$/, 'Input should be a valid $1')}`)
}
