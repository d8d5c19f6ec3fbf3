import type { TracedSpan, TraceLine } from '../../models/trace/read-trace.ts'

/** A span of a trace, with its depth. */
export interface PlacedSpan {
  readonly span: TracedSpan
  readonly depth: number
}

/**
 * The spans of a trace in the order in which they began, each after its parent; a file has them in the order in which
 * they ended. Traces of earlier versions have no parents and stay as they are. The run's own span is left out unless it
 * says more than that there was a run.
 */
export function* spanTree(lines: Iterable<TraceLine>): Generator<PlacedSpan> {
  const spans = [...lines].flatMap(line => ('reason' in line ? [] : [line]))
  const ids = new Set(spans.map(({ stored }) => stored.spanId))
  const below = Map.groupBy(spans, ({ stored }) => {
    const { parentSpanId } = stored
    return typeof parentSpanId === 'string' && ids.has(parentSpanId) ? parentSpanId : null
  })
  const seen = new Set<TracedSpan>()
  const walk = function* (from: readonly TracedSpan[]): Generator<PlacedSpan> {
    // With an explicit stack: another program may send spans nested a hundred thousand deep.
    const stack = inOrder(from).map(span => ({ span, depth: 0 }))
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (seen.has(next.span)) continue
      seen.add(next.span)
      const isShown = !isPlainRun(next.span)
      if (isShown) yield next
      const { spanId } = next.span.stored
      const inner = typeof spanId === 'string' ? (below.get(spanId) ?? []) : []
      const depth = next.depth + (isShown ? 1 : 0)
      for (const span of inOrder(inner)) stack.push({ span, depth })
    }
  }
  yield* walk(below.get(null) ?? [])
  // Spans that are each other's ancestors have no root.
  for (const span of spans) if (!seen.has(span)) yield* walk([span])
}

/** The first one last, for a stack; spans that began together stay in the order of the file. */
const inOrder = (spans: readonly TracedSpan[]): readonly TracedSpan[] =>
  [...spans].sort((a, b) => startOf(a) - startOf(b)).reverse()

const startOf = ({ stored }: TracedSpan): number => Number(stored.startTimeUnixNano ?? 0) || 0

const isPlainRun = ({ stored, origin }: TracedSpan): boolean => {
  const { name, parentSpanId, events, status, attributes } = stored
  if (origin !== null || parentSpanId !== undefined || !/^run\b/.test(String(name))) return false
  const isRun = JSON.stringify(attributes ?? []).includes('"assay.run"')
  return isRun && events === undefined && !JSON.stringify(status ?? {}).includes('"code":2')
}
