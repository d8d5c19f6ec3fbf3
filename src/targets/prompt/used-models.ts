import type { Experiment } from '../../define/experiment.ts'
import { levelsOfName } from '../../define/levels.ts'
import type { Json } from '../../util/json.ts'
import { type Assertion, eachAssert, typeOf } from './asserts/assert-schema.ts'
import { judgesOf } from './asserts/judge.ts'
import type { JudgeSpec } from './asserts/judge-schema.ts'
import type { ResolvedPrompt } from './resolved-prompt.ts'

/** The models that runs of an experiment may call: those that answer, and those that judge. */
export function usedModels(
  whole: ResolvedPrompt,
  experiment: Experiment,
): { readonly answer: readonly string[]; readonly judge: readonly string[] } {
  return { answer: texts(levelsOfName('model', experiment)), judge: texts(judges(whole)) }
}

function judges({ assert, tests, judge, options }: ResolvedPrompt): readonly string[] {
  const named = (all: readonly Assertion[], usual: JudgeSpec | undefined) =>
    eachAssert(all)
      .filter(one => typeOf(one).type === 'llm-rubric')
      .flatMap(one => judgesOf(one, usual).map(({ model }) => model))
  const usual = options?.provider ?? judge
  const ofCases = tests.flatMap(test => {
    const own = test.options?.provider
    return named([...(test.assert ?? []), ...(own === undefined ? [] : assert)], own ?? usual)
  })
  return [...named(assert, usual), ...ofCases]
}

const texts = (values: readonly (Json | undefined)[]): readonly string[] => [
  ...new Set(values.flatMap(value => (typeof value === 'string' ? [value] : []))),
]
