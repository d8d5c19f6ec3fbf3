import * as z from 'zod'
import type { AgentFacts, ToolFacts } from '../../../models/trace/run-trace.ts'
import type { ContextScore } from './context-models.ts'

/** Functions are often untyped JavaScript: their values are validated. Additional fields are not needed. */
const span = z.lazy(() =>
  z.object({
    name: z.string().min(1),
    description: z.string().optional(),
    version: z.string().optional(),
    model: z.string().optional(),
    id: z.string().optional(),
    arguments: z.unknown().optional(),
  }),
)

const score = z.lazy(() =>
  z.object({
    name: z.string().min(1),
    value: z.number().nullable().optional(),
    passed: z.boolean().optional(),
    explanation: z.string().optional(),
    response_id: z.string().nullable().optional(),
  }),
)

export const readSpan = (what: 'agent' | 'tool', given: unknown): AgentFacts & ToolFacts => read(what, span, given)

export const readScore = (given: unknown): ContextScore => read('score', score, given)

function read<T>(what: string, schema: z.ZodType<T>, given: unknown): T {
  const { data, error } = schema.safeParse(given)
  if (data !== undefined) return data
  const [issue] = error?.issues ?? []
  throw new TypeError(`context.models.${what}: ${issue?.path.join('.') || 'what it is'}: ${issue?.message}`)
}
