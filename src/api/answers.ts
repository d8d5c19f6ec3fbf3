import { existsSync, statSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import type { Asked } from '../analyze/choices.ts'
import { type CompareAsked, type ComparisonAnswer, compareEvidence, oneOrSeveral } from '../analyze/compare/compare.ts'
import { type EffectsAnswer, type EffectsAsked, effectsAnswer } from '../analyze/effects/effects.ts'
import { answerAsked, type PowerAsked, type PowerDocument } from '../analyze/power/power-page.ts'
import { parseWindow, summaryOption } from '../analyze/reading.ts'
import {
  type Importance,
  importances,
  type ParallelCoordinates,
  parallelCoordinates,
} from '../analyze/search/importances.ts'
import {
  bestSoFar,
  type HistoryPoint,
  type Objective,
  paretoFront,
  type SearchTrial,
  trialsOf,
} from '../analyze/search/trials.ts'
import { type VarianceAnswer, type VarianceAsked, varianceAnswer } from '../analyze/variance/variance.ts'
import type { Evidence, RunRecord } from '../define/observation.ts'
import { hasTrajectories } from '../models/trajectory/trajectory-files.ts'
import { evidenceOf, keptEvidence, type ReadOptions } from '../record/evidence/evidence.ts'
import { asExperimentDirectory } from '../record/places.ts'
import { evidenceOfTrajectories } from '../report/gather/trajectory-evidence.ts'
import { makeReport, reportAnswer } from '../report/make-report.ts'
import { AssayError } from '../util/errors.ts'
import type { JsonObject } from '../util/json.ts'
import { refuseUnknown } from './refuse-unknown.ts'

/** The runs to use: experiment directories, tables (`.csv`, `.jsonl`), or results of {@link run}; one or several. */
export type Runs = string | { readonly dir: string }

/** Which of the runs, and what belongs together. */
export interface Which {
  /** As on the command line: `policy=full`, `size > 10`; all must match. */
  readonly filter?: readonly string[]
  /** The blocks to pair runs by, instead of the experiment's. */
  readonly pairBy?: readonly string[]
  /** For a table: the columns that were varied. */
  readonly group?: readonly string[]
}

/** How a series becomes a number, as text: `last`, `auc`, …, over `all`, `last:25%`, … */
interface Summed {
  readonly summary?: string
  readonly window?: string
}

export type CompareOptions = Which & Summed & Omit<CompareAsked, keyof Which | keyof Summed>
export type EffectsOptions = Which & Summed & Omit<EffectsAsked, keyof Which | keyof Summed>
export type VarianceOptions = Which &
  Summed &
  Omit<VarianceAsked, keyof Which | keyof Summed | 'slopeWindow'> & { readonly slopeWindow?: string }
export type PowerOptions = Which & Summed & Omit<PowerAsked, keyof Which | keyof Summed>
export interface ReportOptions extends Which {
  readonly metric?: string
  readonly control?: JsonObject
  readonly alpha?: number
  /** Default: html. */
  readonly format?: 'html' | 'md' | 'comment' | 'json' | 'csv' | 'junit' | 'svg' | 'png'
  /** The file to write, instead of `report/` in the experiment's directory. */
  readonly file?: string
}

export interface ReportAnswer {
  readonly kind: 'report'
  /** The answer in one sentence; null: this format has none. */
  readonly headline: string | null
  readonly files: readonly string[]
  /** Pictures that could not be drawn, and why. */
  readonly left_out?: readonly { readonly chart: string; readonly reason: string }[]
}

/**
 * Control against each candidate on a metric: what `assay compare --json` prints.
 *
 * @example
 * const answer = compare(await run(experiment), { metric: 'square', control: { x: 1 }, candidate: [{ x: 2 }] })
 * if ('verdict' in answer) console.log(answer.verdict, answer.sentence)
 */
export function compare(runs: Runs | readonly Runs[], options: CompareOptions = {}): ComparisonAnswer {
  refuseUnknown('compare', options, compareNames)
  const { compared, provenance } = compareEvidence(evidenceIn(runs, options), { ...options, ...summed(options) })
  return oneOrSeveral(
    compared.map(({ comparison }) => comparison),
    provenance,
  )
}

/** How much each factor matters: what `assay effects --json` prints. */
export function effects(runs: Runs | readonly Runs[], options: EffectsOptions = {}): EffectsAnswer {
  refuseUnknown('effects', options, effectsNames)
  return effectsAnswer(evidenceIn(runs, options), { ...options, ...summed(options) })
}

/** How much runs of the same variant differ, and whether there are enough of them: `assay variance --json`. */
export function variance(runs: Runs | readonly Runs[], options: VarianceOptions = {}): VarianceAnswer {
  refuseUnknown('variance', options, varianceNames)
  const { slopeWindow } = options
  const window = slopeWindow === undefined ? undefined : parseWindow(slopeWindow)
  return varianceAnswer(evidenceIn(runs, options), { ...options, ...summed(options), slopeWindow: window }).answer
}

/**
 * How many runs find a difference, or what so many can find: `assay power --json`. With runs as a pilot, or (`null`) from
 * what is known of their spread.
 *
 * @example
 * const { sentence } = power(null, { sd: 2, effect: 1 })
 */
export function power(pilot: Runs | readonly Runs[] | null, options: PowerOptions): PowerDocument {
  refuseUnknown('power', options, powerNames)
  const evidence = pilot === null ? null : () => evidenceIn(pilot, options)
  return answerAsked(evidence, { ...options, ...summed(options) }).document
}

/** Writes the report and returns its place, like `assay report --json`. */
export async function report(runs: Runs | readonly Runs[], options: ReportOptions = {}): Promise<ReportAnswer> {
  refuseUnknown('report', options, reportNames)
  const { filter = [], file } = options
  // A single filter stays editable in the report; several can't be written as one.
  const evidence = evidenceIn(runs, filter.length < 2 ? { ...options, filter: [] } : options, {
    series: 'all',
    attempts: true,
  })
  const [only] = evidence.sources
  const dir = only !== undefined && evidence.sources.length === 1 ? asExperimentDirectory(only.path) : undefined
  const place = { folder: join(dir ?? process.cwd(), 'report'), file: file === undefined ? undefined : resolve(file) }
  return reportAnswer(await makeReport(evidence, options, place))
}

const whichNames = { filter: true, pairBy: true, group: true } as const
const summedNames = { summary: true, window: true } as const
const drawingNames = { seed: true, resamples: true, rng: true } as const
const askedNames = {
  ...{ ...whichNames, ...summedNames, ...drawingNames },
  ...({ metric: true, goal: true, control: true, unpaired: true, missing: true, method: true, alpha: true } as const),
} as const
const compareNames = {
  ...askedNames,
  ...({
    candidate: true,
    best: true,
    side: true,
    range: true,
    family: true,
    weights: true,
    strata: true,
    margin: true,
    correction: true,
  } as const),
  ...({ statistic: true, also: true, rliable: true, tTest: true } as const),
} as const
const effectsNames = { ...askedNames, correction: true } as const
const varianceNames = {
  ...{ ...whichNames, ...summedNames, ...drawingNames },
  ...({ metric: true, alpha: true, slopeWindow: true, threshold: true } as const),
} as const
const { rng: _, ...askedByPower } = askedNames
const powerNames = {
  ...askedByPower,
  ...({
    candidate: true,
    side: true,
    effect: true,
    runs: true,
    power: true,
    halfWidth: true,
    sizes: true,
    sd: true,
  } as const),
  ...({ baseRate: true, discordant: true, ratio: true, taskSd: true, rolloutSd: true, rollouts: true } as const),
  ...({ taskCost: true, rolloutCost: true, budget: true, trials: true } as const),
} as const
const reportNames = { ...whichNames, metric: true, control: true, alpha: true, format: true, file: true } as const

const summed = ({ summary, window }: Summed): { readonly summary: Asked['summary'] } => ({
  summary: summaryOption({ ...(summary !== undefined && { summary }), ...(window !== undefined && { window }) }),
})

function evidenceIn(
  runs: Runs | readonly Runs[],
  { metric, ...which }: Which & { readonly metric?: string | undefined },
  read: ReadOptions = { series: metric === undefined ? 'all' : [metric] },
): Evidence {
  const places = (isSeveral(runs) ? runs : [runs]).map(one => (typeof one === 'string' ? one : one.dir))
  return keptEvidence(
    places.map(place => evidenceAt(resolve(place), place, which, read)),
    which,
  )
}

const isSeveral = (runs: Runs | readonly Runs[]): runs is readonly Runs[] => Array.isArray(runs)

function evidenceAt(path: string, named: string, { group, pairBy }: Which, read: ReadOptions): Evidence {
  const dir = asExperimentDirectory(path)
  if (dir !== undefined) return evidenceOf(dir, read)
  if (existsSync(path) && ['.csv', '.jsonl', '.ndjson'].includes(extname(path)))
    return evidenceOf(path, { ...read, columns: { group: group ?? [], pairBy: pairBy ?? null, run: null, step: null } })
  if (existsSync(path) && statSync(path).isDirectory() && hasTrajectories(path))
    return evidenceOfTrajectories(path, read, () => {})
  throw new AssayError(
    'not_found',
    `${named} is neither an experiment directory nor a table nor a folder of trajectories`,
    {
      hint: 'Give the `dir` that `run` returned, a .csv or .jsonl file, or a folder of trajectories.',
    },
  )
}

/** The result of a search, as data for tables and pictures. */
export interface SearchResults {
  readonly trials: readonly SearchTrial[]
  readonly best: SearchTrial | null
  readonly history: readonly HistoryPoint[]
  readonly importances: readonly Importance[]
  readonly parallel: ParallelCoordinates
  /** The trials that no other beats in all objectives. */
  readonly front: readonly SearchTrial[]
}

/** For the runs that {@link run} returned. The first objective decides which is best; several give a Pareto front. */
export function searchResults(
  runs: readonly RunRecord[],
  ...objectives: readonly [Objective, ...Objective[]]
): SearchResults {
  for (const objective of objectives) refuseUnknown('searchResults', objective, { metric: true, goal: true })
  const ended = runs.flatMap(({ params, outcome, metrics }) => (outcome === null ? [] : [{ params, outcome, metrics }]))
  const trials = trialsOf(ended)
  const [objective] = objectives
  const history = bestSoFar(trials, objective)
  return {
    trials,
    best: trials[history.findLastIndex(({ isBest }) => isBest)] ?? null,
    history,
    importances: importances(trials, objective),
    parallel: parallelCoordinates(trials, objective),
    // A trial that was stopped early is cheap for that reason alone.
    front: paretoFront(trialsOf(ended, 'completed'), objectives),
  }
}
