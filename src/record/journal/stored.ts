import * as z from 'zod'
import type { Outcome, OutcomeKind } from '../../define/outcome.ts'
import type { Run, Series } from '../../define/run.ts'
import type { PlannerOptions } from '../../plan/planner.ts'
import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { type RowOf, text } from './columns.ts'

/**
 * JSON that is stored in the journal, read back. That a column holds a text is checked where rows are read (columns.ts);
 * what is inside the text is checked here. There is a row for each run, so the checks are written out: a schema would take as long
 * as parsing the text does.
 */

/** Any JSON in a column. `column` is named in errors: `runs.spec`. */
export function jsonIn(text: string, column: string, journal: Named): Json {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw damaged(text, column, journal, 'JSON', error)
  }
}

/** The parts of a journal that an error needs. */
interface Named {
  readonly file: string
}

export function objectIn(text: string | null, column: string, journal: Named): JsonObject {
  if (text === null) return {}
  const found = jsonIn(text, column, journal)
  if (isJsonObject(found)) return found
  throw damaged(text, column, journal, 'an object')
}

export function numbersIn(text: string, column: string, journal: Named): readonly number[] {
  const found = jsonIn(text, column, journal)
  if (areNumbers(found)) return found
  throw damaged(text, column, journal, 'a list of numbers')
}

/** Series may have a million points: `every` would call a function for each. */
function areNumbers(found: Json): found is readonly number[] {
  if (!Array.isArray(found)) return false
  for (const value of found) if (typeof value !== 'number') return false
  return true
}

export function textsIn(text: string | null, column: string, journal: Named): readonly string[] {
  if (text === null || text === '[]') return []
  const found = jsonIn(text, column, journal)
  if (Array.isArray(found) && found.every(isText)) return found
  throw damaged(text, column, journal, 'a list of texts')
}

/** The reported values of a metric over steps: a row of `series`. */
export const seriesIn = ({ name, steps, points }: SeriesRow, journal: Named): Series => ({
  metric: name,
  steps: numbersIn(steps, 'series.steps', journal),
  values: numbersIn(points, 'series.points', journal),
})

interface SeriesRow {
  readonly name: string
  readonly steps: string
  readonly points: string
}

/** By name: the digests of files, the number of retries. */
export function mapIn<T extends Json>(
  text: string,
  column: string,
  journal: Named,
  isRight: (value: Json) => value is T,
): { readonly [name: string]: T } {
  const found = objectIn(text, column, journal)
  if (isMapOf(found, isRight)) return found
  throw damaged(text, column, journal, 'an object with other values')
}

const isMapOf = <T extends Json>(
  found: JsonObject,
  isRight: (value: Json) => value is T,
): found is { readonly [name: string]: T } => Object.values(found).every(isRight)

export const isNumber = (value: Json | undefined): value is number => typeof value === 'number'
export const isText = (value: Json | undefined): value is string => typeof value === 'string'

/** The content of `runs.spec`: a run without the parts that have columns of their own. */
export type RunSpec = Omit<Run, 'key' | 'name'>

export function specOf(run: Run): string {
  const { key: _key, name: _name, ...spec } = run
  return JSON.stringify(spec)
}

export const runColumns = { key: text, name: text, spec: text }

type RunRow = RowOf<typeof runColumns>

export function runIn({ key, name, spec }: RunRow, journal: Named): Run {
  const found = jsonIn(spec, 'runs.spec', journal)
  if (isRunSpec(found)) return { key, name, ...found }
  throw damaged(spec, 'runs.spec', journal, `what the run ${name} is made of`)
}

function isRunSpec(found: Json): found is JsonObject & RunSpec {
  if (!isJsonObject(found)) return false
  const { params, ablation, flags, block, replicate, seed, numbers } = found
  return (
    isJsonObject(params) &&
    (ablation === null || isText(ablation)) &&
    Array.isArray(flags) &&
    flags.every(isText) &&
    isJsonObject(block) &&
    isNumber(replicate) &&
    isNumber(seed) &&
    (numbers === undefined || areRunNumbers(numbers))
  )
}

const areRunNumbers = (found: Json): boolean =>
  isJsonObject(found) &&
  isNumber(found.variant) &&
  isNumber(found.run) &&
  (found.place === undefined || isNumber(found.place))

/** How an attempt ended: the column `outcome` and what `facts` adds to it. */
export function outcomeIn(kind: OutcomeKind, facts: string | null, journal: Named): Outcome {
  if (facts === null || facts === '{}') return { kind }
  const found = objectIn(facts, 'attempts.facts', journal)
  if (areFacts(found)) return { kind, ...found }
  throw damaged(facts, 'attempts.facts', journal, 'how an attempt ended')
}

type Facts = Omit<Outcome, 'kind'>

function areFacts(found: JsonObject): found is JsonObject & Facts {
  for (const name in found) {
    const isRight: ((value: Json | undefined) => boolean) | undefined = factTypes[name]
    // Facts that only a later version of a target knows are kept as they are.
    if (isRight !== undefined && !isRight(found[name])) return false
  }
  return true
}

const orNull = (isRight: (value: Json | undefined) => boolean) => (value: Json | undefined) =>
  value === null || isRight(value)
const isYesOrNo = (value: Json | undefined): boolean => typeof value === 'boolean'

const typesOfFacts: { readonly [Name in keyof Facts]-?: (value: Json | undefined) => boolean } = {
  exit_code: orNull(isNumber),
  signal: orNull(isText),
  error_class: isText,
  message: isText,
  said: isText,
  unsupported_environment: isYesOrNo,
  sandbox: isText,
  limit: isText,
  limit_at: orNull(isNumber),
  only_scoring_left: isYesOrNo,
  exit_status: isText,
}
const factTypes: { readonly [name: string]: ((value: Json | undefined) => boolean) | undefined } = typesOfFacts

/** How the current plan is made; `{}` before there is one. */
export function planOptionsIn(text: string, journal: Named): PlannerOptions {
  const { data } = planOptions.safeParse(jsonIn(text, 'experiment.plan_options', journal))
  if (data !== undefined) return data
  throw damaged(text, 'experiment.plan_options', journal, 'order, seed and selection of a plan')
}

const planOptions: z.ZodType<PlannerOptions> = z.lazy(() =>
  z.object({
    order: z.enum(['interleaved', 'listed', 'shuffled']),
    seed: z.number(),
    selection: z.object({
      filters: z.array(z.string()),
      first: z.number().nullable(),
      shard: z.object({ index: z.number(), count: z.number() }).nullable(),
    }),
  }),
)

export function damaged(text: string, column: string, { file }: Named, expected: string, cause?: unknown): AssayError {
  const found = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return new AssayError('unreadable_journal', `${file} is damaged: ${column} should hold ${expected}, not ${found}`, {
    cause,
    hint: 'Another program may have changed it. `assay repair` on its directory saves what can be read.',
  })
}

/** Whether a column of a damaged journal holds JSON at all. */
export function isJson(text: unknown): boolean {
  try {
    return typeof text === 'string' && JSON.parse(text) !== undefined
  } catch {
    return false
  }
}
