import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultCalls } from '../../define/models/model-settings.ts'
import { knownMetrics } from '../../define/observation.ts'
import type { RunContext } from '../../define/target.ts'
import type { CallTotals } from '../../models/model-call.ts'
import type { SpanScope } from '../../models/trace/run-trace.ts'
import type { CheckedAssertion, scoreOf } from './asserts/check-assertion.ts'
import type { Conversation } from './converse.ts'
import type { Question } from './question.ts'

/** An answer with its scores. */
interface ScoredAnswer {
  readonly conversation: Conversation
  readonly held: readonly CheckedAssertion[]
  readonly score: ReturnType<typeof scoreOf>
  /** A person's verdict on the answer; null: none. */
  readonly label: boolean | null
}

/** The metrics of an answer; the cost of its calls is already known. */
export function reportAnswer(
  { conversation, held, score, label }: ScoredAnswer,
  context: Pick<RunContext, 'report'>,
): void {
  const report = (metric: string, value: number) => context.report({ metric, value, step: null })
  if (score !== null) {
    report('score', score.score)
    report(knownMetrics.passed, Number(score.passed))
  }
  for (const [metric, scores] of ownMetrics(held)) report(metric, mean(scores))
  const judges = verdictsByJudge(held)
  // A single judge without a comparison is already in the score.
  if (judges.size > 1 || label !== null)
    for (const [judge, passes] of judges) report(`${knownMetrics.judge}${judge}`, Number(passes.every(Boolean)))
  if (label !== null) report(knownMetrics.label, Number(label))
  report('latency_s', conversation.answers.reduce((sum, { latency_ms }) => sum + latency_ms, 0) / 1000)
}

/** Every assert, and their total, as scores of the run's span. */
export function traceScores({ conversation, held, score }: ScoredAnswer, span: Pick<SpanScope, 'score'>): void {
  const { response_id } = conversation.last
  for (const { metric, type, score: value, passed, reason } of held)
    span.score({ name: metric ?? type, value, passed, explanation: reason, response_id })
  if (score !== null) span.score({ name: 'score', value: score.score, passed: score.passed, response_id })
}

const flat = (held: readonly CheckedAssertion[]): readonly CheckedAssertion[] =>
  held.flatMap(one => [one, ...flat(one.asserts ?? [])])

/** Scores under the names that asserts and functions give them. */
function ownMetrics(held: readonly CheckedAssertion[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  const add = (name: string, score: number) => void found.set(name, [...(found.get(name) ?? []), score])
  for (const { metric, score, named = {} } of flat(held)) {
    if (metric !== undefined) add(metric, score)
    for (const [name, value] of Object.entries(named)) add(name, value)
  }
  return found
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** For each judge of a panel, and for a single one, whether it passed each rubric. */
function verdictsByJudge(held: readonly CheckedAssertion[]): ReadonlyMap<string, readonly boolean[]> {
  const found = new Map<string, boolean[]>()
  for (const { judges = [] } of flat(held))
    for (const { judge, passed } of judges) found.set(judge, [...(found.get(judge) ?? []), passed])
  return found
}

/**
 * What the calls used, even in a failed run. `price_usd` is the price of the answer without judges, whenever it was
 * paid: a cached answer has cost nothing now, but it has its price.
 */
export function reportTotals(totals: CallTotals, context: Pick<RunContext, 'report'>): void {
  const report = (metric: string, value: number) => context.report({ metric, value, step: null })
  const { answer, judge } = totals.by_purpose
  if (answer === undefined) return
  report('input_tokens', answer.input_tokens)
  report('output_tokens', answer.output_tokens)
  if (answer.price_usd !== null) report('price_usd', answer.price_usd)
  if (totals.saved_usd > 0) report('saved_usd', totals.saved_usd)
  if (judge?.price_usd != null) report('judge_usd', judge.price_usd)
}

/** The answer and its asserts, so that people can see why it passed or not. Without content if that was requested. */
export function writeAnswer(
  question: Question,
  conversation: Conversation,
  held: readonly CheckedAssertion[],
  context: Pick<RunContext, 'experiment' | 'makeDirectory'>,
): void {
  const hasContent = (context.experiment.calls ?? defaultCalls).trace === 'content'
  const { out_dir } = context.makeDirectory()
  const { prompt, model, test } = question
  const answers = conversation.answers.map(({ model_id, finish, is_cached, latency_ms, cost_usd, usage }) => ({
    ...{ model_id, finish, is_cached, latency_ms, cost_usd, usage },
  }))
  const asserts = held.map(({ reason, ...one }) => (hasContent ? { ...one, reason } : one))
  const facts = { prompt, model, case: test?.id ?? null, answers, asserts }
  writeFileSync(join(out_dir, 'answer.json'), `${JSON.stringify(facts, null, 2)}\n`)
  if (hasContent) writeFileSync(join(out_dir, 'answer.txt'), `${conversation.last.text}\n`)
}
