import * as z from 'zod'
import { defineExperiment, type ExperimentDefinition } from '../../src/api/define-experiment.ts'
import type { Outcome } from '../../src/define/outcome.ts'
import type { Bound, RunContext, Target } from '../../src/define/target.ts'

const spec = z.strictObject({ kind: z.literal('inline') })

/** An experiment whose runs execute a test's function with the full context of a target. */
export function scripted(
  definition: Omit<ExperimentDefinition, 'target' | 'name'>,
  folder: string,
  execute: (context: RunContext, params: Readonly<Record<string, unknown>>) => Promise<Outcome>,
  bound: Bound = 'unknown',
) {
  const target: Target<z.infer<typeof spec>> = {
    kind: 'inline',
    schema: spec,
    check: () => [],
    identity: () => ({ scripted: true }),
    describe: () => ({ command: [], cwd: folder }),
    bound: () => bound,
    execute: (_, run, context) => execute(context, run.params),
  }
  // Its schema takes no other target than one in code, so a function stands in for it while the definition is checked.
  const { experiment } = defineExperiment({ name: 'scripted', ...definition, target: () => ({}) }, { folder })
  return { experiment, target: target as Target }
}
