import * as z from 'zod'
import type { TargetSpec } from '../experiment.ts'
import type { Target } from '../target.ts'

/** One alternative for each kind of target; the targets bring their own schemas, which name their `kind`. */
export function targetSchema(targets: readonly Target[]) {
  // Target promises an object schema with a literal `kind`; zod's types can't express that for a list of unknown
  // length.
  const schemas = targets.map(target => target.schema) as unknown as [z.ZodObject, ...z.ZodObject[]]
  return z
    .discriminatedUnion('kind', schemas)
    .transform((spec, context): TargetSpec => {
      if (isTargetSpec(spec)) return spec
      context.addIssue('expected a target with a kind')
      return z.NEVER
    })
    .describe('What a run does.')
}

const isTargetSpec = (spec: unknown): spec is TargetSpec =>
  typeof spec === 'object' && spec !== null && 'kind' in spec && typeof spec.kind === 'string'
