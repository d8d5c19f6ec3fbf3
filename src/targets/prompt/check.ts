import { existsSync } from 'node:fs'
import type { Experiment } from '../../define/experiment.ts'
import type { Problem } from '../../define/target.ts'
import { messageOf } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { didYouMean } from '../../util/suggest.ts'
import { type Assertion, eachAssert, type OneAssert, typeOf } from './asserts/assert-schema.ts'
import { codeFunction, transformParameters } from './asserts/inline-code.ts'
import { judgesOf } from './asserts/judge.ts'
import { codeParameters, isInline, placeOf } from './asserts/user-function.ts'
import { type ResolvedPrompt, resolvedPrompt } from './resolved-prompt.ts'
import type { PromptSpec } from './spec.ts'
import { TemplateMistake } from './templates/nunjucks.ts'
import { textOf, valueAt, variablesIn } from './templates/template.ts'
import { usedModels } from './used-models.ts'

/** Checks beyond the schema: unknown prompts and models, variables without a value, invalid asserts. */
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
    message: 'no model is given',
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
    const used = orMistake(() => [...new Set(turns.flatMap(({ content }) => variablesIn(content ?? '')))])
    if (used instanceof TemplateMistake) {
      const { message, hint } = used
      yield { path: ['target', 'prompts', prompt], message, ...(hint !== undefined && { hint }) }
      continue
    }
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
        hint: name.startsWith('env.')
          ? 'the environment is not read into prompts: put the value under vars'
          : (didYouMean(name, known) ?? `known: ${known.slice(0, 12).join(', ')}`),
      }
    }
  }
}

const orMistake = <T>(work: () => T): T | TemplateMistake => {
  try {
    return work()
  } catch (error) {
    if (error instanceof TemplateMistake) return error
    throw error
  }
}

function* assertProblems(whole: ResolvedPrompt, { folder }: Experiment): Generator<Problem> {
  const seen = new Set<string>()
  const usual = whole.options?.provider ?? whole.judge
  const all: readonly (readonly [Problem['path'], Assertion, typeof usual])[] = [
    ...whole.assert.map((one, index) => [['target', 'assert', index], one, usual] as const),
    ...whole.tests.flatMap(test =>
      (test.assert ?? []).map(one => [['target', 'tests'], one, test.options?.provider ?? usual] as const),
    ),
  ]
  const transforms = [whole.options, ...whole.tests.map(({ options }) => options)].flatMap(one => one?.transform ?? [])
  const found = [
    ...transforms.flatMap(code => {
      const problem = codeProblem('transform', code, transformParameters)
      return problem === null ? [] : [[['target'], problem] as const]
    }),
    ...all.flatMap(([path, assertion, judge]) =>
      eachAssert([assertion]).flatMap(one => {
        const problem = problemOf(one, judge, folder)
        return problem === null ? [] : [[path, problem] as const]
      }),
    ),
  ]
  for (const [path, problem] of found) {
    // The same mistake in a thousand cases is one.
    if (seen.has(problem.message)) continue
    seen.add(problem.message)
    yield { path, ...problem }
  }
}

type FoundProblem = Omit<Problem, 'path'>

function problemOf(assertion: OneAssert, judge: Parameters<typeof judgesOf>[1], folder: string): FoundProblem | null {
  const { type } = typeOf(assertion)
  if (assertion.transform !== undefined) {
    const problem = codeProblem('transform', assertion.transform, transformParameters)
    if (problem !== null) return problem
  }
  if (type === 'llm-rubric' && judgesOf(assertion, judge).length === 0)
    return {
      message: 'llm-rubric needs a model that judges',
      hint: 'add judge: <model> to the target, or to the assert',
    }
  const filled = orMistake(() => variablesIn(textOf(assertion.value ?? '')))
  if (filled instanceof TemplateMistake)
    return { message: `${assertion.type}: ${filled.message}`, ...(filled.hint !== undefined && { hint: filled.hint }) }
  if (isInline(assertion))
    return filled.length > 0 ? null : codeProblem(assertion.type, String(assertion.value), codeParameters)
  if (type === 'function' || type === 'javascript') return functionProblem(assertion, folder)
  if (type === 'regex' && filled.length === 0)
    try {
      new RegExp(textOf(assertion.value ?? ''))
    } catch (error) {
      return { message: messageOf(error) }
    }
  return null
}

function functionProblem(assertion: OneAssert, folder: string): FoundProblem | null {
  const { file } = placeOf(assertion, folder)
  if (/\.(?:py|rb|go)(?::\w+)?$/.test(file))
    return {
      message: `${assertion.type}: ${file} is not JavaScript`,
      hint: 'write it as .mjs or .mts; or run the program by a command target',
    }
  return existsSync(file)
    ? null
    : {
        message: `there is no file ${file}`,
        hint: 'a relative path starts at the folder of the experiment file',
      }
}

/** Invalid JavaScript is reported before any call. */
function codeProblem(what: string, code: string, parameters: readonly string[]): FoundProblem | null {
  try {
    codeFunction(code, parameters)
    return null
  } catch (error) {
    const hint = code.includes('\n') ? 'several lines are the body of a function: end with return' : undefined
    return { message: `${what}: ${messageOf(error)}`, ...(hint !== undefined && { hint }) }
  }
}
