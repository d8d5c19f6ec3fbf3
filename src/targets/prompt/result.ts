import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { usualCalls } from '../../define/models/model-settings.ts'
import type { RunContext } from '../../define/target.ts'
import type { CallTotals } from '../../models/model-call.ts'
import type { SpanScope } from '../../models/trace/span-scope.ts'
import type { CheckedAssertion } from './asserts/check-assertion.ts'
import type { Conversation } from './converse.ts'
import type { Question } from './question.ts'

/** How well an answer holds, all asserts together: the weighted mean, and whether it passed. null: nothing was asserted. */
export function scoreOf(
  held: readonly CheckedAssertion[],
  threshold: number | undefined,
): { readonly score: number; readonly passed: boolean } | null {
  if (held.length === 0) return null
  const weight = held.reduce((sum, one) => sum + one.weight, 0)
  const score = weight === 0 ? 1 : held.reduce((sum, one) => sum + one.weight * one.score, 0) / weight
  return {
    score,
    passed: threshold === undefined ? held.every(one => one.passed || one.weight === 0) : score >= threshold,
  }
}

/** An answer and how well it holds. */
interface ScoredAnswer {
  readonly conversation: Conversation
  readonly held: readonly CheckedAssertion[]
  readonly score: ReturnType<typeof scoreOf>
}

/** The metrics of an answer; what its calls cost is known already. */
export function reportAnswer({ conversation, held, score }: ScoredAnswer, context: Pick<RunContext, 'report'>): void {
  const report = (metric: string, value: number) => context.report({ metric, value, step: null })
  if (score !== null) {
    report('score', score.score)
    report('passed', Number(score.passed))
  }
  for (const [metric, scores] of Object.entries(Object.groupBy(held, one => one.metric ?? '')))
    if (metric !== '' && scores !== undefined)
      report(metric, scores.reduce((sum, one) => sum + one.score, 0) / scores.length)
  report('latency_s', conversation.answers.reduce((sum, { latency_ms }) => sum + latency_ms, 0) / 1000)
}

/** Every assert, and what they come to together, as scores of the run's span. */
export function traceScores({ conversation, held, score }: ScoredAnswer, span: Pick<SpanScope, 'score'>): void {
  const { response_id } = conversation.last
  for (const { metric, type, score: value, passed, reason } of held)
    span.score({ name: metric ?? type, value, passed, explanation: reason, response_id })
  if (score !== null) span.score({ name: 'score', value: score.score, passed: score.passed, response_id })
}

/**
 * What the calls took, also of a run that failed. `price_usd` is what the answer costs, judges apart, whenever it was
 * paid: an answer that was kept has cost nothing now, but it has its price.
 */
export function reportTotals(totals: CallTotals, context: Pick<RunContext, 'report'>): void {
  const report = (metric: string, value: number) => context.report({ metric, value, step: null })
  const { answer, judge } = totals.by_purpose
  if (answer === undefined) return
  report('input_tokens', answer.input_tokens)
  report('output_tokens', answer.output_tokens)
  if (answer.cost_usd !== null) report('price_usd', answer.cost_usd + answer.saved_usd)
  if (totals.saved_usd > 0) report('saved_usd', totals.saved_usd)
  if (judge?.cost_usd != null) report('judge_usd', judge.cost_usd + judge.saved_usd)
}

/** The answer and what it was held to, for whoever wants to see why. Without content where that was asked for. */
export function writeAnswer(
  question: Question,
  conversation: Conversation,
  held: readonly CheckedAssertion[],
  context: Pick<RunContext, 'experiment' | 'makeDirectory'>,
): void {
  const hasContent = (context.experiment.calls ?? usualCalls).trace === 'content'
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
