import type { Block, Factor, MetricSpec } from '../../define/experiment.ts'
import { knownMetrics } from '../../define/observation.ts'
import type { Completion, Problem, WrittenAround } from '../../define/target.ts'
import { behaviourDigests } from '../../models/names/settings-of.ts'
import { AssayError } from '../../util/errors.ts'
import { sha256 } from '../../util/hash.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { eachAssert } from './asserts/assert-schema.ts'
import { readAsserts, readJudge, readRubricPrompt } from './asserts/read-asserts.ts'
import { expandLists, isListOfTexts } from './cases/expand-lists.ts'
import { digestOf, type NamedCase, nameCases } from './cases/name-cases.ts'
import { readCases } from './cases/read-cases.ts'
import { isFile, matched, readData, readText } from './read-files.ts'
import { readPrompts } from './read-prompts.ts'
import { readSchema } from './read-schema.ts'
import type { ResolvedPrompt } from './resolved-prompt.ts'
import type { CaseOptions, PromptMessage, PromptSpec, TestCase } from './spec.ts'
import { isNunjucks } from './templates/template.ts'

/**
 * Reads prompts, cases and schema, so that an experiment is complete without its files; adds the factors `prompt` and
 * `model`, the block `case`, and the metrics that show which is better at what cost.
 */
export function completePrompt(spec: PromptSpec, around: WrittenAround): Completion {
  const { kind, tools, temperature, top_p, max_output_tokens, reasoning, stop } = spec
  const problems: Problem[] = []
  const read = <T>(path: Problem['path'], otherwise: T, work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof AssayError)) throw error
      problems.push({ path, message: error.message, ...(error.hint !== undefined && { hint: error.hint }) })
      return otherwise
    }
  }
  const written = spec.tests === undefined ? 'cases' : 'tests'
  const prompts = read(['target', 'prompts'], {}, () => readPrompts(spec, around))
  const vars = read(['target', 'vars'], {}, () => readVars({ ...spec.defaultTest?.vars, ...spec.vars }, around))
  const keepsLists = (spec.options ?? spec.defaultTest?.options)?.disableVarExpansion === true
  const tests = read(['target', written], [], () => casesOf(spec.tests ?? spec.cases, keepsLists ? null : vars, around))
  problems.push(...repeated(tests, written))
  const schema =
    spec.schema === undefined ? undefined : read(['target', 'schema'], {}, () => readSchema(spec.schema, around))
  const threshold = spec.threshold ?? spec.defaultTest?.threshold
  const whole: ResolvedPrompt = {
    kind,
    prompts,
    tests,
    vars,
    assert: read(['target', 'assert'], [], () =>
      readAsserts([...(spec.defaultTest?.assert ?? []), ...(spec.assert ?? [])], around),
    ),
    ...defined({
      ...{ threshold, schema, tools, temperature, top_p, max_output_tokens, reasoning, stop },
      judge:
        spec.judge === undefined ? undefined : read(['target', 'judge'], '', () => readJudge(spec.judge ?? '', around)),
      options: read(['target', 'defaultTest', 'options'], undefined, () =>
        optionsOf({ ...spec.defaultTest?.options, ...spec.options, ...defined({ transform: spec.transform }) }, around),
      ),
    }),
  }
  return {
    spec: JSON.parse(JSON.stringify(whole)),
    factors: factorsOf(spec, Object.keys(prompts), around),
    blocks: tests.length === 0 || around.blocks.some(({ name }) => name === 'case') ? [] : [caseBlock(tests)],
    metrics: metricsOf(whole, around.metrics),
    contents: {
      prompt: Object.fromEntries(Object.entries(prompts).map(([name, turns]) => [name, promptDigest(turns)])),
      model: behaviourDigests(around.models),
      case: Object.fromEntries(tests.map(test => [test.id, digestOf(test)])),
    },
    problems,
  }
}

const defined = <T extends object>(given: T): Partial<T> =>
  // Object.entries forgets which keys there are.
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>

/** `usual`: variables of all cases; null: lists are values. */
function casesOf(written: PromptSpec['tests'], usual: JsonObject | null, around: WrittenAround): readonly NamedCase[] {
  const items = typeof written === 'string' ? [written] : (written ?? [])
  const cases = items.flatMap((item): readonly TestCase[] =>
    typeof item === 'string' ? readCases(item, around) : [item],
  )
  // A list that all cases share makes cases even where none is written.
  const all = cases.length === 0 && Object.values(usual ?? {}).some(isListOfTexts) ? [{}] : cases
  const read = all.map(({ assert, options, ...one }) => ({
    ...one,
    vars: readVars(one.vars ?? {}, around),
    ...defined({ assert: assert === undefined ? undefined : [...readAsserts(assert, around)] }),
    ...defined({ options: optionsOf({ ...(usual === null && { disableVarExpansion: true }), ...options }, around) }),
  }))
  return nameCases(read.flatMap(one => expandLists(one, usual ?? {})))
}

/** undefined: there are none. */
function optionsOf(options: CaseOptions, around: WrittenAround): CaseOptions | undefined {
  const { rubricPrompt, provider, ...others } = options
  const read = {
    ...others,
    ...defined({
      rubricPrompt: rubricPrompt === undefined ? undefined : readRubricPrompt(rubricPrompt, around),
      provider: provider === undefined ? undefined : readJudge(provider, around),
    }),
  }
  return Object.keys(read).length === 0 ? undefined : read
}

/**
 * `file://article.txt` is replaced by that file's content; data of a .json or .yaml file is written as JSON, as in
 * promptfoo.
 */
function readVars(vars: JsonObject, around: WrittenAround): JsonObject {
  const entries = Object.entries(vars).map(([name, value]) => [name, readVar(value, around)])
  return Object.fromEntries(entries)
}

function readVar(value: Json, around: WrittenAround): Json {
  if (isJsonObject(value)) return readVars(value, around)
  if (Array.isArray(value)) return value.map(item => (typeof item === 'string' ? readVar(item, around) : item))
  if (typeof value !== 'string' || !isFile(value)) return value
  const files = matched(value, around)
  if (files.length !== 1 || files[0] !== value) return files.map(file => readVar(file, around))
  return /\.(ya?ml|toml)$/i.test(value) ? JSON.stringify(readData(value, around)) : readText(value, around)
}

function repeated(tests: readonly NamedCase[], written: string): readonly Problem[] {
  const seen = new Map<string, number>()
  return tests.flatMap(({ id }, index) => {
    const before = seen.get(id)
    seen.set(id, index)
    if (before === undefined) return []
    const hint = 'to ask the same thing several times, use replicates'
    return [{ path: ['target', written], message: `cases ${before + 1} and ${index + 1} are the same (${id})`, hint }]
  })
}

const caseBlock = (tests: readonly NamedCase[]): Block => ({ name: 'case', levels: tests.map(({ id }) => id) })

// Plain data all through; undefined is absent.
const contentDigest = (data: object): string => sha256(canonicalJson(JSON.parse(JSON.stringify(data)))).slice(0, 16)

/** A template that only Nunjucks understands was once sent unfilled: those answers belong to another prompt. */
const promptDigest = (turns: readonly PromptMessage[]): string =>
  turns.some(({ content }) => isNunjucks(content ?? ''))
    ? contentDigest({ turns, templates: 'nunjucks' })
    : contentDigest(turns)

/** Existing factors and parameters stay the user's own. */
function factorsOf(
  spec: PromptSpec,
  prompts: readonly string[],
  { factors, params }: WrittenAround,
): readonly Factor[] {
  const isFree = (name: string) => !factors.includes(name) && params[name] === undefined
  const added = [
    { name: 'prompt', levels: prompts },
    { name: 'model', levels: spec.models ?? spec.providers ?? [] },
  ]
  return added
    .filter(({ name, levels }) => isFree(name) && levels.length > 0)
    .map(({ name, levels }) => ({ name, levels, when: null }))
}

/** The score decides, unless the user says otherwise. Scores that the user named are shown too. */
function metricsOf({ assert, tests }: ResolvedPrompt, written: readonly MetricSpec[]): readonly MetricSpec[] {
  const isScored = assert.length > 0 || tests.some(one => (one.assert ?? []).length > 0)
  const hasPrimary = written.some(({ primary }) => primary)
  const reported = (name: string, goal: 'minimize' | 'maximize', primary = false): MetricSpec => ({
    name,
    goal,
    primary: primary && !hasPrimary,
    source: { kind: 'reported' },
  })
  const own = [...assert, ...eachAssert(assert)].flatMap(({ metric }) => metric ?? [])
  const added = [
    ...(isScored ? [reported('score', 'maximize', true), reported(knownMetrics.passed, 'maximize')] : []),
    ...[...new Set(own)].filter(name => !name.includes('{')).map(name => reported(name, 'maximize')),
    reported('cost_usd', 'minimize'),
    reported('latency_s', 'minimize'),
  ]
  return added.filter(({ name }) => written.every(one => one.name !== name))
}
