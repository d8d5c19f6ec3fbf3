import { existsSync } from 'node:fs'
import { basename, relative } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import type { OutcomeKind } from '../../define/outcome.ts'
import type { Evidence, EvidenceRun } from '../../plan/evidence.ts'
import { journalFile } from '../../record/directory/experiment-directory.ts'
import { definitionOf, limitsSet, readExperiment } from '../../record/journal/experiment-row.ts'
import { Journal } from '../../record/journal/journal.ts'
import { labelsOf } from '../../record/journal/labels.ts'
import { recordedRuns } from '../../record/read/observations.ts'
import { folderOf, type RecordedRun } from '../../record/read/recorded-run.ts'
import { standing } from '../../record/read/standing.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { version } from '../../util/version.ts'
import {
  type AttemptFacts,
  type Dataset,
  type ExperimentFacts,
  noFacts,
  type RunFacts,
  type Standing,
} from '../dataset/dataset.ts'
import { thinSeries } from '../dataset/pack.ts'
import { filesOf, maskedDefinition, maskedParameters, tailsOf } from './run-files.ts'
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

/** What is known of an experiment as a whole; of a table, its name. */
function experimentFacts(name: string, path: string): ExperimentFacts {
  if (!existsSync(journalFile(path))) return { ...aTable, name, place: basename(path) }
  const journal = Journal.openExisting(journalFile(path))
  try {
    return experimentFactsIn(journal, name, path)
  } finally {
    journal.close()
  }
}

/** The same, where the journal is open already. */
export function experimentFactsIn(journal: Journal, name: string, path: string): ExperimentFacts {
  const row = readExperiment(journal)
  if (row === undefined) throw new AssayError('not_found', `nothing has been run in ${path} yet`)
  const definition = definitionOf(journal, row)
  const budget = limitsSet(row).budget_usd ?? definition.limits.budget_usd
  return {
    name,
    description: definition.description,
    dialect: definition.dialect,
    place: placeOf(path, definition),
    config: definition.file === null ? null : basename(definition.file),
    definition: maskedDefinition(withoutPlaces(definition)),
    search: definition.search ?? null,
    standing: standingOf(journal, path, typeof budget === 'number' ? budget : null),
    processes: processesOf(journal),
    ...labelsOf(journal, null),
  }
}

const aTable: Omit<ExperimentFacts, 'name' | 'place'> = {
  description: '',
  dialect: null,
  config: null,
  definition: null,
  search: null,
  standing: null,
  processes: [],
  tags: [],
  notes: [],
}

/** As seen from the configuration's folder, which is where most people type; a directory that was moved is just its name. */
function placeOf(path: string, { folder }: Experiment): string {
  const place = relative(folder, path)
  return place.startsWith('..') ? basename(path) : place
}

/** Where somebody keeps their files is nobody else's business, and would change the bytes of a directory that moves. */
const withoutPlaces = (definition: Experiment): Experiment => ({
  ...definition,
  file: definition.file === null ? null : basename(definition.file),
  folder: '.',
  out_root: relative(definition.folder, definition.out_root) || '.',
})

function standingOf(journal: Journal, path: string, budget: number | null): Standing {
  const {
    dir: _dir,
    reused: _reused,
    wall_s: _wall,
    planned,
    attempts,
    cost_usd,
    overrun_usd,
    ...states
  } = standing(journal, path)
  return { planned, attempts, cost_usd, overrun_usd, budget_usd: budget, states }
}

function processesOf(journal: Journal): readonly JsonObject[] {
  const rows = journal.all<{ facts: string }>('SELECT facts FROM provenance ORDER BY id')
  return rows.map(({ facts }) => {
    const { config: _config, environment, ...rest } = JSON.parse(facts) as JsonObject
    const { PATH: _path, SHELL: _shell, ...others } = (environment ?? {}) as JsonObject
    return { ...rest, environment: others }
  })
}

export interface RunRecord {
  readonly facts: Omit<RunFacts, 'files' | 'output' | 'trace' | 'reduced'>
  /** Where its files are; null: it has none. */
  readonly folder: string | null
}

/** What the journal knows of each run besides the evidence, by the run's name. */
function runRecords(dir: string): ReadonlyMap<string, RunRecord> {
  const journal = Journal.openExisting(journalFile(dir))
  try {
    return runRecordsIn(journal, dir)
  } finally {
    journal.close()
  }
}

/** The same, where the journal is open already, and its runs perhaps read. */
export function runRecordsIn(
  journal: Journal,
  dir: string,
  all: Iterable<RecordedRun> = recordedRuns(journal, { withoutMetrics: true }),
): ReadonlyMap<string, RunRecord> {
  const attempts = attemptsByRun(journal)
  const labels = labelsByRun(journal)
  const reasons = reasonsByRun(journal)
  return new Map(
    Array.from(all, recorded => [
      recorded.run.name,
      {
        folder: folderOf(recorded, dir),
        facts: {
          state: recorded.state,
          seed: recorded.run.seed,
          started_at: recorded.started_at,
          ended_at: recorded.ended_at,
          cpu_s: recorded.cpu_s,
          max_rss_bytes: recorded.max_rss_bytes,
          cost_assumed: recorded.cost_assumed,
          why: reasons.get(recorded.id) ?? null,
          tags: labels.get(recorded.id)?.tags ?? [],
          notes: labels.get(recorded.id)?.notes ?? [],
          attempts: attempts.get(recorded.id) ?? [],
        },
      },
    ]),
  )
}

/** One pass over the table instead of a query per run. */
function attemptsByRun(journal: Journal): ReadonlyMap<number, readonly AttemptFacts[]> {
  const byRun = new Map<number, AttemptFacts[]>()
  const rows = journal.iterate<AttemptRow>(
    `SELECT run_id, number, outcome, facts, started_at, wall_s, cost_usd, superseded FROM attempts ORDER BY number, id`,
  )
  for (const { run_id, facts, superseded, ...row } of rows) {
    const { message } = JSON.parse(facts ?? '{}') as JsonObject
    const attempt = { ...row, message: typeof message === 'string' ? message : null, superseded: superseded === 1 }
    const own = byRun.get(run_id)
    if (own === undefined) byRun.set(run_id, [attempt])
    else own.push(attempt)
  }
  return byRun
}

interface AttemptRow {
  readonly run_id: number
  readonly number: number
  readonly outcome: OutcomeKind | null
  readonly facts: string | null
  readonly started_at: number
  readonly wall_s: number | null
  readonly cost_usd: number | null
  readonly superseded: number
}

function labelsByRun(journal: Journal): ReadonlyMap<number, Pick<RunFacts, 'tags' | 'notes'>> {
  const rows = journal.all<{ run_id: number; kind: 'tag' | 'note'; text: string }>(
    'SELECT run_id, kind, text FROM labels WHERE run_id IS NOT NULL ORDER BY at, rowid',
  )
  return new Map(
    [...Map.groupBy(rows, ({ run_id }) => run_id)].map(([run, own]) => {
      const texts = (kind: string) => own.filter(row => row.kind === kind).map(row => row.text)
      return [run, { tags: texts('tag'), notes: texts('note') }] as const
    }),
  )
}

/** A grid's reason is that it is a grid: only a search has more to say. */
function reasonsByRun(journal: Journal): ReadonlyMap<number, string> {
  const rows = journal.all<{ id: number; why: string }>(`SELECT id, why FROM runs WHERE why <> 'grid'`)
  return new Map(rows.map(({ id, why }) => [id, why]))
}
