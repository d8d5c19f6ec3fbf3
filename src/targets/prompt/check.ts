import { existsSync } from 'node:fs'
import type { Experiment } from '../../define/experiment.ts'
import type { Problem } from '../../define/target.ts'
import { messageOf } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { didYouMean } from '../../util/suggest.ts'
import { type Assertion, typeOf } from './asserts/assert-schema.ts'
import { placeOf } from './asserts/user-function.ts'
import { type ResolvedPrompt, resolvedPrompt } from './resolved-prompt.ts'
import type { PromptSpec } from './spec.ts'
import { textOf, valueAt, variablesIn } from './template.ts'
import { usedModels } from './used-models.ts'

/** What a schema can't see: prompts and models that nobody named, variables without a value, asserts that can't be tried. */
export function checkPrompt(spec: PromptSpec, experiment: Experiment): readonly Problem[] {
  const whole = resolvedPrompt(spec)
  return [
    ...promptProblems(whole, experiment),
    ...modelProblems(whole, experiment),
    ...variableProblems(whole, experiment),
    ...assertProblems(whole, experiment),
  ]
}

function* promptProblems({ prompts }: ResolvedPrompt, { factors, params }: Experiment): Generator<Problem> {
  const names = Object.keys(prompts)
  const factor = factors.find(({ name }) => name === 'prompt')
  for (const [index, level] of (factor?.levels ?? []).entries())
    if (!names.includes(String(level))) yield unknownPrompt(String(level), ['factors', 'prompt', index], names)
  if (params.prompt !== undefined && !names.includes(String(params.prompt)))
    yield unknownPrompt(String(params.prompt), ['params', 'prompt'], names)
}

const unknownPrompt = (name: string, path: Problem['path'], names: readonly string[]): Problem => ({
  path,
  message: `there is no prompt "${name}"`,
  hint: didYouMean(name, names) ?? `prompts: ${names.join(', ')}`,
})

function* modelProblems(whole: ResolvedPrompt, experiment: Experiment): Generator<Problem> {
  if (usedModels(whole, experiment).answer.length > 0) return
  yield {
    path: ['target'],
    message: 'nobody says which model is asked',
    hint: 'add models: [gpt-4o-mini, claude-haiku-4-5] to the target, or a factor "model"; sim/… needs no key',
  }
}

/** Every variable needs a value in every case; factors and parameters are variables too. */
function* variableProblems(whole: ResolvedPrompt, experiment: Experiment): Generator<Problem> {
  const { params, factors, zip, include, ablations, blocks } = experiment
  const everywhere = new Set([
    ...Object.keys(params),
    ...[...factors, ...zip.flat(), ...blocks].map(({ name }) => name),
    ...[...include, ...ablations.map(({ set }) => set)].flatMap(part => Object.keys(part)),
    ...['seed', 'replicate'],
  ])
  const isKnown = (name: string, vars: JsonObject) =>
    everywhere.has(name) ||
    everywhere.has(name.split('.')[0] ?? '') ||
    valueAt({ ...whole.vars, ...vars }, name) !== undefined
  const cases = whole.tests.length === 0 ? [{ id: 'no case', vars: {} }] : whole.tests
  for (const [prompt, turns] of Object.entries(whole.prompts)) {
    const used = [...new Set(turns.flatMap(({ content }) => variablesIn(content ?? '')))]
    for (const name of used) {
      const without = cases.filter(({ vars = {} }) => !isKnown(name, vars))
      if (without.length === 0) continue
      const known = [
        ...new Set([...Object.keys(whole.vars), ...cases.flatMap(({ vars = {} }) => Object.keys(vars)), ...everywhere]),
      ]
      const where =
        without.length === cases.length
          ? 'has no value'
          : `has no value in ${without.length} of ${cases.length} cases, such as ${without[0]?.id}`
      yield {
        path: ['target', 'prompts', prompt],
        message: `{{${name}}} of the prompt "${prompt}" ${where}`,
        hint: didYouMean(name, known) ?? `known: ${known.slice(0, 12).join(', ')}`,
      }
    }
  }
}

function* assertProblems(whole: ResolvedPrompt, { folder }: Experiment): Generator<Problem> {
  const seen = new Set<string>()
  const all: readonly (readonly [Problem['path'], Assertion])[] = [
    ...whole.assert.map((one, index) => [['target', 'assert', index], one] as const),
    ...whole.tests.flatMap(test => (test.assert ?? []).map(one => [['target', 'tests'], one] as const)),
  ]
  for (const [path, assertion] of all) {
    const problem = problemOf(assertion, whole, folder)
    // The same mistake in a thousand cases is one.
    if (problem === null || seen.has(problem.message)) continue
    seen.add(problem.message)
    yield { path, ...problem }
  }
}

function problemOf(assertion: Assertion, whole: ResolvedPrompt, folder: string): Omit<Problem, 'path'> | null {
  const { type } = typeOf(assertion)
  if (type === 'llm-rubric' && (assertion.judge ?? assertion.provider ?? whole.judge) === undefined)
    return {
      message: 'llm-rubric needs a model that judges',
      hint: 'add judge: <model> to the target, or to the assert',
    }
  if ((type === 'function' || type === 'javascript') && !existsSync(placeOf(assertion, folder).file))
    return {
      message: `there is no file ${placeOf(assertion, folder).file}`,
      hint: 'a relative path starts at the folder of the experiment file',
    }
  if (type === 'regex' && variablesIn(textOf(assertion.value ?? '')).length === 0)
    try {
      new RegExp(textOf(assertion.value ?? ''))
    } catch (error) {
      return { message: messageOf(error) }
    }
  return null
}
