import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Evidence, EvidenceSource, Observation } from '../../define/observation.ts'
import { evidenceIn, mergeEvidence } from '../../record/evidence/evidence.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { outputFiles } from '../../record/places.ts'
import { folderOf } from '../../record/read/observations.ts'
import type { Dataset, RunFolder } from '../../report/dataset/dataset.ts'
import { thinSeries } from '../../report/dataset/pack.ts'
import { factsByExperiment, type PartFacts, partFactsIn, titleOf } from '../../report/gather/gather-dataset.ts'
import { maskedParameters, tailsOf } from '../../report/gather/run-files.ts'
import { version } from '../../util/version.ts'
import { folderInside } from '../security/file-inside.ts'
import { readJournal } from './read-journal.ts'

/** Examples of what failed runs said; everything else is fetched when a run is opened. */
const mostExamples = 60

/**
 * What the report of these experiments would hold, without what lies in the runs' folders: the page asks for that run by
 * run. Several experiments make `experiment` a factor.
 */
export function liveDataset(root: string, dirs: readonly string[]): Dataset {
  const parts = dirs.map(dir => readJournal(dir, journal => readPart(journal, dir, dirs.length === 1)))
  const whole = mergeEvidence(parts.map(({ evidence }) => evidence))
  const { runs, reduced, points } = thinSeries(maskedParameters(whole.runs))
  const names = whole.sources.map(({ name }) => name)
  const dirOf = new Map(names.map((name, at) => [name, dirs[at] ?? '']))
  const examples = tailsOf(
    runs,
    exampleFolders(runs, root, run => folderOf(run, dirOf.get(run.source) ?? '')),
  )
  const partOf = ({ name }: EvidenceSource): PartFacts => {
    const part = parts[names.indexOf(name)]
    if (part === undefined) throw new RangeError(`${name} is none of the experiments`)
    return { ...part.facts, facts: { ...part.facts.facts, name } }
  }
  const experiments = factsByExperiment({ ...whole, runs }, partOf)
  return {
    title: titleOf(experiments),
    assay: version,
    experiments,
    evidence: {
      ...whole,
      runs,
      sources: whole.sources.map(source => ({ ...source, path: basename(source.path) })),
    },
    folders: runs.map(
      (_, at): RunFolder => ({
        files: null,
        output: examples.tails[at] ?? [],
        trace: [],
        unmet: [],
        reduced: reduced[at] ?? {},
      }),
    ),
    kept: {
      series_points: points,
      printed: 0,
      with_output: examples.tails.filter(tails => tails.length > 0).length,
      with_files: false,
      traced: 0,
      with_trace: 0,
    },
  }
}

interface Part {
  readonly evidence: Evidence
  readonly facts: PartFacts
}

function readPart(journal: Journal, dir: string, isOnly: boolean): Part {
  return {
    evidence: evidenceIn(journal, dir, { series: 'all', attempts: true }),
    facts: partFactsIn(journal, basename(dir), dir, isOnly),
  }
}

function exampleFolders(
  runs: readonly Observation[],
  root: string,
  folderOf: (run: Observation) => string | null,
): readonly (string | null)[] {
  const seen = new Map<string, number>()
  let room = mostExamples
  return runs.map(run => {
    const { outcome } = run
    if (outcome.kind === 'completed' || room === 0) return null
    const group = `${outcome.kind} ${outcome.error_class ?? ''}`
    const before = seen.get(group) ?? 0
    if (before === 3) return null
    seen.set(group, before + 1)
    room--
    const folder = folderOf(run)
    return folder === null || !hasPlainOutput(folder) ? null : folderInside(root, folder)
  })
}

/** A link in place of what a run printed may lead anywhere. */
const hasPlainOutput = (folder: string): boolean =>
  Object.values(outputFiles).every(
    name => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink() !== true,
  )
