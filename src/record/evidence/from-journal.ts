import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Evidence, EvidenceRun } from '../../define/evidence.ts'
import type { Experiment } from '../../define/experiment.ts'
import type { Series } from '../../define/job.ts'
import type { RecordedRun } from '../../define/observation.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { definitionOf, ownDefinitionOf, readExperiment } from '../journal/experiment-row.ts'
import { Journal } from '../journal/journal.ts'
import { journalFile, lastLine } from '../places.ts'
import { recordedRuns } from '../read/observations.ts'
import { definitionDigest } from './definition.ts'

export interface ReadOptions {
  /** Which series to read, by name; they are large. */
  readonly series: 'all' | readonly string[]
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

/** The same, where the journal is open already, and its runs perhaps read. */
export function evidenceIn(
  journal: Journal,
  dir: string,
  { series }: ReadOptions,
  recorded: Iterable<RecordedRun> = recordedRuns(journal),
): Evidence {
  const row = readExperiment(journal)
  if (row === undefined) throw new AssayError('not_found', `nothing has been run in ${dir} yet`)
  const experiment = definitionOf(journal, row)
  const name = basename(dir)
  const seriesOf = seriesByRun(journal, series)
  const codeOf = codeByRun(journal)
  const runs = [...recorded]
    .filter(({ outcome, state }) => outcome !== null && !withoutResult.has(state))
    .map(recorded => evidenceRun(recorded, experiment, name, seriesOf, codeOf))
  return {
    runs,
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

/** What is to run again, and what an earlier definition of the target gave, says nothing about the present one. */
const withoutResult: ReadonlySet<RecordedRun['state']> = new Set(['pending', 'running', 'stale'])

function evidenceRun(
  { id, run, outcome, metrics, problems, cost_usd, wall_s }: RecordedRun,
  experiment: Experiment,
  source: string,
  seriesOf: ReadonlyMap<number, readonly Series[]>,
  codeOf: ReadonlyMap<number, Made>,
): EvidenceRun {
  const blocks = new Set(experiment.blocks.map(block => block.name))
  const own = Object.entries(run.params).filter(([name]) => !blocks.has(name))
  return {
    name: run.name,
    source,
    params: { ...Object.fromEntries(own), ...(run.ablation === null ? {} : { ablation: run.ablation }) },
    block: run.block,
    replicate: run.replicate,
    outcome: outcome ?? { kind: 'infra_error' },
    metrics,
    problems,
    series: seriesOf.get(id) ?? [],
    cost_usd,
    wall_s,
    code: codeOf.get(id)?.code ?? null,
    fingerprint: codeOf.get(id)?.fingerprint ?? '',
    key: run.key,
    token: codeOf.get(id)?.token ?? '',
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

function seriesByRun(journal: Journal, wanted: ReadOptions['series']): ReadonlyMap<number, readonly Series[]> {
  const byRun = new Map<number, Series[]>()
  if (wanted !== 'all' && wanted.length === 0) return byRun
  const names = wanted === 'all' ? null : JSON.stringify(wanted)
  const rows = journal.iterate<{ id: number; name: string; steps: string; points: string }>(
    `SELECT r.id, s.name, s.steps, s.points FROM series s JOIN runs r ON r.attempt_id = s.attempt_id
     WHERE ?1 IS NULL OR s.name IN (SELECT value FROM json_each(?1))`,
    names,
  )
  for (const { id, name, steps, points } of rows) {
    const series = { metric: name, steps: JSON.parse(steps) as number[], values: JSON.parse(points) as number[] }
    const list = byRun.get(id)
    if (list === undefined) byRun.set(id, [series])
    else list.push(series)
  }
  return byRun
}

interface Made {
  readonly code: string | null
  readonly fingerprint: string
  readonly token: string
}

/** Each run's last attempt, and what it was made with: the commit of its process, and the fingerprint of its definition. */
function codeByRun(journal: Journal): ReadonlyMap<number, Made> {
  const rows = journal.all<{ id: number; fingerprint: string; token: string; git: string | null }>(
    `SELECT r.id, a.fingerprint, a.token, json_extract(p.facts, '$.git') AS git
     FROM runs r JOIN attempts a ON a.id = r.attempt_id JOIN workers w ON w.id = a.worker_id
     LEFT JOIN provenance p ON p.id = w.provenance_id`,
  )
  return new Map(
    rows.map(({ id, fingerprint, token, git }) => {
      const facts = git === null ? null : (JSON.parse(git) as JsonObject)
      const code = facts === null ? null : `${String(facts.commit)}${facts.dirty ? '+' : ''}`
      return [id, { code, fingerprint, token }] as const
    }),
  )
}

/** What is known of runs besides the evidence: what they printed last, and all that was spent on them. */
export function runFactsOf({ sources }: Evidence): {
  lastLineOf(run: EvidenceRun): string | null
  spentOn(run: EvidenceRun): Spent | null
} {
  const pathOf = new Map(sources.map(({ name, path }) => [name, path]))
  const spentIn = new Map(sources.map(({ name, path }) => [name, spentOnRetries(path)]))
  return {
    lastLineOf({ source, name }) {
      const dir = join(pathOf.get(source) ?? '', 'runs', name)
      return lastLine(join(dir, 'stderr.txt')) || lastLine(join(dir, 'stdout.txt')) || null
    },
    spentOn({ source, name, cost_usd }) {
      const spent = spentIn.get(source)?.get(name)
      return spent !== undefined ? spent : cost_usd === null ? null : { usd: cost_usd, isAssumed: false }
    },
  }
}

interface Spent {
  readonly usd: number
  readonly isAssumed: boolean
}

/** The runs of which the last attempt's cost does not say all: those with several attempts, or with an assumed cost. */
function spentOnRetries(dir: string): ReadonlyMap<string, Spent | null> {
  // A table has no journal.
  if (!existsSync(journalFile(dir))) return new Map()
  const journal = Journal.openExisting(journalFile(dir))
  try {
    const rows = journal.all<{ name: string; usd: number | null; assumed: number }>(
      `SELECT r.name, sum(a.cost_usd) AS usd, max(a.cost_assumed) AS assumed
       FROM attempts a JOIN runs r ON r.id = a.run_id WHERE r.attempts > 1 OR a.cost_assumed = 1 GROUP BY r.id`,
    )
    return new Map(
      rows.map(({ name, usd, assumed }) => [name, usd === null ? null : { usd, isAssumed: assumed === 1 }]),
    )
  } finally {
    journal.close()
  }
}

/** What an experiment was, and what it was run on. */
export interface Origin {
  readonly definition: Experiment
  /** Of each process that worked on it, oldest first. */
  readonly processes: readonly JsonObject[]
}

export function originOf(dir: string): Origin {
  const journal = Journal.openExisting(journalFile(dir))
  try {
    const row = readExperiment(journal)
    if (row === undefined) throw new AssayError('not_found', `nothing has been run in ${dir} yet`)
    const rows = journal.all<{ facts: string }>('SELECT facts FROM provenance ORDER BY id')
    return {
      definition: definitionOf(journal, row),
      processes: rows.map(({ facts }) => JSON.parse(facts) as JsonObject),
    }
  } finally {
    journal.close()
  }
}
