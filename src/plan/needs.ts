import type { Experiment, Needs, NeedsRule } from '../define/experiment.ts'
import type { Run } from '../define/run.ts'
import type { Problem } from '../define/target.ts'
import { AssayError, messageOf } from '../util/errors.ts'
import { compileExpression } from './expression/compile.ts'
import { planPart } from './plan-part.ts'
import { fieldsOf, scopeOf } from './select/filter.ts'

/** What a run needs of its machine; undefined: any will do. */
export type NeedsOf = (run: Run) => Needs | undefined

/** By the first rule that applies to a run. */
export function needsFor(experiment: Experiment): NeedsOf {
  const rules = rulesOf(experiment)
  const [only] = rules
  if (only === undefined) return () => undefined
  const fields = fieldsOf(planPart(experiment))
  const tests = rules.map(({ when, ...needed }) => ({
    needed,
    applies: when === null ? () => true : compileExpression(when, fields).test,
  }))
  return run => tests.find(({ applies }) => applies(scopeOf(run)) === true)?.needed
}

/** All that runs may need, each once; undefined among them: some may need nothing. */
export function differentNeeds(experiment: Experiment): readonly (Needs | undefined)[] {
  const rules = rulesOf(experiment)
  const [end = rules.length] = rules.flatMap(({ when }, at) => (when === null ? [at + 1] : []))
  const all = rules.slice(0, end).map(({ when: _, ...needed }) => needed)
  const isComplete = rules.some(({ when }) => when === null)
  const byText = new Map([...all, ...(isComplete ? [] : [undefined])].map(needed => [JSON.stringify(needed), needed]))
  return [...byText.values()]
}

export function needsProblems(experiment: Experiment): readonly Problem[] {
  const fields = fieldsOf(planPart(experiment))
  return rulesOf(experiment).flatMap(({ when }, at) => {
    try {
      if (when !== null) compileExpression(when, fields)
      return []
    } catch (error) {
      const hint = error instanceof AssayError ? error.hint : undefined
      return [{ path: ['needs', at, 'when'], message: messageOf(error), ...(hint != null && { hint }) }]
    }
  })
}

function rulesOf({ needs }: Experiment): readonly NeedsRule[] {
  if (needs === undefined) return []
  return 'cpu' in needs ? [{ ...needs, when: null }] : needs
}
