import type { MetricValue, StoryView } from '../../src/report/dataset/turns.ts'

/** The last known value of each metric before each turn, in one pass over the turns. */
export function valuesBefore({
  metrics,
  overview,
}: Pick<StoryView, 'metrics' | 'overview'>): (turn: number) => ReadonlyMap<string, MetricValue> {
  const known = new Map<number, ReadonlyMap<string, MetricValue>>()
  let last: ReadonlyMap<string, MetricValue> = new Map()
  for (const { number, values } of overview) {
    known.set(number, last)
    const read = metrics.flatMap((name, at) => (values[at] == null ? [] : [[name, values[at] ?? null] as const]))
    last = new Map([...last, ...read])
  }
  return turn => known.get(turn) ?? new Map()
}
