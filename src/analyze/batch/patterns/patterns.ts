import {
  amountText,
  dollars,
  levelText,
  listed,
  percentText,
  plainNumber,
  pText,
  separated,
} from '../../../util/words.ts'
import type { Bounds } from '../../compare/comparison.ts'
import { type TaskPatterns, taskSentences } from '../../scores/scores.ts'
import type { MeanBounds } from '../../variants.ts'
import type { CostEfficiency } from '../cost-efficiency.ts'
import type { CostPerSuccess, CostStatistics } from '../costs.ts'
import type { RankedVariation, Ranking } from '../ranking/ranking.ts'
import { completing } from '../success.ts'
import type { Association } from './associations.ts'
import type { Concentration } from './concentrations.ts'
import type { FactorContrast } from './factor-contrasts.ts'
import type { FailureMode } from './failure-modes.ts'
import type { HardBlocks } from './hard-blocks.ts'

/** patterns.json. The first eight keys are those of Scenario Lab. */
export interface Patterns {
  /** Factor levels with which runs succeed significantly more or less often. */
  readonly success_factors: readonly FactorContrast[]
  readonly failure_modes: readonly FailureMode[]
  readonly cost_efficiency: readonly CostEfficiency[]
  /** Of the judged runs; null if there were none. */
  readonly success_rate: number | null
  readonly total_runs: number
  readonly successful_runs: number
  readonly failed_runs: number
  readonly best_variation: BestVariation | null
  readonly success_definition: string
  readonly censored_runs: number
  readonly unjudged_runs: number
  readonly success_rate_ci: MeanBounds | null
  /** The rate if all unjudged runs had failed, and if all of them had succeeded. */
  readonly success_rate_bounds: { readonly low: number; readonly high: number }
  readonly cost: CostStatistics
  readonly cost_per_success: CostPerSuccess
  /** Every factor level that was tested, significant or not. */
  readonly factor_contrasts: readonly FactorContrast[]
  readonly metric_associations: readonly Association[]
  readonly failure_concentrations: readonly Concentration[]
  readonly hard_blocks: readonly HardBlocks[]
  /** The flaky tasks, those that separate the variants, and outliers; null: no run is a scored rollout of a task. */
  readonly tasks: TaskPatterns | null
  readonly ranking: Ranking
  /** All of it in sentences, the most important first. */
  readonly findings: readonly Finding[]
  readonly alpha: number
  readonly correction: string
  readonly seed: number
}

/** The first two keys are those of Scenario Lab. */
export interface BestVariation extends Omit<RankedVariation, 'variation_id'> {
  readonly variation_id: number
  readonly success_rate: number | null
  readonly metric: string
  readonly goal: 'maximize' | 'minimize'
  /** The variants that can't be distinguished from it. */
  readonly tied_with: readonly { readonly variation_id: number; readonly description: string }[]
}

/** A finding in one sentence. */
export interface Finding {
  readonly kind:
    | 'success'
    | 'best'
    | 'success_factor'
    | 'failure_mode'
    | 'failure_concentration'
    | 'hard_blocks'
    | 'tasks'
    | 'cost'
    | 'association'
  readonly sentence: string
  /** Found by exploring: a reason to run another experiment, not a result. */
  readonly exploratory: boolean
}

type Facts = Omit<Patterns, 'findings'>

export function findingsOf(facts: Facts): readonly Finding[] {
  const settled = (kind: Finding['kind'], sentences: readonly string[]): Finding[] =>
    sentences.map(sentence => ({ kind, sentence, exploratory: false }))
  const explored = (kind: Finding['kind'], sentences: readonly string[]): Finding[] =>
    sentences.map(sentence => ({ kind, sentence, exploratory: true }))
  return [
    ...settled('success', saysNothing(facts) ? [] : [successSentence(facts)]),
    ...settled('best', bestSentences(facts)),
    ...settled(
      'success_factor',
      facts.success_factors.map(one => factorSentence(one, facts.correction)),
    ),
    ...settled(
      'failure_mode',
      facts.failure_modes.slice(0, 5).map(one => modeSentence(one, facts.total_runs)),
    ),
    ...settled('cost', [costSentence(facts)]),
    ...explored('failure_concentration', facts.failure_concentrations.map(concentrationSentence)),
    ...explored('hard_blocks', facts.hard_blocks.map(blocksSentence)),
    ...explored('tasks', facts.tasks === null ? [] : taskSentences(facts.tasks)),
    ...explored('association', facts.metric_associations.filter(({ is_shown }) => is_shown).map(associationSentence)),
  ]
}

/** As a separate sentence; one that starts with a name keeps its spelling. */
export const sentenceText = ({ kind, sentence }: Finding): string =>
  kind === 'best' || kind === 'association'
    ? `${sentence.replace(/^nothing can be ranked /, 'Nothing can be ranked ')}.`
    : `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`

/** Completing all runs is not a success rate: no metric and no rule judged them. */
const saysNothing = ({ success_definition, successful_runs, total_runs }: Facts): boolean =>
  success_definition === completing && successful_runs === total_runs

function successSentence(facts: Facts): string {
  const { successful_runs, failed_runs, censored_runs, unjudged_runs, success_rate_ci, success_rate_bounds } = facts
  const judged = successful_runs + failed_runs
  const cut = censored_runs === 0 ? [] : [`${runs(censored_runs)} cut off before the end`]
  const unmeasured = unjudged_runs === 0 ? [] : [`${runs(unjudged_runs)} without what the rule asks for`]
  const apart = [...cut, ...unmeasured]
  const { low, high } = success_rate_bounds
  const left =
    apart.length === 0
      ? ''
      : `; not judged: ${apart.join(' and ')} (had all of these failed: ${percentText(low)}, had all succeeded: ${percentText(high)})`
  if (judged === 0) return `no run could be judged${left}`
  const rate = `${percentText(successful_runs / judged)}${ciText(success_rate_ci, percentText, ', ')}`
  const verb = facts.success_definition === completing ? 'completed' : 'succeeded'
  return `${successful_runs} of ${judged} judged runs ${verb}: ${rate}${left}`
}

function bestSentences({ best_variation: best, ranking }: Facts): readonly string[] {
  const how = ranking.metric === 'success' ? 'rate of success' : ranking.metric
  if (ranking.reason !== null) return [`nothing can be ranked on ${how}: ${ranking.reason}`]
  if (best === null || best.mean === null) return []
  const amount = ranking.metric === 'success' ? percentText : amountText(ranking.metric)
  const without =
    best.missing === 0
      ? ''
      : ` (${best.missing} of its ${best.missing + best.count} runs ${ranking.metric === 'success' ? 'not judged' : 'without a value'})`
  const mean = `${amount(best.mean)}${ciText(best.ci, amount, ', ')}${without}`
  const measured = ranking.variations.filter(one => one.mean !== null)
  if (measured.every(one => one.mean === best.mean))
    return [`all ${measured.length} variants have the same mean on ${how}: ${amount(best.mean)}`]
  const goal = ranking.is_goal_known ? ranking.goal : `taken to be better the higher`
  const head = `${best.description} is best on ${how} (${goal}): mean ${mean}`
  const chance =
    best.p_best === null ? '' : `; it comes first in ${percentText(round(best.p_best))} of the redrawn data`
  if (ranking.method === null) return [`${head}; there are too few values to tell it from the others`]
  if (best.tied_with.length === 0) return [`${head}${chance}, and no other is statistically tied with it`]
  return [`${head}${chance}, but ${separated(best.tied_with.map(one => one.description))} can't be told from it`]
}

function factorSentence(contrast: FactorContrast, correction: string): string {
  const { factor, level, with_level, without, risk_difference, ci, matched_on, n, unit, confounded_with } = contrast
  const than = contrast.direction === 'hurts' ? 'less often' : 'more often'
  const points = (value: number) => `${signed(value * 100)} points`
  const design = matched_on.length === 0 ? `${with_level.n} against ${without.n} runs` : `matched on ${n} ${unit}s`
  const p = contrast.p_adjusted ?? contrast.p
  const chance = p === null ? '' : `, ${pText(p)}${contrast.p_adjusted === null ? '' : ` after ${correction}`}`
  const doubt =
    confounded_with.length === 0 ? '' : `; ${listed(confounded_with)} changed along with it, so it may be that instead`
  return `runs with ${factor}=${levelText(level)} succeed ${than} than the others: ${rateText(with_level)} against ${rateText(without)}, a difference of ${points(risk_difference ?? 0)}${ciText(ci, points, ', ')} (${design}${chance})${doubt}`
}

function modeSentence(mode: FailureMode, total: number): string {
  const says = lastWords(mode)
  const counted = { failure: '', censored: ', not judged', unknown: ', not judged' }[mode.counts_as]
  return `${mode.count} of ${total} runs ${mode.outcome === 'completed' ? mode.mode : `ended as "${mode.mode}"`}${counted}${says === null || mode.mode.endsWith(says) ? '' : `: ${says}`}, e.g. ${mode.example_runs[0]}`
}

/** A run's last output; a line of a stack trace is less useful than the error's own message. */
export function lastWords({ last_line, message }: Pick<FailureMode, 'last_line' | 'message'>): string | null {
  const isTrace = last_line !== null && /^at .*:\d+\)?$|^(File|Node\.js) /.test(last_line)
  return isTrace ? (message ?? last_line) : (last_line ?? message)
}

function concentrationSentence({ mode, factor, level, with_level, without, p, p_adjusted }: Concentration): string {
  const share = ({ count, of }: Concentration['with_level']) => `${count} of ${of}`
  return `"${mode}" gathers at ${factor}=${levelText(level)}: ${share(with_level)} runs against ${share(without)} elsewhere (${pText(p_adjusted ?? p)})`
}

function blocksSentence({ block, levels, of }: HardBlocks): string {
  return `no run of any variant succeeded for ${levels.length} of ${of} ${block}s: ${listed(levels)}`
}

function costSentence({ cost, cost_per_success }: Facts): string {
  if (cost.total === null) return 'no run recorded a cost: nothing can be said about cost per success'
  const unknown = cost.missing === 0 ? '' : ` (without ${runs(cost.missing)} of unknown cost)`
  const guessed = cost.assumed === 0 ? '' : `, ${cost.assumed} of them by assumption`
  const spent = `${spentText(cost.total, cost.paid, runs(cost.known))}${guessed}${unknown}`
  const { value, ci, reason } = cost_per_success
  if (value === null) return `${spent}; ${reason ?? 'no run succeeded'}`
  return `${spent}: ${dollars(value)} per success${ciText(ci, dollars, ', ')}${ci === null && reason !== null ? ` (${reason})` : ''}`
}

/**
 * The cost of variants is given at list price; the amount paid is lower because of cached answers, and higher because
 * of judges.
 */
function spentText(price: number, paid: number | null, of: string): string {
  if (paid === null || Math.abs(paid - price) <= 1e-9 * price) return `${dollars(price)} were spent on ${of}`
  const why = paid < price ? 'the rest came from the cache' : 'judges and repeated attempts included'
  return `${of} cost ${dollars(price)} at list price (${dollars(paid)} were paid; ${why})`
}

function associationSentence({ name, probability_higher, ci, p, p_adjusted, n }: Association): string {
  const share = probability_higher ?? 0.5
  const side = share >= 0.5 ? 'higher' : 'lower'
  const often = share >= 0.5 ? share : 1 - share
  const bounds = ci && share < 0.5 ? { ...ci, low: 1 - (ci.high ?? 1), high: 1 - (ci.low ?? 0) } : ci
  return `${name} is ${side} in successful runs: in ${percentText(round(often))} of pairs with a failed one${ciText(bounds, value => percentText(round(value)), ', ')} (${n.success} against ${n.failure} runs, ${pText(p_adjusted ?? p ?? 1)}); it was measured, not set, and may be no cause`
}

/** `, 95% CI 62% to 89%`; empty if there is no interval. */
export function ciText(ci: Bounds | null, text: (value: number) => string, before = ''): string {
  if (ci === null) return ''
  const { level, low, high } = ci
  return `${before}${percentText(round(level))} CI ${low === null ? '−∞' : text(low)} to ${high === null ? '∞' : text(high)}`
}

const runs = (count: number): string => (count === 1 ? '1 run' : `${count} runs`)
const rateText = ({ successes, n, rate }: FactorContrast['with_level']): string =>
  rate === null ? 'none' : `${percentText(rate)} (${successes} of ${n})`
const signed = (value: number): string => `${value < 0 ? '−' : ''}${plainNumber(Math.abs(value))}`
const round = (share: number): number => Number(share.toPrecision(12))
