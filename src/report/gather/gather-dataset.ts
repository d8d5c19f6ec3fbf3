import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { Evidence, EvidenceRun } from '../../plan/evidence.ts'
import { journalFile } from '../../record/directory/experiment-directory.ts'
import { version } from '../../util/version.ts'
import type { Dataset, ExperimentFacts, RunFacts } from '../dataset/dataset.ts'
import { noFacts } from '../dataset/no-facts.ts'
import { thinSeries } from '../dataset/thin-series.ts'
import { experimentFacts } from './experiment-facts.ts'
import { maskedParameters } from './masked.ts'
import { filesOf } from './run-files.ts'
import { tailsOf } from './run-output.ts'
import { type RunRecord, runRecords } from './run-records.ts'
import { tracesOf } from './run-traces.ts'

/** Everything a report of this evidence holds. Journals and run folders are only read. */
export function gatherDataset(whole: Evidence): Dataset {
  const { runs, reduced, points } = thinSeries(maskedParameters(whole.runs))
  const evidence = {
    ...whole,
    runs,
    sources: whole.sources.map(source => ({ ...source, path: basename(source.path) })),
  }
  const places = new Map(whole.sources.map(({ name, path }) => [name, path]))
  const records = recordsOf(whole)
  const recordOf = ({ source, name }: EvidenceRun): RunRecord | undefined => records.get(source)?.get(name)
  const folders = runs.map(run => recordOf(run)?.folder ?? null)
  const files = filesOf(folders)
  const output = tailsOf(runs, folders)
  const traces = tracesOf(folders, files.lists)
  const { title, experiments } = experimentsOf(evidence, places)
  return {
    title,
    assay: version,
    experiments,
    evidence,
    runs: runs.map(
      (run, at): RunFacts => ({
        ...(recordOf(run)?.facts ?? { ...noFacts, state: run.outcome.kind }),
        files: files.lists[at] ?? null,
        output: output.tails[at] ?? [],
        trace: traces.turns[at] ?? [],
        reduced: reduced[at] ?? {},
      }),
    ),
    kept: {
      series_points: points,
      printed: output.printed,
      with_output: output.tails.filter(tails => tails.length > 0).length,
      with_files: files.isWhole,
      traced: traces.traced,
      with_trace: traces.turns.filter(turns => turns.length > 0).length,
    },
  }
}

function recordsOf({ sources }: Evidence): ReadonlyMap<string, ReadonlyMap<string, RunRecord>> {
  const experiments = sources.filter(({ path }) => existsSync(journalFile(path)))
  return new Map(experiments.map(({ name, path }) => [name, runRecords(path)]))
}

function experimentsOf(
  { sources }: Evidence,
  places: ReadonlyMap<string, string>,
): { readonly title: string; readonly experiments: readonly ExperimentFacts[] } {
  const experiments = sources.map(({ name }) => experimentFacts(name, places.get(name) ?? name))
  const [first] = experiments
  const title =
    first !== undefined && experiments.length === 1
      ? (first.definition?.name ?? first.name)
      : experiments.map(({ name }) => name).join(', ')
  return { title, experiments }
}
