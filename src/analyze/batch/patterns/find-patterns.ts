import { rolloutsOf, type TaskPatterns, taskPatternsOf, taskScoresOf } from '../../scores/scores.ts'
import { type Batch, successIn } from '../batch.ts'
import { costEfficiency } from '../cost-efficiency.ts'
import { costPerSuccessOf, costStatistics } from '../costs.ts'
import { type Ranking, rankVariants } from '../ranking/ranking.ts'
import type { VariationStatistics } from '../statistics.ts'
import { associations } from './associations.ts'
import { concentrations } from './concentrations.ts'
import { factorContrasts, withJointBatch } from './factor-contrasts.ts'
import { failureModes } from './failure-modes.ts'
import { hardBlocks } from './hard-blocks.ts'
import { type BestVariation, findingsOf, type Patterns } from './patterns.ts'

/** What correlates with success and failure, and the costs. */
export function findPatterns(batch: Batch, variations: VariationStatistics): Patterns {
  const { evidence, rule, alpha, correction, drawing } = batch
  const { runs } = evidence
  const { tally, rate, ci } = successIn(batch, runs)
  const joint = withJointBatch(batch)
  const contrasts = factorContrasts(joint)
  const modes = failureModes(joint)
  const ranking = rankVariants(batch, batch.main)
  const total = runs.length
  const facts: Omit<Patterns, 'findings'> = {
    success_factors: contrasts.filter(({ is_shown }) => is_shown),
    failure_modes: modes.map(({ mode }) => mode),
    cost_efficiency: costEfficiency(variations),
    success_rate: rate,
    total_runs: total,
    successful_runs: tally.success,
    failed_runs: tally.failure,
    best_variation: bestOf(ranking, variations),
    success_definition: rule.text,
    censored_runs: tally.censored,
    unjudged_runs: tally.unknown,
    success_rate_ci: ci,
    success_rate_bounds: {
      low: tally.success / total,
      high: (tally.success + tally.censored + tally.unknown) / total,
    },
    cost: costStatistics(runs),
    cost_per_success: costPerSuccessOf(batch, runs),
    factor_contrasts: contrasts,
    metric_associations: associations(joint),
    failure_concentrations: concentrations(joint, modes),
    hard_blocks: hardBlocks(batch),
    tasks: tasksOf(batch),
    ranking,
    alpha,
    correction,
    seed: drawing.seed,
  }
  return { ...facts, findings: findingsOf(facts) }
}

/** Only if runs are rollouts of tasks: a seed is not a task. */
function tasksOf({ evidence: { blocks, runs } }: Batch): TaskPatterns | null {
  if (!blocks.includes('task') || !runs.some(({ metrics }) => metrics.score !== undefined)) return null
  return taskPatternsOf(taskScoresOf(rolloutsOf(runs)))
}

function bestOf({ variations, metric, goal, reason }: Ranking, statistics: VariationStatistics): BestVariation | null {
  const [best, ...others] = variations
  if (reason !== null || best === undefined || best.mean === null || others.length === 0) return null
  const { variation_id, ...rest } = best
  return {
    variation_id,
    success_rate: statistics[variation_id]?.success_rate ?? null,
    ...rest,
    metric,
    goal,
    tied_with: others
      .filter(({ is_tied_with_best }) => is_tied_with_best)
      .map(({ variation_id, description }) => ({ variation_id, description })),
  }
}
