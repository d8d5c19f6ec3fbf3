import type { Asking } from '../asking.ts'
import { nameOf } from '../prompts/history.ts'
import type { Metric, Scenario } from '../scenario.ts'
import type { Decision, MetricReading, TurnRecord } from '../state/state.ts'
import type { NewWorld } from '../turn/update-world.ts'
import { byModel, type MetricText } from './by-model.ts'
import { type Converted, converted } from './convert.ts'
import type { MetricValue } from './expression.ts'
import { withoutClaims } from './machine-line.ts'
import { byKeyword, byPattern } from './search-text.ts'
import { type Found, lastMatches } from './timed-match.ts'

export interface MetricParts extends NewWorld {
  readonly scenario: Scenario
  readonly turn: number
  readonly decisions: readonly Decision[]
  readonly asking: Asking
}

/** Every metric in this turn; an unreadable one has a reason instead of a value. */
export async function readMetrics(parts: MetricParts): Promise<readonly MetricReading[]> {
  const { scenario, asking, decisions } = parts
  const wanted = scenario.metrics.flatMap((metric): readonly Wanted[] => {
    const { from, name } = metric
    if (from.kind === 'each_actor')
      return decisions.map(one => ({ metric, name: `${name}.${one.actor}`, texts: textsOf(one, scenario) }))
    if (from.kind === 'actor')
      return [
        {
          ...{ metric, name },
          texts: decisions.filter(({ actor }) => actor === from.actor).flatMap(one => textsOf(one, scenario)),
        },
      ]
    const actions =
      from.kind === 'world'
        ? []
        : decisions.map(({ actor, action }) => ({
            by: `${nameOf(actor, scenario)} did`,
            text: withoutClaims(action),
          }))
    return [{ metric, name, texts: [...actions, { by: 'The narrator tells', text: worldText(parts.world) }] }]
  })
  const matches = matchesOf(wanted)
  return asking.together(wanted, async (one, own) => {
    const { name } = one
    const found = await readOne(one, matches.get(one) ?? null, { ...parts, asking: own })
    return 'value' in found
      ? { name, value: found.value, problem: null }
      : { name, value: null, problem: found.problem }
  })
}

interface Wanted {
  readonly metric: Metric
  readonly name: string
  readonly texts: readonly MetricText[]
}

/** Of metrics that are read by pattern, all together. */
function matchesOf(wanted: readonly Wanted[]): ReadonlyMap<Wanted, Found> {
  const searches = wanted.flatMap(one => {
    const { extraction } = one.metric
    const texts = one.texts.map(({ text }) => text)
    return extraction.kind === 'pattern' ? [{ one, search: { texts, patterns: extraction.patterns } }] : []
  })
  const found = lastMatches(searches.map(({ search }) => search))
  return new Map(searches.map(({ one }, at) => [one, found[at] ?? null]))
}

const textsOf = ({ actor, reasoning, action }: Decision, scenario: Scenario): MetricText[] =>
  [
    { by: `${nameOf(actor, scenario)} thought`, text: reasoning },
    { by: `${nameOf(actor, scenario)} did`, text: action },
  ].filter(({ text }) => text !== '')

/** The narrator's text. */
export const worldText = ({ state, key_changes, consequences }: TurnRecord['world']): string =>
  [state, key_changes, consequences].filter(text => text !== '').join('\n\n')

function readOne({ metric, texts }: Wanted, match: Found, parts: MetricParts): Converted | Promise<Converted> {
  const { extraction } = metric
  switch (extraction.kind) {
    case 'pattern':
      return byPattern(match, metric)
    case 'keyword':
      return byKeyword(
        texts.map(({ text }) => text),
        extraction,
        metric,
      )
    case 'model':
      return byModel(metric, extraction, texts, parts)
    case 'line': {
      const { declared } = parts
      if (declared === null) return { problem: 'the narrator did not end with its line of values' }
      const name = [metric.name, metric.name.toLowerCase()].find(one => Object.hasOwn(declared, one))
      const given = name === undefined ? undefined : declared[name]
      return given === undefined ? { problem: "it is not in the narrator's line of values" } : converted(given, metric)
    }
  }
}

/** The known value of each metric after these turns: a value stays until there is another. */
export function knownAfter(
  turns: readonly Pick<TurnRecord, 'turn' | 'metrics'>[],
  metrics: readonly Metric[],
): ReadonlyMap<string, KnownValue> {
  const known = new Map<string, KnownValue>()
  const sums = new Map<string, { sum: number; count: number }>()
  const how = new Map(metrics.map(({ name, aggregation }) => [name, aggregation]))
  for (const { turn, metrics: readings } of turns)
    for (const { name, value } of readings) {
      if (value === null) continue
      const aggregation = how.get(name) ?? how.get(name.split('.')[0] ?? '') ?? 'last'
      known.set(name, { turn, value: together(aggregation, value, known.get(name)?.value, sums, name) })
    }
  return known
}

export interface KnownValue {
  readonly turn: number
  readonly value: MetricValue
}

function together(
  aggregation: Metric['aggregation'],
  value: MetricValue,
  before: MetricValue | undefined,
  sums: Map<string, { sum: number; count: number }>,
  name: string,
): MetricValue {
  if (typeof value === 'boolean' && typeof before === 'boolean' && (aggregation === 'max' || aggregation === 'min'))
    return aggregation === 'max' ? value || before : value && before
  if (typeof value !== 'number' || aggregation === 'last') return value
  const total = sums.get(name) ?? { sum: 0, count: 0 }
  const { sum, count } = { sum: total.sum + value, count: total.count + 1 }
  sums.set(name, { sum, count })
  if (aggregation === 'sum') return sum
  if (aggregation === 'mean') return sum / count
  if (typeof before !== 'number') return value
  return aggregation === 'max' ? Math.max(before, value) : Math.min(before, value)
}

/** A value as a number, as the journal has it; null: it is a text. */
export function asNumber(value: MetricValue, { categories }: Pick<Metric, 'categories'>): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  const at = categories.indexOf(value)
  return at === -1 ? null : at
}
