import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { analysisOf, batchOf } from '../../analyze/batch/analyze-batch.ts'
import { dialectNamed } from '../../define/dialects/registry.ts'
import type { Attempt, RunRecord } from '../../define/observation.ts'
import type { Outcome } from '../../define/outcome.ts'
import { evidenceOf, lastLines } from '../../record/evidence/evidence.ts'
import { canonicalJson, type Json, type JsonObject } from '../../util/json.ts'
import { exactDollars } from '../../util/words.ts'
import { analysisFiles } from '../analysis/analysis.ts'
import type { ExperimentView, FileText, Layout } from './layout.ts'

/**
 * The files of Scenario Lab's batch_runner.py: `batch-config.yaml`, `batch-state.json`, `batch-costs.json`,
 * `batch-summary.json`, and at the end those of its analyzer. A run's own files are written by the target.
 */
export const scenarioBatchLayout: Layout = {
  ofExperiment(view) {
    const batch = batchIn(view)
    return [
      ...configCopy(view),
      json('batch-state.json', stateOf(batch)),
      json('batch-costs.json', costsOf(batch)),
      json('batch-summary.json', summaryOf(batch)),
    ]
  },

  atEnd({ experiment, dir, runs }) {
    if (experiment.kept?.analysis !== true || !runs.some(({ outcome }) => outcome !== null)) return []
    const evidence = evidenceOf(dir, { series: [], attempts: true })
    if (evidence.runs.length === 0) return []
    const analysis = analysisOf(batchOf(evidence, { lastLineOf: lastLines(evidence) }))
    return analysisFiles(analysis, { report: true }).map(([name, text]) => ({ path: `analysis/${name}`, text }))
  },

  unwanted: ({ experiment, runs }) =>
    experiment.kept?.runs === 'failed'
      ? runs.filter(({ state, outcome }) => state === 'completed' && outcome?.kind === 'completed')
      : [],
}

const json = (path: string, value: Json): FileText => ({ path, text: `${JSON.stringify(value, null, 2)}\n` })

/** A copy of the given file, written once: an existing file of that name belongs to the user. */
function configCopy({ dir, experiment: { file } }: ExperimentView): readonly FileText[] {
  if (file === null || existsSync(join(dir, configName))) return []
  const kept = ['.yaml', '.yml', '.json', '.toml'].map(ending => join(dir, `experiment${ending}`)).find(existsSync)
  return kept === undefined ? [] : [{ path: configName, text: readFileSync(kept, 'utf8') }]
}

const configName = 'batch-config.yaml'

/** The runs of the batch as it is defined now, and the numbers that several files share. */
interface BatchFacts {
  readonly view: ExperimentView
  readonly runs: readonly RunRecord[]
  readonly completed: readonly RunRecord[]
  readonly failed: readonly { readonly run: RunRecord; readonly error: string; readonly status: string }[]
  readonly ended: readonly { readonly run: RunRecord; readonly attempt: Attempt }[]
  readonly costs: JsonObject
  readonly start: number | null
  /** Once nothing is left to run. */
  readonly end: number | null
}

function batchIn(view: ExperimentView): BatchFacts {
  const runs = view.runs.filter(run => isDefined(view, run)).toSorted(byNumber)
  const completed = runs.filter(({ state }) => state === 'completed')
  const failed = runs.flatMap(run => {
    const reason = failureOf(view, run)
    return reason === null ? [] : [{ run, ...reason }]
  })
  const attempts = view.runs.flatMap(run => run.attempts.map(attempt => ({ run, attempt })))
  const ended = attempts
    .filter(({ attempt }) => attempt.ended_at !== null)
    .toSorted((a, b) => (a.attempt.ended_at ?? 0) - (b.attempt.ended_at ?? 0) || byNumber(a.run, b.run))
  const start = attempts.reduce<number | null>(
    (least, { attempt: { started_at: at } }) => Math.min(least ?? at, at),
    null,
  )
  const isOver = runs.length > 0 && completed.length + failed.length === runs.length && runs.length >= planned(view)
  const end = isOver ? (ended.at(-1)?.attempt.ended_at ?? null) : null
  const facts = { view, runs, completed, failed, ended, start, end }
  return { ...facts, costs: costSummary(facts) }
}

/**
 * Whether a run belongs to the batch according to its present configuration: names and files of other runs stay, and
 * count for money.
 */
function isDefined({ experiment }: ExperimentView, { params, block }: RunRecord): boolean {
  const { factors, zip, blocks, include } = experiment
  const groups = [...factors.map(factor => [factor]), ...zip]
  const isSame = (one: Json, other: Json) => canonicalJson(one) === canonicalJson(other)
  const varied = new Set(groups.flat().map(({ name }) => name))
  const own = Object.entries(params).filter(([name]) => name !== 'scenario' && !varied.has(name))
  const isIncluded =
    own.length === 0 ||
    include.some(
      row =>
        Object.keys(row).length === own.length &&
        own.every(([name, level]) => [level, [level]].some(one => isSame(one, row[name] ?? null))),
    )
  const isRow = (values: JsonObject, group: readonly { readonly name: string; readonly levels: readonly Json[] }[]) =>
    (group[0]?.levels ?? []).some((_, row) =>
      group.every(({ name, levels }) => isSame(levels[row] ?? null, values[name] ?? null)),
    )
  return isIncluded && blocks.every(one => isRow(block, [one])) && groups.every(group => isRow(params, group))
}

const variations = ({ experiment: { factors, zip, include } }: ExperimentView): number =>
  [...factors, ...zip.flatMap(group => group.slice(0, 1))].reduce(
    (product, { levels }) => product * levels.length,
    1 + include.length,
  )

const runsPerVariation = ({ experiment }: ExperimentView): number => experiment.blocks[0]?.levels.length ?? 1

const planned = (view: ExperimentView): number => variations(view) * runsPerVariation(view)

const idOf = ({ numbers }: RunRecord): number => numbers?.variant ?? 0

const byNumber = (a: RunRecord, b: RunRecord): number =>
  idOf(a) - idOf(b) || (a.numbers?.run ?? 0) - (b.numbers?.run ?? 0)

/**
 * How a run that ended without completing is listed; null: it completed, was never begun, or continues with the next
 * call.
 */
function failureOf({ experiment }: ExperimentView, { state, outcome }: RunRecord) {
  const isListed = outcome !== null && !['completed', 'running', 'pending', 'cancelled', 'stale'].includes(state)
  if (!isListed) return null
  const explained = dialectNamed(experiment.dialect).explain?.(outcome)
  return { error: explained ?? outcome.message ?? outcome.error_class ?? outcome.kind, status: statusOf(outcome) }
}

/** Scenario Lab's words; outcomes that it does not know keep their own names. */
function statusOf({ kind, limit }: Outcome): string {
  if (kind === 'cost_limited') return limit === 'budget_usd' ? 'budget_exceeded' : 'cost_limit_exceeded'
  return kind === 'completed' ? 'success' : kind
}

function stateOf({ view, completed, failed, start, end }: BatchFacts): JsonObject {
  const { experiment } = view
  return {
    experiment_name: experiment.name,
    config_path: experiment.file,
    runs_per_variation: runsPerVariation(view),
    variations: variationsOf(view),
    completed_runs: completed.map(({ name }) => name),
    failed_runs: failed.map(listed),
    start_time: time(start),
    end_time: time(end),
  }
}

const listed = ({ run, error, status }: BatchFacts['failed'][number]): JsonObject => ({
  run_id: run.name,
  error,
  status,
})

/** All variations that were ever planned, so that a number always means the same variation. */
function variationsOf(view: ExperimentView): readonly JsonObject[] {
  const byId = new Map(view.runs.map(run => [idOf(run), run.params]))
  const { variation } = dialectNamed(view.experiment.dialect)
  return [...byId]
    .toSorted(([a], [b]) => a - b)
    .map(([variation_id, params]) => ({ variation_id, ...variation?.(params, view.experiment) }))
}

function costsOf({ ended, costs }: BatchFacts): JsonObject {
  return {
    summary: costs,
    run_costs: ended.map(({ run, attempt }) => ({
      run_id: run.name,
      variation_id: idOf(run),
      cost: attempt.cost_usd,
      success: attempt.outcome?.kind === 'completed' && !attempt.superseded,
      timestamp: time(attempt.ended_at),
    })),
    variation_statistics: Object.fromEntries(
      [...Map.groupBy(ended, ({ run }) => idOf(run))]
        .toSorted(([a], [b]) => a - b)
        .map(([id, own]) => [String(id), variationCosts(own)]),
    ),
  }
}

/** A run counts once, with the cost of all its attempts. */
function variationCosts(own: BatchFacts['ended']): JsonObject {
  const runs = new Set(own.map(({ run }) => run))
  const total = own.reduce<number | null>(
    (sum, { attempt: { cost_usd } }) => (sum === null || cost_usd === null ? null : sum + cost_usd),
    0,
  )
  return {
    total_cost: total,
    num_runs: runs.size,
    successful_runs: [...runs].filter(({ state }) => state === 'completed').length,
    avg_cost_per_run: total === null || runs.size === 0 ? null : total / runs.size,
  }
}

function costSummary({ view, completed, failed, ended, start, end }: Omit<BatchFacts, 'costs'>): JsonObject {
  const { budget_usd, run_budget_usd } = view.experiment.limits
  // If the cost of a part is unknown, the sum of the rest is not a total.
  const spent = ended.every(({ attempt }) => attempt.cost_usd !== null) ? view.summary.cost_usd : null
  return {
    total_spent: spent,
    budget_limit: budget_usd,
    cost_per_run_limit: run_budget_usd,
    remaining_budget: budget_usd === null || spent === null ? null : Math.max(0, budget_usd - spent),
    runs_completed: completed.length,
    runs_failed: failed.length,
    runs_budget_exceeded: failed.filter(({ status }) => status === 'cost_limit_exceeded').length,
    avg_cost_per_run: completed.length === 0 || spent === null ? null : spent / completed.length,
    duration_seconds: start === null ? null : busySeconds(ended),
    start_time: time(start),
    end_time: time(end),
  }
}

/** How long at least one run was running: pauses between two calls don't count. */
function busySeconds(ended: BatchFacts['ended']): number {
  const spans = ended
    .map(({ attempt }) => [attempt.started_at, attempt.ended_at ?? attempt.started_at] as const)
    .toSorted(([a], [b]) => a - b)
  let [total, until] = [0, Number.NEGATIVE_INFINITY]
  for (const [from, to] of spans) {
    total += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return total / 1000
}

function summaryOf({ view, completed, failed, costs }: BatchFacts): JsonObject {
  const { experiment } = view
  const left = planned(view) - completed.length - failed.length
  return {
    experiment_name: experiment.name,
    base_scenario: scenarioOf(view),
    total_variations: variations(view),
    runs_per_variation: runsPerVariation(view),
    total_runs_planned: planned(view),
    runs_completed: completed.length,
    runs_failed: failed.length,
    runs_left: left,
    duration_seconds: costs.duration_seconds ?? null,
    cost_summary: costs,
    failed_runs: failed.map(listed),
    stop_reason: stopReason(view, failed, left),
    rate_limits: view.rates.map(rateLimit),
  }
}

/** How a provider's 429 changed the number of concurrent calls, and what followed. */
function rateLimit({ at, kind, data: { key: _, ms, ...facts } }: ExperimentView['rates'][number]): JsonObject {
  const made = { time: time(at), action: kind.replace('rate_', ''), ...facts }
  return typeof ms === 'number' ? { ...made, seconds: ms / 1000 } : made
}

/**
 * Why the batch does not continue although something is left: its budget, Ctrl-C, `stop`, a rule; null: nothing stops
 * it.
 */
function stopReason(view: ExperimentView, failed: BatchFacts['failed'], left: number): string | null {
  const isWaiting = left > 0 || failed.some(({ status }) => status === 'budget_exceeded')
  if (!isWaiting || view.runs.some(({ state }) => state === 'running')) return null
  const { stopped_by } = view
  const stopped =
    stopped_by === 'interrupted' ? 'Interrupted. Run the same command with --resume to continue.' : stopped_by
  return usedBudget(view, failed) ?? stopped
}

/** Even before the budget stops anything: what is left does not fit into it. */
function usedBudget({ experiment, summary }: ExperimentView, failed: BatchFacts['failed']): string | null {
  const { budget_usd, run_budget_usd } = experiment.limits
  if (budget_usd === null) return null
  const spent = summary.cost_usd
  const isUsed = failed.some(({ status }) => status === 'budget_exceeded') || spent + (run_budget_usd ?? 0) > budget_usd
  if (!isUsed) return null
  const cap = run_budget_usd === null ? '' : ` and a run may cost ${exactDollars(run_budget_usd)}`
  const message = `the budget of ${exactDollars(budget_usd)} has no room for another ${run_budget_usd === null ? 'call' : 'run'}: ${exactDollars(spent)} is spent${cap}`
  const outcome: Outcome = { kind: 'cost_limited', limit: 'budget_usd', message }
  return dialectNamed(experiment.dialect).explain?.(outcome) ?? message
}

const scenarioOf = ({ experiment: { target } }: ExperimentView): Json => target.scenario ?? null

/** In the form that Python reads. */
const time = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString().replace('Z', '+00:00')
