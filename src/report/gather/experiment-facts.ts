import { existsSync } from 'node:fs'
import { basename, relative } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import { journalFile } from '../../record/directory/experiment-directory.ts'
import { definitionOf, limitsSet, readExperiment } from '../../record/journal/experiment-row.ts'
import { Journal } from '../../record/journal/journal.ts'
import { labelsOf } from '../../record/journal/labels.ts'
import { standing } from '../../record/read/standing.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import type { ExperimentFacts, Standing } from '../dataset/dataset.ts'
import { maskedDefinition } from './masked.ts'

/** What is known of an experiment as a whole; of a table, its name. */
export function experimentFacts(name: string, path: string): ExperimentFacts {
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
