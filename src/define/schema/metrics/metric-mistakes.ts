import { listed } from '../../../util/words.ts'
import { metricSourceKinds, type metricSources, sourceKeys, type WrittenMetric } from './metric-schema.ts'
import { groupsOf } from './regex-groups.ts'

interface Mistake {
  readonly path: string[]
  readonly message: string
}

/** Problems of a metric although each of its keys is valid. */
export function* metricMistakes(name: string, spec: WrittenMetric, sources: readonly string[]): Generator<Mistake> {
  const used = metricSourceKinds.filter(kind => spec[kind] !== undefined)
  const [kind, other] = used
  if (other !== undefined) yield { path: [name, other], message: `give one source, not both "${kind}" and "${other}"` }
  const allowed = used.flatMap(source => sourceKeys(source).keys)
  for (const key of new Set(metricSourceKinds.flatMap(source => sourceKeys(source).keys)))
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
  metricSourceKinds.filter(kind => sourceKeys(kind).keys.some(own => own === key)).map(kind => `"${kind}"`)

const noSuchSource = (source: string, sources: readonly string[]): string =>
  `there is no metric source "${source}"; ${sources.length === 0 ? '"metric_sources" lists none' : `there are: ${sources.join(', ')}`}`

function* mistakesOfEveryNumber(spec: WrittenMetric): Generator<Mistake> {
  const whole = metricSourceKinds.filter(kind => sourceKeys(kind).picks !== undefined)
  const files = whole.filter(kind => sourceKeys(kind).picks !== null).map(kind => `"${kind}"`)
  if (whole.every(kind => spec[kind] === undefined))
    yield { path: ['*'], message: `the metric "*" takes every number of a file: give ${listed(files, 4, 'or')}` }
  for (const key of whole.flatMap(kind => sourceKeys(kind).picks ?? []))
    if (spec[key] !== undefined)
      yield { path: ['*', key], message: `the metric "*" takes every number: leave "${key}" out` }
}

function* mistakesOfBest(
  name: string,
  { goal }: WrittenMetric,
  kind: keyof typeof metricSources | undefined,
): Generator<Mistake> {
  const path = [name, 'value']
  if (kind !== undefined && sourceKeys(kind).isSeries !== true)
    yield { path, message: `"${kind}" gives one number: "value" is for metrics over steps` }
  else if (goal === undefined) yield { path, message: 'which value is the best? "goal" must say which way is better' }
}

function* mistakesOfRegex(name: string, pattern: string, group: number | string | undefined): Generator<Mistake> {
  const groups = groupsOf(pattern)
  if (!groups.isValid) yield { path: [name, 'regex'], message: groups.problem }
  else if (group !== undefined && !groups.names.includes(String(group)))
    yield { path: [name, 'group'], message: `the regular expression has no group ${JSON.stringify(group)}` }
}
