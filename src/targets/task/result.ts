import { join } from 'node:path'
import { knownMetrics } from '../../define/observation.ts'
import type { RunContext } from '../../define/target.ts'
import type { SpanScope } from '../../models/trace/run-trace.ts'
import { writeWhole } from '../../util/files.ts'
import { type Evaluation, evaluationResults, rubricsOf, standardMetrics } from './evaluate/results-file.ts'
import { passingScore } from './evaluate/score.ts'
import { scoringPage } from './evaluate/scoring-page.ts'

export const resultsFile = 'evaluation_results.json'

/** The files in which people and other programs look for the score. */
export function writeEvaluation(evaluation: Evaluation, dir: string): void {
  writeWhole(join(dir, resultsFile), `${JSON.stringify(evaluationResults(evaluation), null, 2)}\n`)
  writeWhole(join(dir, 'scoring_results.md'), scoringPage(evaluation))
}

/** The metrics of a run. A task's own numbers keep their names; assay's own win where they clash. */
export function reportEvaluation(evaluation: Evaluation, context: Pick<RunContext, 'report'>): void {
  const { score, rewards, custom, agent } = evaluation
  const { total_score: _, passed: __, ...standard } = standardMetrics(evaluation)
  const rubrics = Object.entries(rubricsOf(evaluation)).flatMap(([id, rubric]) =>
    rubric.score === null ? [] : [[`rubric:${id}`, rubric.score] as const],
  )
  const { reward: ___, ...otherRewards } = rewards
  const metrics = {
    ...custom,
    ...otherRewards,
    ...Object.fromEntries(rubrics),
    ...standard,
    ...evaluation.standard,
    agent_s: agent.wall_s,
    ...((agent.calls ?? 0) > 0 && { calls: agent.calls, tokens: agent.tokens_total, tool_calls: agent.tool_calls }),
    ...(score !== null && { score, [knownMetrics.passed]: Number(score >= passingScore) }),
  }
  for (const [metric, value] of Object.entries(metrics))
    if (value !== null && Number.isFinite(value)) context.report({ metric, value, step: null })
}

/** The score of the run's span, and that of each test. */
export function traceEvaluation({ score, tests }: Evaluation, span: Pick<SpanScope, 'score'>): void {
  for (const { name, passed } of tests) span.score({ name, value: Number(passed), passed })
  if (score !== null) span.score({ name: 'score', value: score, passed: score >= passingScore })
}
