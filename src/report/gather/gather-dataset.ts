import { existsSync, statSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { type Experiment, worksOnTasks } from '../../define/experiment.ts'
import type { Evidence, EvidenceSource } from '../../define/observation.ts'
import { definitionOf, labelsOf, limitsSet, readExperiment } from '../../record/journal/experiment-row.ts'
import { Journal } from '../../record/journal/journal.ts'
import { journalFile } from '../../record/places.ts'
import { provenanceOfProcesses } from '../../record/provenance/provenance.ts'
import { costsByToken } from '../../record/read/activity.ts'
import { folderOf } from '../../record/read/observations.ts'
import { standing } from '../../record/read/standing.ts'
import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { version } from '../../util/version.ts'
import { counted } from '../../util/words.ts'
import type { Dataset, ExperimentFacts, RunFolder, Standing } from '../dataset/dataset.ts'
import { thinSeries } from '../dataset/pack.ts'
import { answersOf, unmetOf } from './run-asserts.ts'
import { filesOf, maskedDefinition, maskedParameters, tailsOf } from './run-files.ts'
import { unmetTests, workOf } from './run-tasks.ts'
import { tracesOf } from './run-traces.ts'
import { storiesOf } from './stories/run-stories.ts'
import { placeInFolder, trajectoriesOf } from './trajectories/run-trajectories.ts'

/** Everything in a report of this evidence, read with all attempts. Journals and run folders are only read. */
export function gatherDataset(whole: Evidence): Dataset {
  const { runs, reduced, points } = thinSeries(maskedParameters(whole.runs))
  const evidence = {
    ...whole,
    runs,
    sources: whole.sources.map(source => ({ ...source, path: basename(source.path) })),
  }
  const places = new Map(whole.sources.map(({ name, path }) => [name, path]))
  const folders = runs.map(run => folderOf(run, places.get(run.source) ?? ''))
  const files = filesOf(folders)
  const output = tailsOf(runs, folders)
  const traces = tracesOf(folders, files.lists)
  const unmet = unmetOf(runs, folders)
  const answers = answersOf(runs, folders)
  const imported = trajectoryFolders(whole.sources)
  const trajectories = trajectoriesOf(
    runs,
    runs.map(({ source, name }, at) => {
      const folder = imported.get(source)
      return folder === undefined ? placeInFolder(folders[at] ?? null, files.lists[at] ?? null) : { folder, file: name }
    }),
  )
  const stories = storiesOf(runs, folders, files.lists)
  const isOnly = whole.sources.length === 1
  const partOf = ({ name }: EvidenceSource) => partFacts(name, places.get(name) ?? name, isOnly)
  const experiments = factsByExperiment(evidence, partOf)
  const isTask = taskSources(whole.sources, experiments)
  const work = workOf(
    runs,
    runs.map(({ source }, at) => (isTask.has(source) ? (folders[at] ?? null) : null)),
  )
  return {
    title: titleOf(experiments),
    assay: version,
    experiments,
    evidence,
    folders: runs.map(
      (_, at): RunFolder => ({
        files: files.lists[at] ?? null,
        output: output.tails[at] ?? [],
        trace: traces.turns[at] ?? [],
        unmet: [...(unmet[at] ?? []), ...unmetTests(work.works[at] ?? null)],
        answer: answers[at] ?? null,
        task: work.works[at] ?? null,
        trajectory: trajectories.views[at] ?? null,
        story: stories.views[at] ?? null,
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
      tasks: work.tasks,
      with_task: work.works.filter(one => one !== null).length,
      trajectories: trajectories.found,
      with_trajectory: trajectories.views.filter(one => one !== null).length,
      stories: stories.found,
      with_story: stories.views.filter(one => one !== null).length,
    },
  }
}

/** By name, the sources that are folders of trajectories: their runs are named after their files. */
const trajectoryFolders = (sources: Evidence['sources']): ReadonlyMap<string, string> =>
  new Map(
    sources
      .filter(({ kind, path }) => kind === 'table' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      .map(({ name, path }) => [name, path]),
  )

/** Names of the sources whose runs are of tasks. */
function taskSources(sources: Evidence['sources'], experiments: readonly ExperimentFacts[]): ReadonlySet<string> {
  const names = new Set(
    experiments.flatMap(({ name, definition }) =>
      definition != null && worksOnTasks(definition.target) ? [name] : [],
    ),
  )
  return new Set(sources.filter(({ name, partOf }) => names.has(partOf ?? name)).map(({ name }) => name))
}

/** The name of a single experiment; with several, those of their directories. */
export function titleOf(experiments: readonly ExperimentFacts[]): string {
  const [first] = experiments
  return first !== undefined && experiments.length === 1
    ? (first.definition?.name ?? first.name)
    : experiments.map(({ name }) => name).join(', ')
}

/** Facts about one directory of an experiment. */
export interface PartFacts {
  readonly facts: ExperimentFacts
  /**
   * The cost of each attempt, by token: copies of a directory have the same attempts. Empty if there is only one
   * directory.
   */
  readonly costs: ReadonlyMap<string, number>
}

/** Facts about an experiment's directory; for a table, its name. */
function partFacts(name: string, path: string, isOnly: boolean): PartFacts {
  if (!existsSync(journalFile(path))) return { facts: { ...aTable, name, place: basename(path) }, costs: new Map() }
  const journal = Journal.openExisting(journalFile(path))
  try {
    return partFactsIn(journal, name, path, isOnly)
  } finally {
    journal.close()
  }
}

/** The same for a journal that is already open. */
export function partFactsIn(journal: Journal, name: string, path: string, isOnly: boolean): PartFacts {
  return { facts: experimentFactsIn(journal, name, path), costs: isOnly ? new Map() : costsByToken(journal) }
}

/**
 * Facts about each experiment, from those about its directories: shards and copies are one experiment, in which every
 * attempt counts once.
 */
export function factsByExperiment(
  { sources, runs }: Evidence,
  partOf: (source: EvidenceSource) => PartFacts,
): readonly ExperimentFacts[] {
  return sources
    .filter(source => source.partOf === undefined)
    .map(source => {
      const own = sources.filter(({ name, partOf: whole }) => name === source.name || whole === source.name)
      const parts = own.map(partOf)
      const [first] = parts
      if (first === undefined || parts.length === 1) return partOf(source).facts
      const names = new Set(own.map(({ name }) => name))
      const ended = runs.filter(run => names.has(run.source)).map(({ state }) => state)
      return { ...joined(first, parts), standing: standingTogether(parts, source.planned, ended) }
    })
}

function joined({ facts: first }: PartFacts, parts: readonly PartFacts[]): ExperimentFacts {
  const all = <T>(pick: (facts: ExperimentFacts) => readonly T[]): readonly T[] => [
    ...new Map(parts.flatMap(({ facts }) => pick(facts)).map(one => [JSON.stringify(one), one])).values(),
  ]
  return {
    ...first,
    parts: parts.slice(1).map(({ facts }) => facts.place),
    processes: all(({ processes }) => processes),
    tags: all(({ tags }) => tags),
    notes: all(({ notes }) => notes),
  }
}

function standingTogether(
  parts: readonly PartFacts[],
  planned: number | null,
  ended: readonly string[],
): Standing | null {
  const standings = parts.flatMap(({ facts }) => facts.standing ?? [])
  const [first] = standings
  if (first === undefined) return null
  const costs = new Map(parts.flatMap(part => [...part.costs]))
  const isDisjoint = costs.size === parts.reduce((sum, part) => sum + part.costs.size, 0)
  const overruns = standings.map(({ overrun_usd }) => overrun_usd)
  const counts = Object.fromEntries([...Map.groupBy(ended, state => state)].map(([state, own]) => [state, own.length]))
  const running = Math.max(...standings.map(({ states }) => states.running ?? 0))
  const all = Math.max(planned ?? 0, ended.length + running)
  return {
    ...first,
    planned: all,
    states: {
      ...Object.fromEntries(Object.keys(first.states).map(state => [state, 0])),
      ...counts,
      running,
      pending: all - ended.length - running,
    },
    attempts: costs.size,
    cost_usd: [...costs.values()].reduce((sum, usd) => sum + usd, 0),
    overrun_usd: isDisjoint ? overruns.reduce((sum, usd) => sum + usd, 0) : Math.max(...overruns),
  }
}

function experimentFactsIn(journal: Journal, name: string, path: string): ExperimentFacts {
  const row = readExperiment(journal)
  if (row === undefined) throw new AssayError('not_found', `nothing has been run in ${path} yet`)
  const definition = definitionOf(journal, row)
  const budget = limitsSet(journal, row).budget_usd ?? definition.limits.budget_usd
  return {
    name,
    description: definition.description,
    dialect: definition.dialect,
    place: placeOf(path, definition),
    config: definition.file === null ? null : basename(definition.file),
    definition: maskedDefinition(withoutTrunks(withoutPlaces(definition))),
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

/** As seen from the configuration's folder, where most people type commands; a moved directory is only its name. */
function placeOf(path: string, { folder }: Experiment): string {
  const place = relative(folder, path)
  return place.startsWith('..') ? basename(path) : place || '.'
}

/** Paths of the user's machine are private, and would change the bytes of a directory that moves. */
const withoutPlaces = (definition: Experiment): Experiment => ({
  ...definition,
  file: definition.file === null ? null : basename(definition.file),
  folder: '.',
  out_root: relative(definition.folder, definition.out_root) || '.',
})

/** The shared turns of branches may be megabytes: the runs' own folders have them. */
function withoutTrunks(definition: Experiment): Experiment {
  const { trunks } = definition.target
  if (definition.target.kind !== 'scenario' || !isJsonObject(trunks)) return definition
  const short = Object.entries(trunks).map(([level, trunk]): readonly [string, Json] => {
    if (!isJsonObject(trunk) || !Array.isArray(trunk.turns)) return [level, trunk]
    return [level, { ...trunk, turns: `${counted(trunk.turns.length, 'turn')}, which are not in this report` }]
  })
  return { ...definition, target: { ...definition.target, trunks: Object.fromEntries(short) } }
}

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
  return provenanceOfProcesses(journal).map(({ config: _config, environment, ...rest }) => {
    const { PATH: _path, SHELL: _shell, ...others } = (environment ?? {}) as JsonObject
    return { ...rest, environment: others }
  })
}
