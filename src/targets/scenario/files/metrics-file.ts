import { type KnownValue, knownAfter } from '../metrics/read-metrics.ts'
import type { Scenario } from '../scenario.ts'
import type { PlayedTurns } from '../state/state.ts'

/**
 * `metrics.json`, with the keys of Scenario Lab, and additionally the turn of each final value and the reasons for
 * missing ones.
 */
export function metricsFile({ turns }: PlayedTurns, scenario: Scenario, success: boolean | null): object {
  const known = knownAfter(turns, scenario.metrics)
  const names = [...new Set(turns.flatMap(({ metrics }) => metrics.map(({ name }) => name)))]
  return {
    scenario: scenario.name,
    metrics_definitions: Object.fromEntries(
      scenario.metrics.map(({ name, description, type, unit, aggregation, extraction }) => [
        name,
        { description, type, unit, aggregation, extraction_method: extraction.kind },
      ]),
    ),
    metrics_by_turn: Object.fromEntries(
      turns.map(({ turn, metrics }) => [
        String(turn),
        Object.fromEntries(metrics.flatMap(({ name, value }) => (value === null ? [] : [[name, value]]))),
      ]),
    ),
    final_metrics: Object.fromEntries([...known].map(([name, { value }]) => [name, value])),
    final_metrics_turn: Object.fromEntries([...known].map(([name, { turn }]) => [name, turn])),
    unread_metrics: Object.fromEntries(
      names.filter(name => !known.has(name)).map(name => [name, lastProblem(name, turns)]),
    ),
    problems: turns.flatMap(({ turn, metrics }) =>
      metrics.flatMap(({ name, problem }) => (problem === null ? [] : [{ turn, metric: name, problem }])),
    ),
    summary_statistics: Object.fromEntries(names.flatMap(name => statistics(name, turns, known))),
    success,
  }
}

const lastProblem = (name: string, turns: PlayedTurns['turns']): string =>
  turns.flatMap(({ metrics }) => metrics).findLast(one => one.name === name)?.problem ?? 'no turn was played'

function statistics(
  name: string,
  turns: PlayedTurns['turns'],
  known: ReadonlyMap<string, KnownValue>,
): readonly (readonly [string, object])[] {
  if (!known.has(name)) return []
  const values = turns.flatMap(({ metrics }) =>
    metrics.flatMap(one => (one.name === name && one.value !== null ? [one.value] : [])),
  )
  const numbers = values.flatMap(value => (typeof value === 'string' ? [] : [Number(value)]))
  if (numbers.length === 0) return []
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length
  return [[name, { min: Math.min(...numbers), max: Math.max(...numbers), mean, count: numbers.length, values }]]
}
