import type { Run } from '../../define/run.ts'
import type { Scope } from '../expression/compile.ts'
import type { PlanPart } from '../plan-part.ts'
import { variantNames } from '../variants/rules.ts'
import { compileTest } from './filter-evidence.ts'

/** Which runs are selected. */
export type Filter = (run: Run) => boolean

/** `policy=full`, `policy=full,cheap`, `policy!=full`, `seed=1..5`, or an expression such as `workflows > 50`. */
export function compileFilter(text: string, experiment: PlanPart): Filter {
  const test = compileTest(text, fieldsOf(experiment))
  return run => test(scopeOf(run))
}

/** The names that an expression about runs can use. */
export const fieldsOf = (experiment: PlanPart): ReadonlySet<string> =>
  new Set([...variantNames(experiment), ...experiment.blocks.map(({ name }) => name), ...fieldsOfRuns])

const fieldsOfRuns = ['replicate', 'seed', 'name', 'run']

/** A parameter with the name of a field of runs hides it. */
export const scopeOf = ({ name, seed, replicate, ablation, block, params }: Run): Scope => ({
  name,
  run: name,
  seed,
  replicate,
  ablation,
  ...block,
  ...params,
})
