import type { ZodType } from 'zod'
import type { Json, JsonObject } from '../util/json.ts'
import type { Block, Contents, Experiment, Factor, MetricSpec, TargetSpec } from './experiment.ts'
import type { ModelSettings } from './models/model-settings.ts'
import type { Outcome } from './outcome.ts'
import type { Permits } from './permits.ts'
import type { AttemptMode, EarlierAttempt, Run } from './run.ts'

/** What a run does. One implementation per kind, all behind this interface. */
export interface Target<S = unknown> {
  readonly kind: string
  /** Its part of the configuration. */
  readonly schema: ZodType<S>
  /** Reads the files that its part names, and says what follows from it; the schema takes what comes out. */
  complete?(spec: S, written: WrittenAround): Completion
  /** What a schema can't see: a missing program, an unknown placeholder. */
  check(spec: S, experiment: Experiment): readonly Problem[]
  /** The part of a run's identity that only the target knows; once per experiment. Relative paths only. */
  identity(spec: S, experiment: Experiment): JsonObject
  /** The exact command or call, for people only. */
  describe(spec: S, run: Run, place: RunPlace, experiment: Experiment): Description
  /** The most that this run can cost; without a run, what holds for any: the loosest of all. */
  bound(spec: S, run?: Run): Bound
  /** What else to write where a budget needs a bound and there is none. */
  readonly boundHint?: string
  execute(spec: S, run: Run, context: RunContext): Promise<Outcome>
  /** Whether `execute` in the mode `score` scores what an earlier attempt left, without doing its work again. */
  readonly scoresAgain?: true
  /** What runs leave to be scored again, such as the files of their sandboxes. */
  readonly leftovers?: Leftovers
  /** After a crash: whether an attempt that was cut off had done its work, by the files in its folder, so that only its score is missing. */
  hasOnlyScoringLeft?(runDir: string): boolean
  /** After a crash: ends what attempts with these tokens have left besides processes, such as containers. */
  endLost?(tokens: readonly string[]): Promise<void>
  /** Files of the program itself, absolute: their digests are provenance, and a change is worth a warning. */
  programFiles?(spec: S, experiment: Experiment): readonly string[]
  /** What people should know before it runs: that something else is used than they wrote. */
  notes?(spec: S, experiment: Experiment): readonly string[]
  /** What can only be found out by asking around, before anything is run: a model without a price, a key that is missing. In the mode `score` only what scoring needs. `isElsewhere`: runs use the sandboxes of other machines. */
  ready?(
    spec: S,
    experiment: Experiment,
    runs: Iterable<Run>,
    mode: AttemptMode,
    isElsewhere?: boolean,
  ): Promise<readonly Problem[]>
  /** What runs like this one cost, by declared and counted sizes; null where it is unknown. */
  estimate?(spec: S, run: Run, experiment: Experiment): Promise<RunEstimate>
  /** Ends what was kept alive between runs, such as worker threads. */
  close?(): Promise<void>
}

/** What a run leaves in its folder besides results. */
export interface Leftovers {
  /** A folder for each piece, of the last attempt and of earlier ones. */
  of(runDir: string): readonly string[]
  /** Whether the run has done its work and the leftovers are gone. */
  areGone(runDir: string): boolean
  /** Deletes them, with the containers that belong to them. */
  discard(runDir: string): Promise<void>
}

/** An experiment with its target and that target's part of the definition, parsed: made by {@link bindTarget} alone. */
export interface BoundTarget {
  readonly experiment: Experiment
  readonly target: Target
  /** The experiment's `target`, as that target's schema parsed it. */
  readonly spec: unknown
  /** The most that this run can cost by what the target knows; without a run, what holds for any. */
  bound(run?: Run): Bound
}

export function bindTarget(target: Target, experiment: Experiment): BoundTarget {
  const spec = target.schema.parse(experiment.target)
  return { experiment, target, spec, bound: run => target.bound(spec, run) }
}

/** What an experiment says besides its target, as far as a target may add to it. */
export interface WrittenAround {
  readonly factors: readonly string[]
  readonly params: JsonObject
  readonly blocks: readonly Block[]
  readonly metrics: readonly MetricSpec[]
  readonly models: ModelSettings
  /** Every level that a factor or parameter has in some variant. */
  levelsOf(name: string): readonly Json[]
  /** Where relative paths are looked for. */
  readonly folder: string
  readonly cwd: string
}

/** A target's part once it is whole, and what it adds to the experiment. */
export interface Completion {
  readonly spec: TargetSpec
  readonly factors: readonly Factor[]
  readonly blocks: readonly Block[]
  readonly metrics: readonly MetricSpec[]
  /** What levels stand for: a level whose content changes is another level, and no other run is touched. */
  readonly contents: Contents
  readonly problems: readonly Problem[]
}

export interface RunEstimate {
  /** null: unknown. */
  readonly usd: number | null
  readonly at_most_usd: number | null
  /** Where `usd` is the upper end of what is likely: the lower one. */
  readonly least_usd?: number | null
  /** Calls of models that it makes, and how long it takes; without them it is unknown. */
  readonly calls?: number
  readonly seconds?: number
  /** What assay itself takes for it beside that: runs at once don't share it. */
  readonly own_seconds?: number
  /** What these numbers rest on, for people. */
  readonly basis?: string
}

/**
 * The most that one run can cost, in USD. `unknown`: only the experiment can say. `per_call`: whatever a run spends, it
 * spends on calls of models, and asks for a permit before each.
 */
export type Bound = number | 'unknown' | 'per_call'

export interface Problem {
  /** Where in the configuration, e.g. `['target', 'command', 0]`. */
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly hint?: string
  /** It hinders a run and no plan, such as a program that is not built yet. */
  readonly isOnlyForRuns?: true
}

export interface Description {
  readonly command: readonly string[]
  readonly cwd: string
}

/** Where a run's files are; the folders need not exist yet. */
export interface RunPlace {
  readonly run_dir: string
  readonly out_dir: string
}

/** What a target may use while it executes a run. */
export interface RunContext {
  readonly experiment: Experiment
  readonly place: RunPlace
  /** Makes the run's directory (and `out/`) on first use. */
  makeDirectory(): RunPlace
  /** Says that the target has made it itself. */
  directoryIsMade(): void
  /** Aborted with a {@link StopReason}; the target ends everything it started, waits until it is gone, then returns. */
  readonly signal: AbortSignal
  /** This attempt's secret word: marks every process that belongs to it. */
  readonly token: string
  /** The how-many-th attempt, from 1. */
  readonly attempt: number
  /** Whether to do what a run does, or only to score what the attempt that it continues has left. */
  readonly mode: AttemptMode
  /** The earlier attempt that this one may go on from; null: there is none, or the run is made anew. */
  readonly continues: (EarlierAttempt & { /** null: it left no files. */ readonly dir: string | null }) | null
  /** What the run may still cost: its earlier attempts count. null: no cap. */
  readonly runBudgetUsd: number | null
  /** Asked before each call of a model. What calls cost is the run's `cost_usd`, without being reported. */
  readonly permits: Permits
  /** Which model answers under which name, as far as this experiment has seen. */
  readonly modelIds: ModelIds
  /** What providers were seen to bill beyond what they were asked for, by model; without it each process sees for itself. */
  readonly beyondBound?: ModelIds | undefined
  /** The GPUs that are the run's own, as CUDA names them; without it all that the machine has. */
  readonly gpus?: readonly string[] | undefined
  /** Milliseconds between asking to end and ending by force. */
  readonly graceMs: number
  /** A metric value, at a step if it has one. */
  report(point: Point): void
  /** Why a metric has no value; one that is reported later has. */
  lacks(metric: string, reason: string): void
  /** Something that people should know now. */
  note(message: string): void
  /** The process that carries the run, as soon as it exists: recorded so that an orphan can be ended after a crash. */
  started(process: { readonly pid: number; readonly startTime: string | null }): void
  /** CPU time and peak memory; null: it could not be measured. */
  measured(usage: { readonly cpu_s: number | null; readonly max_rss_bytes: number | null }): void
}

/** The ids that providers give for models when they answer: the same name may stand for another model tomorrow. */
export interface ModelIds {
  /** The last that was seen; undefined before there was any. */
  get(model: string): string | undefined
  set(model: string, id: string): void
}

export interface Point {
  readonly metric: string
  readonly value: number
  readonly step: number | null
}

/** Why a budget could not be kept, or null: money is set aside by the most that a run may cost, so that must be known. */
export function budgetProblem(
  { budget_usd, run_budget_usd }: Experiment['limits'],
  kind: string,
  bound: Bound,
): string | null {
  if (budget_usd === null || run_budget_usd !== null || bound !== 'unknown') return null
  return `a budget can only be kept if it is known what one run may cost, and a ${kind} can't say`
}
