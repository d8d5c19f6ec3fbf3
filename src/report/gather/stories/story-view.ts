import type {
  CallRecord,
  CheckResult,
  Coalition,
  StoryHead,
  TurnRecord,
} from '../../../targets/scenario/state/state.ts'
import { plainOutput } from '../../../util/words.ts'
import type {
  MetricValue,
  OverviewRow,
  StoryCalls,
  StoryCheck,
  StoryCoalition,
  StoryText,
  StoryTurn,
  StoryView,
} from '../../dataset/turns.ts'
import { fittingTurns, type ViewLimits } from '../fitting-turns.ts'
import { cutText } from '../trajectories/shown-texts.ts'
import { mark, storyMarks } from './story-marks.ts'

/** Per kind and turn: more would not be read. */
const mostInTurn = 100
/** For names, values and remarks, which are a few words. */
const mostOfName = 120
const mostOfRemark = 400
/** In the overview: each turn shows all of its own. */
const mostMetrics = 20
/** Nobody looks for the first difference beyond this many turns. */
const mostMarked = 2000

/** Turns in order, as far as they could be read. */
export interface ReadTurns {
  readonly turns: readonly TurnRecord[]
  readonly unread: StoryView['unread']
}

/** A run of a scenario as a page shows it. A later page has no overview: the first one covers all turns. */
export function storyView(
  file: string,
  head: StoryHead,
  { turns, unread }: ReadTurns,
  limits: ViewLimits,
  isFirst = true,
): StoryView {
  const cut = cutter(limits.text)
  const metrics = metricNames(turns)
  const calls = turns.flatMap(record => record.calls)
  const turnAt = (at: number): StoryTurn | null => {
    const record = turns[at]
    return record === undefined ? null : shownTurn(record, cut)
  }
  const { scenario_name, status, halt_reason, success, seed, branched_from, actors } = head
  return {
    ...{ file, scenario: name(scenario_name), status, halt_reason: halt_reason && name(halt_reason), success, seed },
    branched_from: branched_from === null ? null : { ...branched_from, run: plainOutput(branched_from.run) },
    actors: Object.entries(actors).map(([short_name, actor]) => ({
      ...{ short_name: name(short_name), name: name(actor.name) },
      model: actor.llm_model == null ? null : name(actor.llm_model),
    })),
    opening: cut(head.initial_world_state),
    turns: fittingTurns(turnAt, { from: 0, to: turns.length }, limits),
    turn_count: head.current_turn,
    total_turns: head.total_turns,
    unread,
    calls: calls.length,
    price_usd: unread.length > 0 ? null : priceOf(calls),
    metrics: isFirst ? metrics : [],
    overview: isFirst ? turns.slice(0, limits.turns).map(record => overviewRow(record, metrics)) : [],
    marks: storyMarks(
      head.initial_world_state,
      isFirst ? turns.slice(0, mostMarked).filter(({ turn }, at) => turn === at + 1) : [],
    ),
  }
}

const metricNames = (turns: readonly TurnRecord[]): readonly string[] =>
  [...new Set(turns.flatMap(({ metrics }) => metrics.map(one => one.name)))].slice(0, mostMetrics)

function overviewRow({ turn, metrics, calls }: TurnRecord, names: readonly string[]): OverviewRow {
  const values = new Map(metrics.map(one => [one.name, one.value]))
  return {
    number: turn,
    values: names.map(one => shownValue(values.get(one) ?? null)),
    calls: calls.length,
    price_usd: priceOf(calls),
  }
}

type Cut = (text: string) => StoryText

const cutter =
  (most: number): Cut =>
  text => {
    const shown = cutText(text, most)
    return { ...shown, mark: shown.left === 0 ? null : mark(text) }
  }

function shownTurn(record: TurnRecord, cut: Cut): StoryTurn {
  let left = 0
  const few = <T>(all: readonly T[]): readonly T[] => {
    left += Math.max(0, all.length - mostInTurn)
    return all.slice(0, mostInTurn)
  }
  const { turn, summary, world } = record
  return {
    number: turn,
    events: few(record.events).map(event => ({ name: name(event.name), text: cut(event.text) })),
    summary: summary === null ? null : { through: summary.through, text: cut(summary.text) },
    talks: few(record.talks).map(({ from, to, message, answer }) => ({
      ...{ from: name(from), to: name(to), message: cut(message), answer: cut(answer) },
    })),
    coalitions: few(record.coalitions).map(one => shownCoalition(one, cut)),
    decisions: few(record.decisions).map(decision => ({
      actor: name(decision.actor),
      long_term_goals: cut(decision.long_term_goals),
      short_term_goals: cut(decision.short_term_goals),
      reasoning: cut(decision.reasoning),
      action: cut(decision.action),
    })),
    world: {
      state: cut(world.state),
      key_changes: cut(world.key_changes),
      consequences: cut(world.consequences),
    },
    metrics: few(record.metrics).map(one => ({
      name: name(one.name),
      value: shownValue(one.value),
      problem: one.problem === null ? null : remark(one.problem),
    })),
    checks: few(record.checks).map(one => shownCheck(one, cut)),
    remarks: few(record.remarks).map(remark),
    calls: callsOf(record.calls),
    left,
  }
}

function shownCoalition(
  { proposer, members, purpose, answers, is_formed, messages }: Coalition,
  cut: Cut,
): StoryCoalition {
  return {
    proposer: name(proposer),
    members: members.slice(0, mostInTurn).map(name),
    purpose: cut(purpose),
    answers: answers
      .slice(0, mostInTurn)
      .map(({ actor, accepts, reason }) => ({ actor: name(actor), accepts, reason: cut(reason) })),
    is_formed,
    messages: messages.slice(0, mostInTurn).map(({ actor, text }) => ({ actor: name(actor), text: cut(text) })),
  }
}

function shownCheck(
  { check, actor, passed, severity, issues, explanation, reaction }: CheckResult,
  cut: Cut,
): StoryCheck {
  return {
    check: name(check),
    actor: actor === null ? null : name(actor),
    ...{ passed, severity, reaction },
    text: cut([...issues, explanation].filter(part => part.trim() !== '').join('\n')),
  }
}

/** In order of appearance. */
const callsOf = (calls: readonly CallRecord[]): readonly StoryCalls[] =>
  [...Map.groupBy(calls, ({ purpose }) => purpose)].slice(0, mostInTurn).map(([purpose, own]) => ({
    purpose: name(purpose),
    calls: own.length,
    input_tokens: own.reduce((sum, one) => sum + one.input_tokens, 0),
    output_tokens: own.reduce((sum, one) => sum + one.output_tokens, 0),
    price_usd: priceOf(own),
  }))

const priceOf = (calls: readonly CallRecord[]): number | null =>
  calls.reduce<number | null>((sum, { cost_usd }) => (sum === null || cost_usd === null ? null : sum + cost_usd), 0)

const name = (text: string): string => short(text, mostOfName)
const remark = (text: string): string => short(text, mostOfRemark)
const shownValue = (value: MetricValue): MetricValue => (typeof value === 'string' ? name(value) : value)

function short(text: string, most: number): string {
  const plain = plainOutput(text.slice(0, most))
  return text.length > most ? `${plain}…` : plain
}
