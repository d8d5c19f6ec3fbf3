import { type EvidenceMetric, knownMetrics, type Observation, priceOf } from '../../define/observation.ts'
import { compileExpression, type Scope } from '../../plan/expression/compile.ts'
import { AssayError } from '../../util/errors.ts'

/**
 * `success` and `failure` are judged. `censored`: cut by a limit or by the environment before it could be either.
 * `unknown`: it completed, but the metric that the rule needs was not measured. Neither of the last two ever counts as
 * a failure.
 */
export type Judgement = 'success' | 'failure' | 'censored' | 'unknown'

export interface SuccessRule {
  /** As a reader of the report should see it. */
  readonly text: string
  /** The metrics it reads: their correlation with success is no discovery. */
  readonly metrics: ReadonlySet<string>
  judge(run: Observation): Judgement
}

/** Without a rule or a metric for passing, only the outcome of a run is known. */
export const completing = 'the run completed'

/**
 * The definition of success: by default, passing if runs report that, otherwise completing; or an expression, or the
 * name of a metric that is 0 or 1.
 */
export function successRule(
  text: string | null,
  { runs, metrics }: { readonly runs: readonly Observation[]; readonly metrics: readonly EvidenceMetric[] },
): SuccessRule {
  const names = metricNamesOf(runs, metrics)
  // If a run reports whether it passed, that defines success; so does a run that reports why this is unknown.
  if (text === null && runs.some(run => knownMetrics.passed in run.metrics || knownMetrics.passed in run.problems))
    return byMetric(knownMetrics.passed, runs, metrics)
  if (text === null) return { text: completing, metrics: new Set(), judge: run => ended(run) ?? 'success' }
  return names.has(text.trim()) ? byMetric(text.trim(), runs, metrics) : byExpression(text, runs, names)
}

/** The judgement that follows from the outcome alone; undefined for a run that completed. */
function ended({ outcome: { kind } }: Observation): Judgement | undefined {
  return kind === 'completed' ? undefined : kind === 'failed' ? 'failure' : 'censored'
}

function byMetric(name: string, runs: readonly Observation[], metrics: readonly EvidenceMetric[]): SuccessRule {
  const wanted = metrics.find(metric => metric.name === name)?.goal === 'minimize' ? 0 : 1
  const other = runs.map(run => valueIn(run, name)).find(value => value !== null && value !== 0 && value !== 1)
  if (other !== undefined && other !== null)
    throw new AssayError('usage', `--success ${name}: its values are not only 0 and 1, e.g. ${other}`, {
      hint: `say how much is enough, e.g. --success '${quoted(name)} ${wanted === 1 ? '>=' : '<='} ${Number(other.toPrecision(2))}'`,
    })
  return {
    text: `${name} is ${wanted}`,
    metrics: new Set([name]),
    judge(run) {
      const value = valueIn(run, name)
      return ended(run) ?? (value === null ? 'unknown' : value === wanted ? 'success' : 'failure')
    },
  }
}

function byExpression(text: string, runs: readonly Observation[], names: ReadonlySet<string>): SuccessRule {
  const known = new Set([...names, ...facts, 'replicate'])
  for (const run of runs) for (const part of [run.params, run.block]) for (const name in part) known.add(name)
  const expression = compileExpression(text, known)
  // A rule that reads outcomes decides how a timeout counts; otherwise the outcome takes precedence.
  const decidesOutcomes = expression.names.has('outcome')
  return {
    text,
    metrics: new Set([...expression.names].filter(name => names.has(name))),
    judge(run) {
      const early = decidesOutcomes ? undefined : ended(run)
      if (early !== undefined) return early
      const answer = expression.test(scopeOf(run, expression.names))
      return answer === null ? 'unknown' : answer ? 'success' : 'failure'
    },
  }
}

const facts = ['outcome', 'error_class', 'cost_usd', 'wall_s'] as const

/**
 * Only the parts that the rule reads, since it is evaluated for every run. A metric hides a parameter of the same name.
 */
function scopeOf(run: Observation, names: ReadonlySet<string>): Scope {
  const { outcome, wall_s, replicate, params, block } = run
  const own: Scope = { outcome: outcome.kind, error_class: outcome.error_class ?? null, wall_s, replicate }
  // The output of a run that was interrupted or failed is not a result.
  const metrics: Observation['metrics'] = outcome.kind === 'completed' ? run.metrics : {}
  const scope: Record<string, Scope[string]> = {}
  for (const name of names)
    scope[name] = name === 'cost_usd' ? priceOf(run) : (metrics[name] ?? params[name] ?? block[name] ?? own[name])
  return scope
}

function metricNamesOf(runs: readonly Observation[], metrics: readonly EvidenceMetric[]): ReadonlySet<string> {
  const names = new Set(metrics.map(({ name }) => name))
  for (const run of runs) for (const name in run.metrics) names.add(name)
  return names
}

const valueIn = (run: Observation, name: string): number | null => run.metrics[name] ?? null
const quoted = (name: string): string => (/^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) ? name : `\`${name}\``)
