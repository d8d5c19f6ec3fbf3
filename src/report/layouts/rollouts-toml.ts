import { basename, join, relative, sep } from 'node:path'
import { rolloutOf, taskOf, taskScoresOf } from '../../analyze/scores/scores.ts'
import type { Attempt, RunRecord } from '../../define/observation.ts'
import { runFolder, stampOf } from '../../record/places.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import { slugOf } from '../../util/words.ts'
import type { ExperimentView, FileText, Layout } from './layout.ts'
import { inFileOrder, launchStatus, rolloutPlaces } from './rollout-places.ts'

/**
 * The files of OneShot's eval_rollouts.py: `manifest.json`, `runs.txt`, `task_results/`, the index in `temp/`, and
 * `data/runs/<run_id>`. A run's folder is in the experiment's directory, like every run's, and `data/runs/<run_id>` is
 * a link to it: one place for the engine, and the whole series is one folder to copy or delete.
 */
export const rolloutsLayout: Layout = {
  showsRunning: true,

  roots({ dir, experiment }): Readonly<Record<string, string>> {
    const places = rolloutPlaces(dir, experiment.name)
    return places === null ? {} : { runs: places.runs, temp: places.temp }
  },

  ofExperiment(given) {
    const view = { ...given, runs: inFileOrder(given.runs) }
    const runs = view.runs.filter(hasBegun)
    const dirs = runs.map(run => runDir(view, run))
    const places = rolloutPlaces(view.dir, view.experiment.name)
    const index = {
      created_at: basename(view.dir),
      rollout_dir: view.dir,
      runs: dirs,
      tasks: [...new Set(view.runs.map(taskOf))],
    }
    return [
      json('manifest.json', manifestOf(view)),
      { path: 'runs.txt', text: dirs.map(dir => `${dir}\n`).join('') },
      ...taskResults(view),
      ...evalManifest(view),
      ...(places === null ? [] : [{ ...json(places.index, index), root: 'temp' }]),
    ]
  },

  links({ dir, experiment, runs }) {
    if (rolloutPlaces(dir, experiment.name) === null) return []
    return runs.filter(hasBegun).map(({ name }) => ({ root: 'runs', path: name, to: runFolder(dir, name) }))
  },
}

const json = (path: string, value: Json): FileText => ({ path, text: `${JSON.stringify(value, null, 2)}\n` })

const hasBegun = ({ attempts }: RunRecord): boolean => attempts.length > 0

/** Absolute, as in eval_rollouts.py. */
function runDir({ dir, experiment }: ExperimentView, { name }: RunRecord): string {
  const places = rolloutPlaces(dir, experiment.name)
  return places === null ? runFolder(dir, name) : join(places.runs, name)
}

function manifestOf(view: ExperimentView): JsonObject {
  const { experiment, dir, runs } = view
  return {
    config: configOf(view),
    name: experiment.name,
    created_at: basename(dir),
    results: runs.map(run => resultOf(view, run)),
  }
}

/** Relative to the working directory, if that is the folder that contains `data/`. */
function configOf({ dir, experiment: { file, name } }: ExperimentView): string | null {
  const base = rolloutPlaces(dir, name)?.base
  if (file === null || base === undefined) return file
  const path = relative(base, file)
  return path.startsWith(`..${sep}`) ? file : path
}

/** In the order of the file, including runs that have not begun: a reader looks for known names. */
function resultOf(view: ExperimentView, run: RunRecord): JsonObject {
  const { outcome, params } = run
  return {
    task_dir: taskOf(run),
    run_id: run.name,
    run_dir: runDir(view, run),
    status: outcome === null ? run.state : launchStatus(outcome.kind),
    launch_rc: outcome === null ? null : returnCode(run),
    model: params.model ?? null,
    overrides: params.overrides ?? null,
    apply_overrides: params.apply_overrides ?? null,
    environment_variables: params.environment_variables ?? {},
    rollout: run.replicate,
    outcome: outcome?.kind ?? null,
    ...(outcome?.unsupported_environment && { unsupported_environment: true }),
    ...(outcome?.message !== undefined && { reason: outcome.message }),
    total_score: run.metrics.score ?? null,
    passed: run.metrics.passed === undefined ? null : run.metrics.passed >= 1,
    cost_usd: run.cost_usd,
    wall_s: run.wall_s,
  }
}

function returnCode({ outcome }: Pick<RunRecord, 'outcome'>): number {
  if (outcome?.kind === 'completed') return 0
  return outcome?.exit_code || 1
}

/** A file for each task: its scores for each variant, and the runs behind them. */
function taskResults(view: ExperimentView): readonly FileText[] {
  const byTask = Map.groupBy(view.runs, taskOf)
  const names = fileNames([...byTask.keys()])
  const varying = [...view.experiment.factors, ...view.experiment.zip.flat()].map(({ name }) => name)
  return [...byTask].map(([task, runs]) => {
    const scores = taskScoresOf(runs.map(run => rolloutOf(run, varying))).map(
      ({ task: _, ...own }): JsonObject => ({
        ...own,
      }),
    )
    return json(`task_results/${names.get(task)}.json`, {
      task_dir: task,
      scores,
      results: runs.map(run => resultOf(view, run)),
    })
  })
}

/** The task's own name if it is unique, else its whole path. */
function fileNames(tasks: readonly string[]): ReadonlyMap<string, string> {
  const counts = Map.groupBy(tasks, task => slugOf(basename(task)).toLowerCase())
  const taken = new Map<string, string>()
  const used = new Set<string>()
  for (const task of tasks) {
    const short = slugOf(basename(task))
    const wanted = (counts.get(short.toLowerCase())?.length ?? 0) > 1 ? slugOf(task) : short
    let name = wanted
    for (let copy = 2; used.has(name.toLowerCase()); copy++) name = `${wanted}-${copy}`
    used.add(name.toLowerCase())
    taken.set(task, name)
  }
  return taken
}

/** The scores of `eval`, once there are any. */
function evalManifest(view: ExperimentView): readonly FileText[] {
  const scored = view.runs.flatMap(run => {
    const last = run.attempts.findLast(({ mode, outcome }) => mode === 'score' && outcome !== null)
    return last === undefined ? [] : [{ run, last }]
  })
  if (scored.length === 0) return []
  const at = scored.reduce((latest, { last }) => Math.max(latest, last.ended_at ?? last.started_at), 0)
  return [
    json('eval_manifest.json', {
      evaluated_at: stampOf(at),
      results: scored.map(({ run, last }) => ({
        run_dir: runDir(view, run),
        task_dir: taskOf(run),
        eval_rc: returnCode(last),
        status: evalStatus(last),
      })),
    }),
  ]
}

const evalStatus = ({ outcome }: Pick<Attempt, 'outcome'>): string =>
  outcome?.kind === 'completed' ? 'ok' : 'eval_failed'
