import type { Summary, Trajectory } from '../../../models/trajectory/trajectory.ts'
import type { JsonObject } from '../../../util/json.ts'
import { plainOutput } from '../../../util/words.ts'
import type { ShownPrompt, ShownSummary, ShownText, ShownTurn, TrajectoryView } from '../../dataset/turns.ts'
import { fittingTurns, type ViewLimits } from '../fitting-turns.ts'
import { hiddenMessages } from './hidden-messages.ts'
import { promptSpans } from './prompt-spans.ts'
import { cutText, shownTexts } from './shown-texts.ts'
import { turnMarks } from './turn-marks.ts'
import { type Range, turnPlaces } from './turn-places.ts'

/** Per message: more calls in a single answer would not be read. */
const mostTextsOfTurn = 200
const mostNotes = 20

/** A trajectory as a page shows it, from this turn on, as far as it fits. */
export function trajectoryView(
  trajectory: Trajectory,
  of: Pick<TrajectoryView, 'file' | 'bytes'>,
  limits: ViewLimits,
  first = 1,
): TrajectoryView {
  const { history, turns, summaries, agent, exit_status, review_score, totals, notes, subagents } = trajectory
  const places = turnPlaces(trajectory)
  const hidden = hiddenMessages(trajectory, places)
  const firstUses = firstUsesOf(trajectory)
  const textsIn = ({ from, to }: Range): readonly ShownText[] => {
    const texts: ShownText[] = []
    for (let at = from; at < to && texts.length < mostTextsOfTurn; at++) {
      const message = history[at]
      if (message !== undefined) texts.push(...shownTexts(message, limits.text, hidden(at)))
    }
    return texts.slice(0, mostTextsOfTurn)
  }
  const promptAt = (at: number): ShownPrompt | null => {
    const prompt = turns[at]?.prompt ?? null
    return prompt === null ? null : promptSpans(prompt, at, places, summaries)
  }
  const turnAt = (at: number): ShownTurn | null => {
    const turn = turns[at]
    if (turn === undefined) return null
    const { before, own } = places.of(at)
    const { kind, usage, cost_usd, price_usd, inference_ms, execution_ms, started_at } = turn
    return {
      ...{ number: at + 1, kind },
      before: at === 0 ? [] : textsIn(before),
      summaries: (firstUses.get(at) ?? []).map(summary => shownSummary(summary, limits.text)),
      prompt: promptAt(at),
      texts: textsIn(own),
      input_tokens: usage?.input_tokens ?? null,
      cached_input_tokens: usage?.cached_input_tokens ?? null,
      output_tokens: usage?.output_tokens ?? null,
      reasoning_tokens: usage?.reasoning_tokens ?? null,
      ...{ cost_usd, price_usd, inference_ms, execution_ms, started_at },
    }
  }
  const shown = fittingTurns(turnAt, { from: first - 1, to: turns.length }, limits)
  const isToEnd = turns.length === 0 || shown.at(-1)?.number === turns.length
  return {
    ...of,
    agent: agent.version === null ? agent.name : `${agent.name} ${agent.version}`,
    model: agent.model,
    strategy: agent.strategy === null ? null : strategyText(agent.strategy),
    ...{ exit_status, review_score, totals },
    opening: textsIn(turns.length === 0 ? places.rest : places.of(0).before),
    turns: shown,
    map: evenly(turns.length).map(at => ({ number: at + 1, prompt: promptAt(at) })),
    turn_count: turns.length,
    summary_count: summaries.length,
    closing: isToEnd && turns.length > 0 ? textsIn(places.rest) : [],
    unused: isToEnd ? (firstUses.get(-1) ?? []).map(summary => shownSummary(summary, limits.text)) : [],
    marks: turnMarks(trajectory, places),
    subagents: subagents?.length ?? 0,
    notes: notes.slice(0, mostNotes).map(note => plainOutput(note.slice(0, limits.text))),
  }
}

const mostMapped = 100

function evenly(count: number): readonly number[] {
  const step = Math.ceil(count / mostMapped)
  return Array.from({ length: step === 0 ? 0 : Math.ceil(count / step) }, (_, at) => at * step)
}

/** The summaries that first appear in each prompt; under -1 those that appear in none. */
function firstUsesOf({
  turns,
  summaries,
}: Pick<Trajectory, 'turns' | 'summaries'>): ReadonlyMap<number, readonly Summary[]> {
  const first = new Map<number, number>()
  for (const [at, { prompt }] of turns.entries())
    for (const part of prompt ?? []) if ('summary' in part && !first.has(part.summary)) first.set(part.summary, at)
  return Map.groupBy(summaries, (_, at) => first.get(at) ?? -1)
}

function shownSummary({ text, from, to, call }: Summary, most: number): ShownSummary {
  return {
    ...{ from: from + 1, to },
    text: { kind: 'words', name: null, ...cutText(text, most), hidden: null },
    model: call?.model ?? null,
    input_tokens: call?.usage?.input_tokens ?? null,
    output_tokens: call?.usage?.output_tokens ?? null,
    cost_usd: call?.cost_usd ?? null,
  }
}

/** `observation_masking (n 10, polling 1)`. */
function strategyText({ strategy, ...settings }: JsonObject): string {
  const given = Object.entries(settings).filter(([, value]) => value !== null)
  const name = typeof strategy === 'string' ? strategy : 'strategy'
  const words = given.map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return (words.length === 0 ? name : `${name} (${words.join(', ')})`).slice(0, 500)
}
