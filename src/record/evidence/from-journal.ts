import { basename } from 'node:path'
import type { Evidence } from '../../define/evidence.ts'
import type { Experiment } from '../../define/experiment.ts'
import type { Observation } from '../../define/observation.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { definitionOf, ownDefinitionOf, readExperiment } from '../journal/experiment-row.ts'
import { Journal } from '../journal/journal.ts'
import { objectIn } from '../journal/stored.ts'
import { journalFile, lastLine, outputFile, runFolder } from '../places.ts'
import { observations } from '../read/observations.ts'
import { comparableDefinition, definitionDigest } from './definition.ts'

export interface ReadOptions {
  /** Which series to read, by name; they are large. */
  readonly series: 'all' | readonly string[]
  /** Whether to read all attempts of each run. Default: false. */
  readonly attempts?: boolean
}

/** Every run of an experiment's definition that has ended, as evidence: whichever call selected it. */
export function evidenceOf(dir: string, options: ReadOptions): Evidence {
  const journal = Journal.openExisting(journalFile(dir))
  try {
    return evidenceIn(journal, dir, options)
  } finally {
    journal.close()
  }
}

/** The same, where the journal is open already. */
export function evidenceIn(journal: Journal, dir: string, options: ReadOptions): Evidence {
  const row = readExperiment(journal)
  if (row === undefined) throw new AssayError('not_found', `nothing has been run in ${dir} yet`)
  const experiment = definitionOf(journal, row)
  const name = basename(dir)
  return {
    runs: [...observations(journal, options)],
    metrics: experiment.metrics
      .filter(metric => metric.name !== '*')
      .map(({ name, goal, primary }) => ({ name, goal, primary })),
    blocks: experiment.blocks.map(block => block.name),
    factors: factorsOf(experiment),
    levels: levelsOf(experiment),
    ...searchOf(experiment),
    // Journals from before there was an analysis section have none.
    baseline: experiment.analysis?.baseline ?? null,
    sources: [
      {
        name,
        path: dir,
        planned: row.definition_planned,
        kind: 'experiment',
        sha256: definitionDigest(ownDefinitionOf(journal, row)),
      },
    ],
  }
}

function factorsOf({ factors, zip, include, ablations }: Experiment): readonly string[] {
  const names = [...factors, ...zip.flat()].map(factor => factor.name)
  const added = include.flatMap(row => Object.keys(row))
  return [...new Set([...names, ...added, ...(ablations.length > 0 ? ['ablation'] : [])])]
}

/** A grid has levels, whatever they were written as. */
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
  return ({ source, name }) => {
    const dir = runFolder(pathOf.get(source) ?? '', name)
    return lastLine(outputFile(dir, 'stderr')) || lastLine(outputFile(dir, 'stdout')) || null
  }
}

/** What an experiment was, and what it was run on. */
export interface Origin {
  /** As two people may compare it. */
  readonly definition: JsonObject
  /** Where its relative paths start. */
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
    const rows = journal.all<{ facts: string }>('SELECT facts FROM provenance ORDER BY id')
    return {
      definition: comparableDefinition(definition),
      folder: definition.folder,
      processes: rows.map(({ facts }) => objectIn(facts, 'provenance.facts', journal)),
    }
  } finally {
    journal.close()
  }
}
