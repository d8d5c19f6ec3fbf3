import { compileExpression } from '../../../plan/expression/compile.ts'
import type { Actor, Metric } from '../scenario.ts'

/** A value that was read; null is never one of them. */
export type MetricValue = number | boolean | string

/** The values that a metric has: one, or one for each actor. */
export const seriesNames = ({ name, from }: Metric, actors: readonly Pick<Actor, 'short_name'>[]): readonly string[] =>
  from.kind === 'each_actor' ? actors.map(({ short_name }) => `${name}.${short_name}`) : [name]

/** The names that expressions may use: metrics, and the number of the turn. */
export const readableNames = (
  metrics: readonly Metric[],
  actors: readonly Pick<Actor, 'short_name'>[],
): ReadonlySet<string> => new Set(['turn', ...metrics.flatMap(metric => seriesNames(metric, actors))])

/** Whether an expression is true for these values; null: it depends on an unknown one. */
export function holds(
  expression: string,
  {
    known,
    names,
    turn,
  }: { readonly known: ReadonlyMap<string, MetricValue>; readonly names: ReadonlySet<string>; readonly turn: number },
): boolean | null {
  const booleans = [...known].filter(([, value]) => typeof value === 'boolean').map(([name]) => name)
  const text = booleans.reduce(asTruth, expression)
  const compiled = compileExpression(text, names)
  // `==` with null is false, and here null means unknown.
  if ([...compiled.names].some(name => name !== 'turn' && !known.has(name))) return null
  return compiled.test({ turn, ...Object.fromEntries(known) })
}

/** People write `agreement == 1` for true or false. */
const asTruth = (expression: string, name: string): string =>
  expression.replaceAll(
    new RegExp(`(?<![\\w.])${name.replaceAll('.', '\\.')}(\\s*[!=]=\\s*)([01])(?![\\w.])`, 'gu'),
    (_, operator: string, digit: string) => `${name}${operator}${digit === '1'}`,
  )
