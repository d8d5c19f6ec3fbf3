import type { Experiment } from '../../define/experiment.ts'
import { levelsOfName } from '../../define/levels.ts'
import type { Json } from '../../util/json.ts'
import { typeOf } from './asserts/assert-schema.ts'
import type { ResolvedPrompt } from './resolved-prompt.ts'

/** The models that runs of an experiment may call: those that answer, and those that judge. */
export function usedModels(
  whole: ResolvedPrompt,
  experiment: Experiment,
): { readonly answer: readonly string[]; readonly judge: readonly string[] } {
  return { answer: texts(levelsOfName('model', experiment)), judge: texts(judges(whole)) }
}

function judges({ assert, tests, judge }: ResolvedPrompt): readonly (string | undefined)[] {
  const all = [...assert, ...tests.flatMap(test => test.assert ?? [])]
  return all.filter(one => typeOf(one).type === 'llm-rubric').map(one => one.judge ?? one.provider ?? judge)
}

const texts = (values: readonly (Json | undefined)[]): readonly string[] => [
  ...new Set(values.flatMap(value => (typeof value === 'string' ? [value] : []))),
]
