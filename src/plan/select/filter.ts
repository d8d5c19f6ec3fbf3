import type { Run } from '../../define/run.ts'
import type { Scope } from '../expression/compile.ts'
import type { PlanPart } from '../plan-part.ts'
import { variantNames } from '../variants/rules.ts'
import { compileTest } from './compile-test.ts'

/** Which runs are wanted. */
export type Filter = (run: Run) => boolean

/** `policy=full`, `policy=full,cheap`, `policy!=full`, `seed=1..5`, or an expression such as `workflows > 50`. */
export function compileFilter(text: string, experiment: PlanPart): Filter {
  const fields = new Set([...variantNames(experiment), ...experiment.blocks.map(({ name }) => name), ...fieldsOfRuns])
  const test = compileTest(text, fields)
  return run => test(scopeOf(run))
}

const fieldsOfRuns = ['replicate', 'seed', 'name', 'run']

/** A parameter that is called like a field of runs hides it. */
const scopeOf = ({ name, seed, replicate, ablation, block, params }: Run): Scope => ({
  name,
  run: name,
  seed,
  replicate,
  ablation,
  ...block,
  ...params,
})
