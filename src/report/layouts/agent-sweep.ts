import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { stringify } from 'yaml'
import { exitCategory, instanceColumns, repoOf } from '../../analyze/trajectories/instance.ts'
import type { RunRecord } from '../../define/observation.ts'
import { trialOf } from '../../plan/identity.ts'
import { csvLine } from '../../util/csv.ts'
import { slugOf } from '../../util/words.ts'
import type { ExperimentView, FileText, Layout } from './layout.ts'

/**
 * The files of SWE-agent's run-batch: `preds.json`, `run_batch_exit_statuses.yaml` and the table `instances`, one set
 * for each variant. With one variant they are in the experiment's directory, otherwise each has a folder in `trials/`.
 * Patches are read from the runs' folders: the journal does not contain them.
 */
export const agentSweepLayout: Layout = {
  isFor: ({ target }) => target.kind === 'agent',

  ofExperiment(view) {
    const ended = view.runs.filter(run => hasEnded(run) && run.attempts.length > 0)
    const trials = [...Map.groupBy(ended, trialOf)]
    const isOnly = new Set(view.runs.map(trialOf)).size === 1
    return trials.flatMap(([trial, runs]) => filesOf(view, runs, isOnly ? '' : `trials/${folderOf(trial, runs)}/`))
  },
}

const hasEnded = ({ state, outcome }: RunRecord): boolean =>
  outcome !== null && state !== 'pending' && state !== 'running'

function filesOf(view: ExperimentView, runs: readonly RunRecord[], folder: string): readonly FileText[] {
  // One prediction for each instance: with several seeds and replicates, the first.
  const once = [...Map.groupBy(runs, idOf).values()].flatMap(([first]) => first ?? [])
  const preds = Object.fromEntries(
    once.map(run => [
      idOf(run),
      {
        model_name_or_path: folder === '' ? view.experiment.name : (folder.split('/').at(-2) ?? ''),
        instance_id: idOf(run),
        model_patch: patchOf(view, run).replaceAll('\r\n', '\n'),
      },
    ]),
  )
  return [
    { path: `${folder}preds.json`, text: `${JSON.stringify(preds, null, 4)}\n` },
    { path: `${folder}run_batch_exit_statuses.yaml`, text: stringify(exitStatuses(runs)) },
    { path: `${folder}instances.csv`, text: [[...instanceColumns], ...runs.map(cellsOf)].map(csvLine).join('') },
  ]
}

const folderOf = (trial: string, [first]: readonly RunRecord[]): string =>
  `${first === undefined ? '' : slugOf(`${first.params.model}_${first.params.strategy}`)}__${trial.slice(0, 8)}`

/** The task's folder, or the instance's id in a file of instances. */
const idOf = ({ block, name }: RunRecord): string =>
  String(block.task ?? name)
    .split(/[#/\\]/)
    .at(-1) ?? name

function patchOf({ dir }: ExperimentView, { place }: RunRecord): string {
  if (place === null) return ''
  try {
    return readFileSync(join(isAbsolute(place) ? place : join(dir, place), 'artifacts', 'diff.patch'), 'utf8')
  } catch {
    // It ended before it left anything.
    return ''
  }
}

const statusOf = ({ outcome }: RunRecord): string =>
  outcome?.exit_status ?? `Uncaught ${outcome?.error_class ?? outcome?.kind ?? 'error'}`

function exitStatuses(runs: readonly RunRecord[]) {
  const byStatus = Map.groupBy(runs, statusOf)
  return {
    instances_by_exit_status: Object.fromEntries([...byStatus].map(([status, own]) => [status, own.map(idOf)])),
    total_cost: runs.reduce<number | null>(
      (sum, { metrics }) => (sum === null || metrics.total_cost === undefined ? null : sum + metrics.total_cost),
      0,
    ),
  }
}

/** Unknown numbers are empty. */
function cellsOf(run: RunRecord): readonly string[] {
  const status = statusOf(run)
  const texts: { readonly [column: string]: string } = {
    instance_id: idOf(run),
    repo: repoOf(idOf(run)),
    exit_status: status,
    exit_category: exitCategory(status),
    submitted: status.startsWith('submitted') ? 'True' : 'False',
  }
  return instanceColumns.map(column => texts[column] ?? String(run.metrics[column] ?? ''))
}
