import type { Block, Factor, MetricSpec } from '../../define/experiment.ts'
import type { Completion, Problem, WrittenAround } from '../../define/target.ts'
import { behaviourDigests } from '../../models/names/settings-of.ts'
import { AssayError } from '../../util/errors.ts'
import { sha256 } from '../../util/hash.ts'
import { canonicalJson, isJsonObject, type JsonObject } from '../../util/json.ts'
import { digestOf, type NamedCase, nameCases } from './cases/name-cases.ts'
import { readCases } from './cases/read-cases.ts'
import { readPrompts, readText } from './read-prompts.ts'
import { readSchema } from './read-schema.ts'
import type { ResolvedPrompt } from './resolved-prompt.ts'
import type { PromptSpec, TestCase } from './spec.ts'

/**
 * Reads prompts, cases and schema, so that an experiment is whole without its files; and adds what follows: the factors
 * `prompt` and `model`, the block `case`, and the metrics that answer which is better at what cost.
 */
export function completePrompt(spec: PromptSpec, around: WrittenAround): Completion {
  const { kind, judge, temperature, top_p, max_output_tokens, reasoning, stop } = spec
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
  const tests = read(['target', written], [], () => casesOf(spec.tests ?? spec.cases, around))
  problems.push(...repeated(tests, written))
  const schema =
    spec.schema === undefined ? undefined : read(['target', 'schema'], {}, () => readSchema(spec.schema, around))
  const threshold = spec.threshold ?? spec.defaultTest?.threshold
  const whole: ResolvedPrompt = {
    kind,
    prompts,
    tests,
    vars: read(['target', 'vars'], {}, () => readVars({ ...spec.defaultTest?.vars, ...spec.vars }, around)),
    assert: [...(spec.defaultTest?.assert ?? []), ...(spec.assert ?? [])],
    ...defined({ threshold, judge, schema, temperature, top_p, max_output_tokens, reasoning, stop }),
  }
  return {
    spec: JSON.parse(JSON.stringify(whole)),
    factors: factorsOf(spec, Object.keys(prompts), around),
    blocks: tests.length === 0 || around.blocks.includes('case') ? [] : [caseBlock(tests)],
    metrics: metricsOf(whole, around.metrics),
    contents: {
      prompt: Object.fromEntries(Object.entries(prompts).map(([name, turns]) => [name, contentDigest(turns)])),
      model: behaviourDigests(around.models),
      case: Object.fromEntries(tests.map(test => [test.id, digestOf(test)])),
    },
    problems,
  }
}

const defined = <T extends object>(given: T): Partial<T> =>
  // Object.entries forgets which keys there are.
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>

function casesOf(written: PromptSpec['tests'], around: WrittenAround): readonly NamedCase[] {
  const items = typeof written === 'string' ? [written] : (written ?? [])
  const cases = items.flatMap((item): readonly TestCase[] =>
    typeof item === 'string' ? readCases(item, around) : [item],
  )
  return nameCases(cases.map(one => ({ ...one, vars: readVars(one.vars ?? {}, around) })))
}

/** `file://article.txt` is what is in that file. */
function readVars(vars: JsonObject, around: WrittenAround): JsonObject {
  const entries = Object.entries(vars).map(([name, value]) => [
    name,
    typeof value === 'string' ? readText(value, around) : isJsonObject(value) ? readVars(value, around) : value,
  ])
  return Object.fromEntries(entries)
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

/** What is a factor or parameter already stays the user's own. */
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

/** The score decides, unless the user says otherwise. */
function metricsOf({ assert, tests }: ResolvedPrompt, written: readonly MetricSpec[]): readonly MetricSpec[] {
  const isScored = assert.length > 0 || tests.some(one => (one.assert ?? []).length > 0)
  const hasPrimary = written.some(({ primary }) => primary)
  const reported = (name: string, goal: 'minimize' | 'maximize', primary = false): MetricSpec => ({
    name,
    goal,
    primary: primary && !hasPrimary,
    source: { kind: 'reported' },
  })
  const added = [
    ...(isScored ? [reported('score', 'maximize', true), reported('passed', 'maximize')] : []),
    reported('cost_usd', 'minimize'),
    reported('latency_s', 'minimize'),
  ]
  return added.filter(({ name }) => written.every(one => one.name !== name))
}
