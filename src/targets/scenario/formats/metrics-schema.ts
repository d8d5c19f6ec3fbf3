import * as z from 'zod'
import { knownMetrics, metricNameTaken } from '../../../define/observation.ts'
import { json, text } from '../../../define/schema/parts.ts'
import { messageOf } from '../../../util/errors.ts'
import { isJsonObject, type Json } from '../../../util/json.ts'
import {
  type Actor,
  aggregations,
  type Extraction,
  type Metric,
  type MetricPlace,
  type MetricType,
} from '../scenario.ts'
import { textOrEmpty } from './parts.ts'

const metricName = z.string().regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, {
  error: 'expected a name of letters, digits and "_" that starts with a letter',
})

const pattern = text.superRefine((written, context) => {
  try {
    new RegExp(withoutInlineFlags(written), 'gi')
  } catch (error) {
    context.addIssue(`is no regular expression: ${messageOf(error)}`)
  }
})

/** Python writes flags into a pattern, JavaScript does not; case is ignored anyway. */
export const withoutInlineFlags = (written: string): string =>
  written.replace(/^\(\?[aimsux]+\)/, '').replaceAll('(?P<', '(?<')

const types = {
  ...{ int: 'integer', integer: 'integer', float: 'float', number: 'float', continuous: 'float' },
  ...{ bool: 'boolean', boolean: 'boolean', string: 'string', str: 'string', categorical: 'categorical' },
} as const satisfies { readonly [written: string]: MetricType }

const typeNames = z.enum([
  'int',
  'integer',
  'float',
  'number',
  'continuous',
  'bool',
  'boolean',
  'string',
  'str',
  'categorical',
])

type Method = 'pattern' | 'keyword' | 'model' | 'line' | 'manual'

const methods = {
  ...{ regex: 'pattern', pattern: 'pattern', keyword: 'keyword', keywords: 'keyword', llm: 'model', model: 'model' },
  ...{ line: 'line', manual: 'manual' },
} as const satisfies { readonly [written: string]: Method }

const methodNames = z.enum(['regex', 'pattern', 'keyword', 'keywords', 'llm', 'model', 'line', 'manual'])

const extractionKeys = {
  pattern: pattern.optional(),
  patterns: z.array(pattern).min(1).optional(),
  keywords: z.array(text).min(1).optional(),
  scoring: z.enum(['count', 'presence', 'density']).optional(),
  prompt: text.optional(),
  model: text.optional(),
}

const shared = {
  description: textOrEmpty.optional(),
  type: typeNames.optional(),
  data_type: typeNames.optional(),
  unit: textOrEmpty.optional(),
  range: z.tuple([z.number(), z.number()]).optional(),
  categories: z
    .array(z.union([z.string(), z.number()]).transform(String))
    .min(1)
    .optional(),
  aggregation: z.enum(aggregations).optional(),
  actor_specific: z.boolean().optional(),
  actor: text.optional(),
  warning_threshold: z.number().optional(),
  critical_threshold: z.number().optional(),
  extraction_method: methodNames.optional(),
  extraction_type: methodNames.optional(),
  extraction_prompt: text.optional(),
  extraction: z
    .strictObject({ type: methodNames.optional(), method: methodNames.optional(), ...extractionKeys })
    .optional(),
  ...extractionKeys,
}

const metricOfMap = z.lazy(() => z.strictObject(shared))
const metricOfList = z.lazy(() => z.strictObject({ name: metricName, ...shared }))

/** `metrics.yaml`: a map of metrics, as in Scenario Lab's first version, or a list of them. */
export const metricsFile = z.lazy(() =>
  z.strictObject({
    scenario_name: json.optional(),
    metrics: z.union([z.record(metricName, metricOfMap), z.array(metricOfList)], {
      error: 'expected a map or a list of metrics',
    }),
    extraction_model: text.optional(),
    thresholds: z
      .record(metricName, z.strictObject({ warning: z.number().optional(), critical: z.number().optional() }))
      .optional(),
    export_format: json.optional(),
    auto_export: json.optional(),
    export_path: json.optional(),
  }),
)

type MetricsFile = z.output<typeof metricsFile>
type WrittenMetric = z.output<typeof metricOfList>

/** A problem of one metric, with its place in the file. */
export interface MetricProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly hint?: string
}

export interface ReadMetrics {
  readonly metrics: readonly Metric[]
  /** Metrics that people fill in by hand. */
  readonly manual: readonly string[]
  readonly problems: readonly MetricProblem[]
}

/** The metrics of a file. `defaultModel`: reads metrics of the type `llm` if the file names no model. */
export function metricsOf(file: MetricsFile, actors: readonly Actor[], defaultModel: string): ReadMetrics {
  const isMap = !Array.isArray(file.metrics)
  const written: readonly (readonly [string | number, WrittenMetric])[] = Array.isArray(file.metrics)
    ? file.metrics.map((metric, at) => [at, metric] as const)
    : Object.entries(file.metrics).map(([name, metric]) => [name, { name, ...metric }] as const)
  const problems: MetricProblem[] = []
  const metrics: Metric[] = []
  const manual: string[] = []
  for (const [at, metric] of written) {
    const path = ['metrics', at]
    const found = extractionOf(metric, file.extraction_model ?? defaultModel)
    if (found === 'manual') {
      manual.push(metric.name)
      continue
    }
    if ('message' in found) problems.push({ ...found, path })
    const from = placeOf(metric, actors, isMap)
    if ('message' in from) problems.push({ ...from, path: [...path, 'actor'] })
    if (metrics.some(({ name }) => name === metric.name))
      problems.push({ path, message: `there are two metrics "${metric.name}"` })
    const type = types[metric.type ?? metric.data_type ?? 'float']
    if (type === 'categorical' && metric.categories === undefined)
      problems.push({ path, message: 'a categorical metric needs its categories', hint: 'categories: [low, high]' })
    if ('message' in found || 'message' in from) continue
    const alike = found.kind === 'line' ? metrics.find(one => isAlikeInLine(one, metric.name)) : undefined
    if (alike !== undefined)
      problems.push({
        path,
        message: `in the narrator's line of values "${metric.name}" can't be told from "${alike.name}"`,
        hint: 'choose a name that differs in more than its case',
      })
    const thresholds = file.thresholds?.[metric.name]
    metrics.push({
      name: metric.name,
      description: metric.description ?? '',
      type,
      unit: metric.unit ?? null,
      categories: metric.categories ?? [],
      range: metric.range ?? null,
      aggregation: metric.aggregation ?? 'last',
      warning: metric.warning_threshold ?? thresholds?.warning ?? null,
      critical: metric.critical_threshold ?? thresholds?.critical ?? null,
      from,
      extraction: found,
    })
  }
  return { metrics, manual, problems }
}

/** Names in the line of values are read ignoring case. */
const isAlikeInLine = ({ name, extraction }: Metric, other: string): boolean =>
  extraction.kind === 'line' && name !== other && name.toLowerCase() === other.toLowerCase()

/** Names that every scenario reports or varies itself, and the word for the turn in expressions. */
const ownNames: ReadonlySet<string> = new Set([
  ...[knownMetrics.passed, 'turns', 'input_tokens', 'output_tokens', 'price_usd', 'cost_usd'],
  ...['scenario', 'branch_from', 'initial_world_state', 'turn'],
])

/** Names that a metric can't have, with their places in the file: they already mean another value. */
export function takenNames(written: Json, metrics: readonly Metric[]): readonly MetricProblem[] {
  const all = isJsonObject(written) ? written.metrics : undefined
  const placeOfName = (name: string): readonly (string | number)[] =>
    Array.isArray(all)
      ? ['metrics', all.findIndex(one => isJsonObject(one) && one.name === name), 'name']
      : ['metrics', name]
  return metrics.flatMap(({ name, from }) => {
    // Its values have other names: `outcome.port`.
    if (from.kind === 'each_actor') return []
    const message = metricNameTaken(name) ?? (ownNames.has(name) ? `"${name}" is reserved by assay` : null)
    return message === null ? [] : [{ path: placeOfName(name), message, hint: 'choose another name for the metric' }]
  })
}

type Wrong = { readonly message: string; readonly hint?: string }

function extractionOf(metric: WrittenMetric, defaultModel: string): Extraction | Wrong | 'manual' {
  const inner = metric.extraction
  const { pattern: one = metric.pattern, patterns: several = metric.patterns, keywords = metric.keywords } = inner ?? {}
  const method =
    inner?.type ??
    inner?.method ??
    metric.extraction_method ??
    metric.extraction_type ??
    guessed(one ?? several, keywords)
  if (method === undefined)
    return {
      message: `"${metric.name}" does not say how it is read`,
      hint: 'add extraction_method: regex, keyword, llm, line or manual',
    }
  const kind: Method = methods[method]
  switch (kind) {
    case 'manual':
      return 'manual'
    case 'line':
      return { kind: 'line' }
    case 'keyword':
      return keywords === undefined
        ? { message: `"${metric.name}" needs keywords`, hint: 'keywords: [agreement, treaty]' }
        : { kind: 'keyword', keywords, scoring: inner?.scoring ?? metric.scoring ?? defaultScoring(metric) }
    case 'model':
      return {
        kind: 'model',
        prompt: inner?.prompt ?? metric.prompt ?? metric.extraction_prompt ?? metric.description ?? metric.name,
        model: inner?.model ?? metric.model ?? defaultModel,
      }
    case 'pattern': {
      const patterns = [...(one === undefined ? [] : [one]), ...(several ?? [])]
      return patterns.length === 0
        ? { message: `"${metric.name}" needs a pattern`, hint: 'pattern: "trust: (\\\\d+)"' }
        : { kind: 'pattern', patterns: patterns.map(withoutInlineFlags) }
    }
  }
}

const guessed = (patterns: unknown, keywords: unknown) =>
  patterns !== undefined ? 'pattern' : keywords !== undefined ? 'keyword' : undefined

const defaultScoring = ({ type, data_type }: WrittenMetric) =>
  types[type ?? data_type ?? 'float'] === 'boolean' ? 'presence' : 'count'

/** Files of the first form are searched in actions too, as in Scenario Lab; later ones only in the state of the world. */
function placeOf(
  { actor, actor_specific }: WrittenMetric,
  actors: readonly Actor[],
  isMap: boolean,
): MetricPlace | Wrong {
  if (actor !== undefined) {
    const found = actors.find(({ name, short_name }) => name === actor || short_name === actor)
    if (found !== undefined) return { kind: 'actor', actor: found.short_name }
    return { message: `there is no actor "${actor}"`, hint: `actors: ${actors.map(one => one.short_name).join(', ')}` }
  }
  if (actor_specific === true) return { kind: 'each_actor' }
  return { kind: isMap ? 'actions_and_world' : 'world' }
}
