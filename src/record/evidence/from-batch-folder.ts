import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { type Evidence, type Observation, observed } from '../../define/observation.ts'
import type { Outcome } from '../../define/outcome.ts'
import type { Series } from '../../define/run.ts'
import { readRegular } from '../../util/files.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'

/** Whether a folder contains a batch of Scenario Lab: `runs/var-001-run-001` and so on, and no journal. */
export const isBatchFolder = (dir: string): boolean => !existsSync(join(dir, 'journal.db')) && runsIn(dir).length > 0

/** The runs of such a folder, in the formats of its first and its second version. */
export function evidenceOfBatchFolder(
  dir: string,
  { series }: { readonly series: 'all' | readonly string[] },
): Evidence {
  const state = batchState.safeParse(jsonIn(join(dir, 'batch-state.json'))).data ?? {}
  const source = basename(dir)
  const variations = new Map((state.variations ?? []).map(one => [one.variation_id, paramsOf(one)]))
  const runs = runsIn(dir).map(({ name, variation, run }): Observation => {
    const folder = join(dir, 'runs', name)
    const { metrics, points, problems } = metricsIn(jsonIn(join(folder, 'metrics.json')))
    const files = runFiles(folder)
    const cost = costIn(jsonIn(join(folder, 'costs.json')))
    return observed({
      ...{ name, source, metrics, problems, cost_usd: cost, replicate: run, place: `runs/${name}` },
      params: variations.get(variation) ?? (variations.size === 0 ? { variation } : {}),
      numbers: { variant: variation, run },
      outcome: outcomeOf(name, files, state),
      series: series === 'all' ? points : points.filter(({ metric }) => series.includes(metric)),
    })
  })
  const factors = [...new Set(runs.flatMap(({ params }) => Object.keys(params)))]
  return {
    runs,
    metrics: [],
    blocks: [],
    factors,
    levels: {},
    baseline: null,
    sources: [
      {
        name: source,
        ...(state.experiment_name !== undefined && { title: state.experiment_name }),
        path: dir,
        planned: plannedIn(dir, state),
        kind: 'table',
      },
    ],
  }
}

const runName = /^var-(\d+)-run-(\d+)$/

function runsIn(dir: string): readonly { readonly name: string; readonly variation: number; readonly run: number }[] {
  const folder = join(dir, 'runs')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .flatMap(entry => {
      const [name, variation, run] = entry.isDirectory() ? (runName.exec(entry.name) ?? []) : []
      return name === undefined ? [] : [{ name, variation: Number(variation), run: Number(run) }]
    })
    .toSorted((a, b) => a.variation - b.variation || a.run - b.run)
}

/** A missing or malformed file is null: a run may have ended before writing it. */
function jsonIn(file: string): Json {
  const text = readRegular(file)
  if (text === null) return null
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

const batchState = z.lazy(() =>
  z.object({
    experiment_name: z.string().optional().catch(undefined),
    completed_runs: z.array(z.string()).optional(),
    failed_runs: z
      .array(z.object({ run_id: z.string(), error: z.string().nullish(), status: z.string().nullish() }))
      .optional(),
    runs_per_variation: z.number().optional(),
    variations: z
      .array(
        z.object({
          variation_id: z.number(),
          modifications: z
            .object({
              actor_models: z.record(z.string(), z.string()).optional(),
              scenario_overrides: z.record(z.string(), z.json()).optional(),
            })
            .optional(),
        }),
      )
      .optional(),
  }),
)

type BatchState = z.output<typeof batchState>

/** Under the names that the same variation has in assay. */
function paramsOf({ modifications = {} }: NonNullable<BatchState['variations']>[number]): JsonObject {
  const models = Object.entries(modifications.actor_models ?? {}).map(([actor, model]) => [
    `actors.${actor}.model`,
    model,
  ])
  const others = Object.entries(modifications.scenario_overrides ?? {}).map(([key, value]) => [
    `scenario.${key}`,
    value,
  ])
  return Object.fromEntries([...models, ...others])
}

function plannedIn(dir: string, { variations, runs_per_variation }: BatchState): number | null {
  const summary = jsonIn(join(dir, 'batch-summary.json'))
  if (isJsonObject(summary) && typeof summary.total_runs_planned === 'number') return summary.total_runs_planned
  return variations === undefined || runs_per_variation === undefined ? null : variations.length * runs_per_variation
}

/** The first version writes the cost into `totals`, the second next to the calls. */
function costIn(costs: Json): number | null {
  if (!isJsonObject(costs)) return null
  const { total_cost, totals } = costs
  if (typeof total_cost === 'number') return total_cost
  return isJsonObject(totals) && typeof totals.total_cost_usd === 'number' ? totals.total_cost_usd : null
}

interface MetricsRead {
  readonly metrics: { readonly [metric: string]: number }
  readonly points: readonly Series[]
  readonly problems: { readonly [metric: string]: string }
}

interface Point {
  readonly metric: string
  readonly turn: number
  readonly value: Json
}

function metricsIn(file: Json): MetricsRead {
  const points = Array.isArray(file) ? file.flatMap(pointOf) : isJsonObject(file) ? pointsByTurn(file) : []
  const finals = isJsonObject(file) && isJsonObject(file.final_metrics) ? Object.entries(file.final_metrics) : []
  const byMetric = Map.groupBy(points, ({ metric }) => metric)
  // A metric that only earlier turns have is missing from the final ones.
  const last = [...byMetric].map(
    ([metric, own]) => [metric, own.toSorted((a, b) => a.turn - b.turn).at(-1)?.value ?? null] as const,
  )
  const all = new Map<string, Json>([...last, ...finals])
  return {
    metrics: Object.fromEntries([...all].flatMap(([name, value]) => (isNumeric(value) ? [[name, Number(value)]] : []))),
    problems: Object.fromEntries(
      [...all].flatMap(([name, value]) => (isNumeric(value) ? [] : [[name, unreadable(value)]])),
    ),
    points: [...byMetric].flatMap(([metric, own]) => {
      const numbers = own.filter(({ value }) => isNumeric(value)).toSorted((a, b) => a.turn - b.turn)
      const [steps, values] = [numbers.map(({ turn }) => turn), numbers.map(({ value }) => Number(value))]
      return numbers.length === 0 ? [] : [{ metric, steps, values }]
    }),
  }
}

const unreadable = (value: Json): string =>
  value === null ? 'no value was recorded' : `not a number: ${JSON.stringify(value)}`

function pointOf(entry: Json): readonly Point[] {
  if (!isJsonObject(entry) || typeof entry.name !== 'string') return []
  const actor =
    isJsonObject(entry.metadata) && typeof entry.metadata.actor === 'string' ? `.${entry.metadata.actor}` : ''
  return [{ metric: `${entry.name}${actor}`, turn: Number(entry.turn ?? 0), value: entry.value ?? null }]
}

const pointsByTurn = ({ metrics_by_turn }: JsonObject): readonly Point[] =>
  Object.entries(isJsonObject(metrics_by_turn) ? metrics_by_turn : {}).flatMap(([turn, values]) =>
    Object.entries(isJsonObject(values) ? values : {}).map(([metric, value]) => ({
      metric,
      turn: Number(turn),
      value,
    })),
  )

const isNumeric = (value: Json): boolean =>
  typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

interface RunFiles {
  readonly status: string | null
  readonly reason: string | null
  readonly error: string | null
  readonly turn: number | null
  readonly turns: number | null
}

function runFiles(folder: string): RunFiles {
  const all = ['scenario-state.json', 'scenario-state-v2.json'].map(name => jsonIn(join(folder, name)))
  const [state = {}] = all.filter(one => isJsonObject(one))
  const { scenario_config: config } = state
  const number = (...values: readonly (Json | undefined)[]) => values.find(value => typeof value === 'number') ?? null
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : null)
  const { num_turns, turns } = isJsonObject(config) ? config : {}
  return {
    status: text(state.status),
    reason: text(state.halt_reason),
    error: text(state.error),
    turn: number(state.current_turn, state.turn),
    // The key for the number of turns; the second version plays 10 turns if it finds none that it knows.
    turns: number(state.total_turns, num_turns, turns),
  }
}

/**
 * How a run ended. Its own state overrides the batch's list: the first version lists halted runs as completed, and the
 * second never records that a run has reached its end.
 */
function outcomeOf(name: string, files: RunFiles, state: BatchState): Outcome {
  const { status, reason, error, turn, turns } = files
  const failed = state.failed_runs?.findLast(({ run_id }) => run_id === name)
  const isListed = state.completed_runs?.includes(name) ?? false
  if (status === 'completed') return { kind: 'completed' }
  if (status === 'failed') return { kind: 'failed', message: error ?? failed?.error ?? 'failed' }
  if (status === 'halted' || status === 'paused') return haltedBy(reason, error ?? failed?.error ?? null)
  if (failed !== undefined && !isListed)
    return failed.status === 'cost_limit_exceeded' || failed.status === 'budget_exceeded'
      ? { kind: 'cost_limited', message: failed.error ?? failed.status }
      : { kind: 'failed', message: failed.error ?? 'failed' }
  if (isListed && turn !== null && turn > 0 && (turns === null || turn >= turns)) return { kind: 'completed' }
  if (isListed && turn === null && status === null) return { kind: 'failed', message: 'it left no scenario-state.json' }
  return {
    kind: 'cancelled',
    message: turn === null ? 'it left no state' : `its state says "${status}" after turn ${turn}`,
  }
}

const reasons: { readonly [reason: string]: Outcome['kind'] } = {
  credit_limit: 'cost_limited',
  rate_limit: 'rate_limited',
  api_error: 'infra_error',
  error: 'failed',
  timeout: 'timed_out',
}

const haltedBy = (reason: string | null, error: string | null): Outcome => ({
  kind: reasons[reason ?? ''] ?? 'cancelled',
  message: error ?? `halted: ${reason ?? 'no reason was given'}`,
})
