import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { type Rollout, rolloutOf, varyingNames } from '../../analyze/scores/scores.ts'
import type { RunRecord } from '../../define/observation.ts'
import { asExperimentDirectory } from '../../record/places.ts'
import { folderOf, recordedRuns } from '../../record/read/observations.ts'
import { inFileOrder } from '../../report/layouts/layouts.ts'
import { readRegular } from '../../util/files.ts'
import { withJournal } from '../experiment/with-journal.ts'

/** One run of a benchmark with what its evaluation says. */
export interface SeriesRun extends Rollout {
  readonly run: string
  /** The score by its tests, and the judge's; null: there is none. */
  readonly unit: number | null
  readonly lm: number | null
  /** null: the agent calls models without the proxy, uncounted. */
  readonly tokens: number | null
  readonly tools: number | null
  /** The rewards of its tests, by name; empty if they only gave passes. */
  readonly rewards: Readonly<Record<string, number>>
  /** Why it has no score; null if it has one, or has not ended. */
  readonly reason: string | null
  /** How it was isolated; null: unknown. */
  readonly sandbox: string | null
}

/** The runs of a series, from its journal, or from OneShot's files if there is none. */
export function readSeries(dir: string): readonly SeriesRun[] {
  return asExperimentDirectory(dir) === undefined ? fromFiles(dir) : fromJournal(dir)
}

function fromJournal(dir: string): readonly SeriesRun[] {
  const runs = withJournal(dir, journal => inFileOrder([...recordedRuns(journal)]))
  const varying = varyingNames(runs)
  return runs.map(run => {
    const folder = folderOf(run, dir)
    const found = folder === null ? nothing : evaluationIn(folder)
    return { ...rolloutOf(run, varying), ...evaluated(found, run.metrics), run: run.name, reason: reasonOf(run) }
  })
}

function reasonOf({ metrics, outcome, state }: RunRecord): string | null {
  if (metrics.score !== undefined || outcome === null) return null
  if (outcome.unsupported_environment) return `unsupported environment: ${outcome.message ?? 'no reason given'}`
  return outcome.kind === 'completed' ? 'it left no score' : (outcome.message ?? state)
}

const count = z.number().nullish().catch(undefined)
const number = z.number().optional().catch(undefined)

/** The displayed part of `evaluation_results.json`: other keys, and unexpected values, are skipped. */
const evaluation = z.lazy(() =>
  z.object({
    task_id: z.string().optional().catch(undefined),
    total_score: number,
    rewards: z.record(z.string(), z.number()).optional().catch(undefined),
    evaluation: z.object({ total_score: number }).optional().catch(undefined),
    lm_evaluation: z.object({ weighted_score: number }).nullish().catch(undefined),
    agent_metrics: z.object({ tokens_total: count, tool_calls_total: count }).nullish().catch(undefined),
    sandbox: z
      .union([z.string(), z.object({ backend: z.string() }).transform(({ backend }) => backend)])
      .optional()
      .catch(undefined),
  }),
)
type Evaluation = z.output<typeof evaluation>

const nothing: Evaluation = {}

/** Unreadable files count as missing. */
function evaluationIn(folder: string): Evaluation {
  try {
    const parsed = evaluation.safeParse(JSON.parse(readRegular(join(folder, 'evaluation_results.json')) ?? 'null'))
    return parsed.success ? parsed.data : nothing
  } catch {
    return nothing
  }
}

function evaluated(found: Evaluation, metrics: RunRecord['metrics']) {
  return {
    unit: found.evaluation?.total_score ?? found.total_score ?? metrics.score ?? null,
    lm: found.lm_evaluation?.weighted_score ?? null,
    tokens: orNothing(found.agent_metrics?.tokens_total, metrics.tokens),
    tools: orNothing(found.agent_metrics?.tool_calls_total),
    rewards: found.rewards ?? {},
    sandbox: found.sandbox ?? null,
  }
}

/** If nothing is given there were none, as in eval_rollouts.py. */
const orNothing = (found: number | null | undefined, otherwise = 0): number | null =>
  found === undefined ? otherwise : found

const manifest = z.lazy(() =>
  z.object({
    results: z.array(
      z.object({
        task_dir: z.string(),
        run_id: z.string().optional(),
        run_dir: z.string(),
        status: z.string().optional(),
        model: z.string().optional(),
      }),
    ),
  }),
)

/** A series made by OneShot: its own task names are the directories, so that runs without a result keep theirs. */
function fromFiles(dir: string): readonly SeriesRun[] {
  const listed = manifestIn(dir)?.results ?? runsTxt(dir)
  return listed.map(({ task_dir, run_id, run_dir, status, model }) => {
    const found = evaluationIn(run_dir)
    const { unit, ...others } = evaluated(found, {})
    return {
      run: run_id ?? basename(run_dir),
      task: task_dir ?? found.task_id ?? basename(run_dir),
      variant: model ?? '',
      standing: unit !== null ? 'scored' : status === 'launch_failed' ? 'errored' : 'unscored',
      score: unit,
      passed: unit === null ? null : unit >= 1,
      cost_usd: null,
      reason: unit === null ? (status ?? 'no evaluation_results.json') : null,
      unit,
      ...others,
    }
  })
}

type Listed = Partial<z.output<typeof manifest>['results'][number]> & { readonly run_dir: string }

function manifestIn(dir: string): { readonly results: readonly Listed[] } | null {
  try {
    return manifest.parse(JSON.parse(readRegular(join(dir, 'manifest.json')) ?? 'null'))
  } catch {
    return null
  }
}

const runsTxt = (dir: string): readonly Listed[] =>
  (readRegular(join(dir, 'runs.txt')) ?? '')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(run_dir => ({ run_dir }))

/** The names of a benchmark and its series, as far as needed to distinguish several. */
export function seriesNames(dirs: readonly string[]): readonly string[] {
  const names = dirs.map(dir => basename(dirname(dir)))
  const isUnique = new Set(names).size === names.length
  return dirs.map((dir, at) => (isUnique ? (names[at] ?? '') : `${names[at]}/${basename(dir)}`))
}
