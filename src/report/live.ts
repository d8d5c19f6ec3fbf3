import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  branchOf,
  type Evidence,
  type EvidenceSource,
  knownMetrics,
  type Observation,
  type RunRecord,
} from '../define/observation.ts'
import { evidenceIn, mergeEvidence } from '../record/evidence/evidence.ts'
import type { Journal } from '../record/journal/journal.ts'
import { outputFiles } from '../record/places.ts'
import { folderOf } from '../record/read/observations.ts'
import { version } from '../util/version.ts'
import { counted } from '../util/words.ts'
import type { Dataset, RunFolder } from './dataset/dataset.ts'
import { packDataset, thinSeries } from './dataset/pack.ts'
import type { RunStory, RunTrajectory } from './dataset/turns.ts'
import { comparisonsOf } from './findings/comparisons.ts'
import { type VerdictFinding, verdictOf } from './findings/verdict.ts'
import { defaultView } from './findings/view.ts'
import { factsByExperiment, type PartFacts, partFactsIn, titleOf } from './gather/gather-dataset.ts'
import { answersOf, unmetOf } from './gather/run-asserts.ts'
import { filesOf, maskedParameters, tailsOf } from './gather/run-files.ts'
import { wholeWorkIn } from './gather/run-tasks.ts'
import { tracesOf } from './gather/run-traces.ts'
import { storyFile, wholeStoryIn } from './gather/stories/run-stories.ts'
import { trajectoryFile, wholeTrajectoryIn } from './gather/trajectories/run-trajectories.ts'

/** How many failed runs show their output as examples; everything else is fetched when a run is opened. */
const mostExamples = 60

/** With more runs, the page only shows whether they passed; answers appear when a run is opened. */
const mostAnswered = 1000

/**
 * How the dashboard accesses experiments: it reads journals while others write them, and only inside the folder that it
 * serves.
 */
export interface LiveAccess {
  /** Reads the journal of an experiment's directory. */
  read<T>(dir: string, work: (journal: Journal) => T): T
  /** The folder itself, if it exists and may be shown; otherwise null. */
  shown(folder: string): string | null
}

/** The data of the dashboard's page for these experiments, as bytes. */
export const packedLive = (dirs: readonly string[], access: LiveAccess): Uint8Array =>
  packDataset(liveDataset(dirs, access))

type LiveHeadline = Pick<VerdictFinding, 'headline' | 'kind' | 'verdict' | 'levels'>

/** The headline of the experiment's page; for branches separately, if other runs started from the beginning. */
export function liveHeadline(
  dir: string,
  access: LiveAccess,
): LiveHeadline & { readonly branches: LiveHeadline | null } {
  const dataset = liveDataset([dir], access)
  const branches = partOf(dataset, run => branchOf(run) !== null)
  const others = partOf(dataset, run => branchOf(run) === null)
  if (branches.evidence.runs.length === 0 || others.evidence.runs.length === 0)
    return { ...headlineOf(dataset), branches: null }
  const own = headlineOf(others)
  const without = `Without its ${counted(branches.evidence.runs.length, 'branch')}: ${own.headline}`
  return { ...own, headline: without, branches: headlineOf(branches) }
}

function headlineOf(dataset: Dataset): LiveHeadline {
  const view = defaultView(dataset)
  const { headline, kind, verdict, levels } = verdictOf(dataset, view, comparisonsOf(dataset, view))
  return { headline, kind, verdict, levels }
}

/** The same with only these runs. */
function partOf(dataset: Dataset, isWanted: (run: Observation) => boolean): Dataset {
  const { runs } = dataset.evidence
  return {
    ...dataset,
    evidence: { ...dataset.evidence, runs: runs.filter(isWanted) },
    folders: dataset.folders.filter((_, at) => runs[at] !== undefined && isWanted(runs[at])),
  }
}

/** One run as its page shows it, with masked secrets and the content of its folder. */
export function liveRun<Run extends RunRecord>(
  record: Run,
  folder: string | null,
  { isTask }: { readonly isTask: boolean },
): Run & LiveFolder {
  // Links are not followed: they may lead anywhere.
  const lists = filesOf([folder]).lists
  const files = lists[0] ?? []
  const isThere = (path: string): boolean => files.some(file => file.path === path)
  // As much output as a report shows of a failed run.
  const [tails = []] = tailsOf([{ outcome: { kind: 'failed' } }], [folder]).tails
  const [masked = record] = maskedParameters([record])
  return {
    ...masked,
    files,
    output: tails.filter(({ stream }) => isThere(`${stream}.txt`)),
    trace: isThere('trace.jsonl') ? (tracesOf([folder], lists).turns[0] ?? []) : [],
    // The page of a run shows out/answer.json itself.
    unmet: [],
    answer: null,
    task: isTask && folder !== null ? wholeWorkIn(folder) : null,
    trajectory: folder !== null && isThere(trajectoryFile) ? wholeTrajectoryIn(folder) : null,
    story: folder !== null && isThere(storyFile) ? wholeStoryIn(folder) : null,
    reduced: {},
  }
}

type LiveFolder = RunFolder & { readonly files: NonNullable<RunFolder['files']> }

/** The work of a run's agent, from this turn on, as far as one page holds it; null: there is none. */
export const liveTrajectory = (folder: string, first: number): RunTrajectory | null => wholeTrajectoryIn(folder, first)

/** The same for a run of a scenario. */
export const liveStory = (folder: string, first: number): RunStory | null => wholeStoryIn(folder, first)

/**
 * The report of these experiments without the content of the runs' folders: the page requests that per run. Several
 * experiments make `experiment` a factor.
 */
function liveDataset(dirs: readonly string[], { read, shown }: LiveAccess): Dataset {
  const parts = dirs.map(dir => read(dir, journal => readPart(journal, dir, dirs.length === 1)))
  const whole = mergeEvidence(parts.map(({ evidence }) => evidence))
  const { runs, reduced, points } = thinSeries(maskedParameters(whole.runs))
  const names = whole.sources.map(({ name }) => name)
  const dirOf = new Map(names.map((name, at) => [name, dirs[at] ?? '']))
  const examples = tailsOf(
    runs,
    exampleFolders(runs, shown, run => folderOf(run, dirOf.get(run.source) ?? '')),
  )
  const prompted =
    runs.length > mostAnswered ? [] : promptFolders(runs, shown, run => folderOf(run, dirOf.get(run.source) ?? ''))
  const [unmet, answers] = [unmetOf(runs, prompted), answersOf(runs, prompted)]
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
        unmet: unmet[at] ?? [],
        answer: answers[at] ?? null,
        task: null,
        trajectory: null,
        story: null,
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
      tasks: 0,
      with_task: 0,
      trajectories: 0,
      with_trajectory: 0,
      stories: 0,
      with_story: 0,
    },
  }
}

/** Runs with asserts, which thus have an answer; few enough to be read quickly. */
const promptFolders = (
  runs: readonly Observation[],
  shown: LiveAccess['shown'],
  folderOf: (run: Observation) => string | null,
): readonly (string | null)[] =>
  runs.map(run => {
    const folder = run.metrics[knownMetrics.passed] === undefined ? null : folderOf(run)
    return folder === null ? null : shown(folder)
  })

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
  shown: LiveAccess['shown'],
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
    return folder === null || !hasPlainOutput(folder) ? null : shown(folder)
  })
}

/** A link in place of an output file may lead anywhere. */
const hasPlainOutput = (folder: string): boolean =>
  Object.values(outputFiles).every(
    name => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink() !== true,
  )
