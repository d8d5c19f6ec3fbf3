import * as z from 'zod'
import { experimentSchema } from './schema/experiment-schema.ts'
import type { Target } from './target.ts'

/** The JSON Schema of what a user writes in the native dialect: completion and help in editors. */
export function experimentJsonSchema(targets: readonly Target[]): { readonly [key: string]: unknown } {
  // Draft 7 is what the YAML language server and most editors understand in full.
  const schema = z.toJSONSchema(experimentSchema(targets), { io: 'input', target: 'draft-7', unrepresentable: 'any' })
  return { ...schema, title: 'assay experiment' }
}
