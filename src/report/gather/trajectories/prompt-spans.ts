import type { PromptPart, Summary } from '../../../models/trajectory/trajectory.ts'
import type { PromptSpan, ShownPrompt } from '../../dataset/turns.ts'
import type { TurnPlaces } from './turn-places.ts'

/** More pieces could not be distinguished in a strip. */
const mostSpans = 60

/**
 * A prompt as the turns that it contains, in order; there are so many turns before it. Messages before the first turn
 * are not included.
 */
export function promptSpans(
  prompt: readonly PromptPart[],
  earlier: number,
  places: TurnPlaces,
  summaries: readonly Pick<Summary, 'from' | 'to'>[],
): ShownPrompt {
  const spans = prompt
    .flatMap(part => spanOf(part, places, summaries))
    .map(span => ({ ...span, to: Math.min(span.to, earlier) }))
    .filter(({ from, to }) => from <= to)
    .sort((a, b) => a.from - b.from)
  const further = prompt.filter(part => 'message' in part).length
  return { spans: few(joined(spans)), further }
}

function spanOf(
  part: PromptPart,
  places: TurnPlaces,
  summaries: readonly Pick<Summary, 'from' | 'to'>[],
): readonly PromptSpan[] {
  if ('message' in part) return []
  if ('summary' in part) {
    const summary = summaries[part.summary]
    return summary === undefined || summary.to <= summary.from
      ? []
      : [{ from: summary.from + 1, to: summary.to, how: 'summary' }]
  }
  const [from, to] = [places.firstFrom(part.from) + 1, places.turnOf(part.to - 1) + 1]
  return from > to || part.to <= part.from ? [] : [{ from, to, how: part.masked === true ? 'masked' : 'full' }]
}

/** A turn with a masked part counts as masked; a turn that was already listed is not listed again. */
function joined(spans: readonly PromptSpan[]): readonly PromptSpan[] {
  const all: PromptSpan[] = []
  for (const span of spans) {
    const last = all.at(-1)
    if (last === undefined || span.from > last.to) {
      if (last !== undefined && last.how === span.how && span.from === last.to + 1)
        all[all.length - 1] = { ...last, to: span.to }
      else all.push(span)
      continue
    }
    if (last.how === span.how) {
      all[all.length - 1] = { ...last, to: Math.max(last.to, span.to) }
      continue
    }
    const isMaskedEnd = span.how === 'masked' && last.how === 'full' && span.from === last.to
    if (isMaskedEnd) {
      all.pop()
      if (last.from < last.to) all.push({ ...last, to: last.to - 1 })
      all.push(span)
    } else if (span.to > last.to) all.push({ ...span, from: last.to + 1 })
  }
  return all
}

function few(spans: readonly PromptSpan[]): readonly PromptSpan[] {
  if (spans.length <= mostSpans) return spans
  const kept = spans.slice(0, mostSpans - 1)
  const [first, last] = [spans[mostSpans - 1], spans.at(-1)]
  return first === undefined || last === undefined ? kept : [...kept, { from: first.from, to: last.to, how: 'mixed' }]
}
