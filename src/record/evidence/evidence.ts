import { basename } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import type { Evidence, Observation } from '../../define/observation.ts'
import { filterEvidence } from '../../plan/select/filter-evidence.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { text } from '../journal/columns.ts'
import { definitionOf, ownDefinitionOf, readExperiment } from '../journal/experiment-row.ts'
import { Journal } from '../journal/journal.ts'
import { objectIn } from '../journal/stored.ts'
import { journalFile, lastWordsIn, runFolder } from '../places.ts'
import { observations } from '../read/observations.ts'
import { comparableDefinition, definitionDigest } from './definition.ts'
import { evidenceOfBatchFolder, isBatchFolder } from './from-batch-folder.ts'
import { evidenceOfTable, type TableColumns } from './from-table.ts'
import { withFoundClusters } from './unnamed-clusters.ts'

export { isBatchFolder } from './from-batch-folder.ts'
export { originalRunsIn } from './original-runs-in.ts'

export interface ReadOptions {
  /** Which series to read, by name; they are large. */
  readonly series: 'all' | readonly string[]
  /** Whether to read all attempts of each run. Default: false. */
  readonly attempts?: boolean
  /** For a table: what its columns mean. */
  readonly columns?: TableColumns
  /** The text of the table, if `place` is only the source it was made from. */
  readonly text?: string
}

/** Every ended run of an experiment's definition as evidence, whichever call selected it; or the rows of a table. */
export function evidenceOf(place: string, options: ReadOptions): Evidence {
  if (options.columns !== undefined) return evidenceOfTable(place, options.columns, options.text)
  if (isBatchFolder(place)) return evidenceOfBatchFolder(place, options)
  const journal = Journal.openExisting(journalFile(place))
  try {
    return evidenceIn(journal, place, options)
  } finally {
    journal.close()
  }
}

/** The same for a journal that is already open. */
export function evidenceIn(journal: Journal, dir: string, options: ReadOptions): Evidence {
  const row = readExperiment(journal)
  if (row === undefined) throw new AssayError('not_found', `nothing has been run in ${dir} yet`)
  const experiment = definitionOf(journal, row)
  const name = basename(dir)
  return {
    runs: [...observations(journal, options)],
    metrics: experiment.metrics
      .filter(metric => metric.name !== '*')
      .map(({ name, goal, primary, range }) => ({ name, goal, primary, ...(range && { range }) })),
    blocks: experiment.blocks.map(block => block.name),
    factors: factorsOf(experiment),
    levels: levelsOf(experiment),
    ...searchOf(experiment),
    // Journals from before there was an analysis section have none.
    baseline: experiment.analysis?.baseline ?? null,
    ...declaredBy(experiment),
    sources: [
      {
        name,
        ...(experiment.directory?.kind === 'exact' && { title: experiment.name }),
        path: dir,
        planned: row.definitionPlanned,
        kind: 'experiment',
        sha256: definitionDigest(ownDefinitionOf(journal, row)),
      },
    ],
  }
}

function declaredBy({ analysis }: Experiment): Pick<Evidence, 'declared'> {
  const { baseline: _baseline, require: _require, ...declared } = analysis ?? {}
  return Object.keys(declared).length === 0 ? {} : { declared }
}

function factorsOf({ factors, zip, include, ablations }: Experiment): readonly string[] {
  const names = [...factors, ...zip.flat()].map(factor => factor.name)
  const added = include.flatMap(row => Object.keys(row))
  return [...new Set([...names, ...added, ...(ablations.length > 0 ? ['ablation'] : [])])]
}

/** The factors of a grid have levels, whatever form they were written in. */
function searchOf({ search, factors }: Experiment): Pick<Evidence, 'search'> {
  if (search === undefined || search.method === 'grid') return {}
  const ranges = factors.filter(({ domain }) => domain !== undefined).map(({ name }) => name)
  return { search: { ranges, learns: search.method === 'bayes' || search.method === 'tpe' } }
}

function levelsOf({ factors, zip, ablations }: Experiment): Evidence['levels'] {
  const listed = [...factors, ...zip.flat()].map(({ name, levels }) => [name, levels] as const)
  return Object.fromEntries([...listed, ['ablation', ablations.map(({ name }) => name)]])
}

/** The last line that a run of these sources printed; null: none was kept. */
export function lastLines({ sources }: Evidence): (run: Observation) => string | null {
  const pathOf = new Map(sources.map(({ name, path }) => [name, path]))
  return ({ source, name }) => lastWordsIn(runFolder(pathOf.get(source) ?? '', name)) || null
}

/** What an experiment was, and the environment of its runs. */
export interface Origin {
  /** In the form that two people can compare. */
  readonly definition: JsonObject
  /** The base of its relative paths. */
  readonly folder: string
  /** Of each process that worked on it, oldest first. */
  readonly processes: readonly JsonObject[]
}

export function originOf(dir: string): Origin {
  const journal = Journal.openExisting(journalFile(dir))
  try {
    const row = readExperiment(journal)
    if (row === undefined) throw new AssayError('not_found', `nothing has been run in ${dir} yet`)
    const definition = definitionOf(journal, row)
    const rows = journal.all({ facts: text }, 'SELECT facts FROM provenance ORDER BY id')
    return {
      definition: comparableDefinition(definition),
      folder: definition.folder,
      processes: rows.map(({ facts }) => objectIn(facts, 'provenance.facts', journal)),
    }
  } finally {
    journal.close()
  }
}

/** All sources as one, paired as requested, with only the runs that pass the filters. */
export function keptEvidence(
  all: readonly Evidence[],
  {
    pairBy,
    filter = [],
  }: { readonly pairBy?: readonly string[] | undefined; readonly filter?: readonly string[] | undefined },
): Evidence {
  const merged = mergeEvidence(all)
  const evidence = pairBy === undefined ? withFoundClusters(merged) : { ...merged, blocks: pairBy }
  const kept = filterEvidence(evidence, filter)
  if (kept.runs.length > 0) return kept
  throw new AssayError(
    'usage',
    evidence.runs.length === 0 ? 'no run has ended yet: there is nothing to show' : 'no run passes the filter',
  )
}

/**
 * Several sources as one. Shards and copies of an experiment are that experiment; which of several experiments a run
 * comes from becomes the factor `experiment`.
 */
export function mergeEvidence(all: readonly Evidence[]): Evidence {
  const experiments = partsByExperiment(named(all)).map(joinParts)
  const [only, ...others] = experiments
  return only !== undefined && others.length === 0 ? only : withExperimentFactor(experiments)
}

/** Every source as a separate experiment, whatever they have in common. */
export function mergeAsSeparate(all: readonly Evidence[]): Evidence {
  return withExperimentFactor(named(all))
}

function withExperimentFactor(all: readonly Evidence[]): Evidence {
  const [first, ...others] = all
  if (first === undefined) throw new RangeError('there is nothing to merge')
  if (others.length === 0) return first
  return { ...united(all), runs: all.flatMap(runsOfExperiment), factors: ['experiment', ...united(all).factors] }
}

/** Runs of shards are told apart by their directories, but belong to one experiment. */
function runsOfExperiment({ runs, sources }: Evidence): readonly Observation[] {
  const [first, ...parts] = sources
  if (first === undefined || parts.length === 0) return runs
  return runs.map(run => ({ ...run, params: { ...run.params, experiment: first.name } }))
}

function united(all: readonly Evidence[]): Evidence {
  const every = <T>(part: (evidence: Evidence) => readonly T[]): readonly T[] => all.flatMap(part)
  const metrics = every(({ metrics }) => metrics).toReversed()
  return {
    runs: every(({ runs }) => runs),
    metrics: [...new Map(metrics.map(metric => [metric.name, metric])).values()].reverse(),
    blocks: [...new Set(every(({ blocks }) => blocks))],
    factors: [...new Set(every(({ factors }) => factors))],
    levels: Object.assign({}, ...all.toReversed().map(({ levels }) => levels)) as Evidence['levels'],
    baseline: all[0]?.baseline ?? null,
    ...(all[0]?.declared && { declared: all[0].declared }),
    sources: every(({ sources }) => sources),
    ...unitedSearch(all),
  }
}

function unitedSearch(all: readonly Evidence[]): Pick<Evidence, 'search'> {
  const searches = all.flatMap(({ search }) => search ?? [])
  if (searches.length === 0) return {}
  const ranges = [...new Set(searches.flatMap(search => search.ranges))]
  return { search: { ranges, learns: searches.some(({ learns }) => learns) } }
}

function partsByExperiment(all: readonly Evidence[]): readonly (readonly Evidence[])[] {
  const experiments: Evidence[][] = []
  for (const evidence of all) {
    const own = experiments.find(parts => isPartOf(evidence, parts))
    if (own === undefined) experiments.push([evidence])
    else own.push(evidence)
  }
  return experiments
}

/**
 * Whether a directory contains a part or a copy of what the others contain: the same definition, and either runs that
 * the others lack or the very same attempts. If all shared runs were executed twice, the experiment was repeated,
 * perhaps with other code, and the two should be compared.
 */
function isPartOf({ sources, runs }: Evidence, parts: readonly Evidence[]): boolean {
  const digest = sources[0]?.kind === 'experiment' ? sources[0].sha256 : undefined
  if (digest === undefined || parts[0]?.sources[0]?.sha256 !== digest) return false
  const known = new Map(parts.flatMap(part => part.runs).map(({ key, token }) => [key, token]))
  const shared = runs.filter(({ key }) => known.has(key))
  return shared.length === 0 || shared.some(({ key, token }) => token !== null && known.get(key) === token)
}

/**
 * Joins the parts of one experiment: a run that is in several counts once, by the result of a completed attempt if
 * there is one.
 */
function joinParts(parts: readonly Evidence[]): Evidence {
  const [first, ...others] = parts
  if (first === undefined) throw new RangeError('there is nothing to merge')
  if (others.length === 0) return first
  const byKey = new Map<string, Observation>()
  for (const run of parts.flatMap(({ runs }) => runs)) {
    const known = byKey.get(run.key ?? '')
    if (known === undefined || (known.outcome.kind !== 'completed' && run.outcome.kind === 'completed'))
      byKey.set(run.key ?? '', run)
  }
  const planned = parts.flatMap(({ sources }) => sources[0]?.planned ?? [])
  const isPlanned = planned.length === parts.length
  return {
    ...united(parts),
    runs: [...byKey.values()],
    sources: parts.flatMap(({ sources }, at) =>
      sources.map(source =>
        at === 0
          ? { ...source, planned: isPlanned ? Math.max(...planned, byKey.size) : null }
          : { ...source, planned: null, partOf: first.sources[0]?.name ?? '' },
      ),
    ),
  }
}

/** One source keeps its name. */
const named = (all: readonly Evidence[]): readonly Evidence[] =>
  all.length < 2 ? all : all.map((evidence, index) => renamed(evidence, uniqueName(all, index)))

/** Two directories may have the same name: then each is called by as much of its path as distinguishes it. */
function uniqueName(all: readonly Evidence[], index: number): string {
  const parts = all.map(({ sources }) => (sources[0]?.path ?? '').split('/'))
  const own = parts[index] ?? []
  for (let length = 1; length <= own.length; length++) {
    const name = own.slice(-length).join('/')
    if (parts.every((other, at) => at === index || other.slice(-length).join('/') !== name)) return name
  }
  return `${own.join('/')}#${index + 1}`
}

function renamed(evidence: Evidence, name: string): Evidence {
  return {
    ...evidence,
    runs: evidence.runs.map(run => ({ ...run, source: name })),
    sources: evidence.sources.map(source => ({ ...source, name })),
  }
}
