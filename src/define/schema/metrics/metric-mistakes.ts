import { metricSourceKinds, metricSources, type WrittenMetric } from './metric-schema.ts'
import { groupsOf } from './regex-groups.ts'

interface Mistake {
  readonly path: string[]
  readonly message: string
}

/** What can be wrong with a metric although each of its keys is right. */
export function* metricMistakes(name: string, spec: WrittenMetric, sources: readonly string[]): Generator<Mistake> {
  const used = metricSourceKinds.filter(kind => spec[kind] !== undefined)
  const [kind, other] = used
  if (other !== undefined) yield { path: [name, other], message: `give one source, not both "${kind}" and "${other}"` }
  const allowed: readonly string[] = used.flatMap(source => metricSources[source])
  for (const key of new Set(Object.values(metricSources).flat()))
    if (spec[key] !== undefined && !allowed.includes(key))
      yield { path: [name, key], message: `"${key}" needs ${ownersOf(key).join(' or ')}` }
  if (spec.source !== undefined && !sources.includes(spec.source))
    yield { path: [name, 'source'], message: noSuchSource(spec.source, sources) }
  if (name === '*') yield* mistakesOfEveryNumber(spec)
  else if (spec.row_name !== undefined)
    yield {
      path: [name, 'row_name'],
      message: '"row_name" is for the metric "*", which takes every number of the file',
    }
  if (spec.regex !== undefined) yield* mistakesOfRegex(name, spec.regex, spec.group)
  if (spec.value === 'best') yield* mistakesOfBest(name, spec, kind)
}

const ownersOf = (key: string): string[] =>
  metricSourceKinds.filter(kind => (metricSources[kind] as readonly string[]).includes(key)).map(kind => `"${kind}"`)

const noSuchSource = (source: string, sources: readonly string[]): string =>
  `there is no metric source "${source}"; ${sources.length === 0 ? '"metric_sources" lists none' : `there are: ${sources.join(', ')}`}`

function* mistakesOfEveryNumber(spec: WrittenMetric): Generator<Mistake> {
  if ([spec.csv, spec.json, spec.tensorboard, spec.source].every(source => source === undefined))
    yield { path: ['*'], message: 'the metric "*" takes every number of a file: give "csv", "json" or "tensorboard"' }
  for (const key of ['column', 'path', 'tag'] as const)
    if (spec[key] !== undefined)
      yield { path: ['*', key], message: `the metric "*" takes every number: leave "${key}" out` }
}

function* mistakesOfBest(name: string, { goal }: WrittenMetric, kind: string | undefined): Generator<Mistake> {
  const path = [name, 'value']
  if (kind !== undefined && !['jsonl', 'tensorboard', 'source'].includes(kind))
    yield { path, message: `"${kind}" gives one number: "value" is for metrics over steps` }
  else if (goal === undefined) yield { path, message: 'which value is the best? "goal" must say which way is better' }
}

function* mistakesOfRegex(name: string, pattern: string, group: number | string | undefined): Generator<Mistake> {
  const groups = groupsOf(pattern)
  if (!groups.isValid) yield { path: [name, 'regex'], message: groups.problem }
  else if (group !== undefined && !groups.names.includes(String(group)))
    yield { path: [name, 'group'], message: `the regular expression has no group ${JSON.stringify(group)}` }
}
