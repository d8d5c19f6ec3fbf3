import type { ZodType } from 'zod'
import type { Json, JsonObject } from '../util/json.ts'
import type { Block, Contents, Experiment, Factor, MetricSpec, TargetSpec } from './experiment.ts'
import type { ModelSettings } from './models/model-settings.ts'
import type { Outcome } from './outcome.ts'
import type { Permits } from './permits.ts'
import type { AttemptMode, EarlierAttempt, ResourceUsage, Run } from './run.ts'

/** What a run does. One implementation per kind, all behind this interface. */
export interface Target<S = unknown> {
  readonly kind: string
  /** Its part of the configuration. */
  readonly schema: ZodType<S>
  /** Reads the files that its part names, and returns what follows from it; the schema parses the result. */
  complete?(spec: S, written: WrittenAround): Completion
  /** Checks beyond the schema: a missing program, an unknown placeholder. */
  check(spec: S, experiment: Experiment): readonly Problem[]
  /** The part of a run's identity that only the target knows; once per experiment. Relative paths only. */
  identity(spec: S, experiment: Experiment): JsonObject
  /** The exact command or call, for display only. */
  describe(spec: S, run: Run, place: RunPlace, experiment: Experiment): Description
  /** The most that this run can cost; without a run, a bound for any run: the loosest of all. */
  bound(spec: S, run?: Run): Bound
  /** What to write instead if a budget needs a bound and there is none. */
  readonly boundHint?: string
  execute(spec: S, run: Run, context: RunContext): Promise<Outcome>
  /** Whether `execute` in the mode `score` scores the files of an earlier attempt, without repeating its work. */
  readonly scoresAgain?: true
  /** What runs leave to be scored again, such as the files of their sandboxes. */
  readonly leftovers?: Leftovers
  /**
   * After a crash: whether an interrupted attempt had done its work, judging by the files in its folder, so that only
   * its score is missing.
   */
  hasOnlyScoringLeft?(runDir: string): boolean
  /** After a crash: ends what attempts with these tokens left besides processes, such as containers. */
  endLost?(tokens: readonly string[]): Promise<void>
  /** Files of the program itself, absolute: their digests are provenance, and a change causes a warning. */
  programFiles?(spec: S, experiment: Experiment): readonly string[]
  /** What users should know before it runs: that something other than what they wrote is used. */
  notes?(spec: S, experiment: Experiment): readonly string[]
  /**
   * What can only be determined by asking around, before anything is run: a model without a price, a missing key. In
   * the mode `score` only what scoring needs. `isElsewhere`: runs use the sandboxes of other machines.
   */
  ready?(
    spec: S,
    experiment: Experiment,
    runs: Iterable<Run>,
    mode: AttemptMode,
    isElsewhere?: boolean,
  ): Promise<readonly Problem[]>
  /** The cost of runs like this one, by declared and counted sizes; null if unknown. */
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
  /** The most that this run can cost, as far as the target knows; without a run, a bound for any run. */
  bound(run?: Run): Bound
}

export function bindTarget(target: Target, experiment: Experiment): BoundTarget {
  const spec = target.schema.parse(experiment.target)
  return { experiment, target, spec, bound: run => target.bound(spec, run) }
}

/** The parts of an experiment besides its target that a target may extend. */
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

/** A target's completed part, and what it adds to the experiment. */
export interface Completion {
  readonly spec: TargetSpec
  readonly factors: readonly Factor[]
  readonly blocks: readonly Block[]
  readonly metrics: readonly MetricSpec[]
  /** The contents that levels refer to: a level whose content changes is another level, and no other run is affected. */
  readonly contents: Contents
  readonly problems: readonly Problem[]
}

export interface RunEstimate {
  /** null: unknown. */
  readonly usd: number | null
  readonly at_most_usd: number | null
  /** If `usd` is the upper end of the likely range: the lower end. */
  readonly least_usd?: number | null
  /** How many model calls it makes, and how long it takes; without them it is unknown. */
  readonly calls?: number
  readonly seconds?: number
  /** assay's own time in addition: concurrent runs don't share it. */
  readonly own_seconds?: number
  /** The basis of these numbers, for display. */
  readonly basis?: string
}

/**
 * The most that one run can cost, in USD. `unknown`: only the experiment can say. `per_call`: a run only spends money
 * on model calls, and asks for a permit before each.
 */
export type Bound = number | 'unknown' | 'per_call'

export interface Problem {
  /** A place in the configuration, e.g. `['target', 'command', 0]`. */
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly hint?: string
  /** It prevents runs but not plans, such as a program that is not built yet. */
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
  /** Called if the target has made it itself. */
  directoryIsMade(): void
  /** Aborted with a {@link StopReason}; the target ends everything it started, waits until it is gone, then returns. */
  readonly signal: AbortSignal
  /** This attempt's secret: marks every process that belongs to it. */
  readonly token: string
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** Whether to do the run's work, or only to score the files of the attempt that it continues. */
  readonly mode: AttemptMode
  /** The earlier attempt that this one may continue; null: there is none, or the run is made anew. */
  readonly continues: (EarlierAttempt & { /** null: it left no files. */ readonly dir: string | null }) | null
  /** What the run may still cost, after its earlier attempts. null: no cap. */
  readonly runBudgetUsd: number | null
  /** Asked before each model call. The cost of calls is the run's `cost_usd`, without being reported. */
  readonly permits: Permits
  /** Which model answers under which name, as far as this experiment has seen. */
  readonly modelIds: ModelIds
  /** What providers billed beyond the requested maximum, by model; without it each process learns this itself. */
  readonly beyondBound?: ModelIds | undefined
  /** The run's own GPUs, by their CUDA names; default: all GPUs of the machine. */
  readonly gpus?: readonly string[] | undefined
  /** Milliseconds between asking to end and ending by force. */
  readonly graceMs: number
  /** A metric value, with its step if it has one. */
  report(point: Point): void
  /** Why a metric has no value; it may still be reported later. */
  lacks(metric: string, reason: string): void
  /** A message that people should see now. */
  note(message: string): void
  /** The run's process, as soon as it exists: recorded so that an orphan can be ended after a crash. */
  started(process: { readonly pid: number; readonly startTime: string | null }): void
  /** CPU time and peak memory; null: not measured. */
  measured(usage: ResourceUsage): void
}

/** The ids that providers give for models when they answer: the same name may mean another model tomorrow. */
export interface ModelIds {
  /** The last id seen; undefined before there was any. */
  get(model: string): string | undefined
  set(model: string, id: string): void
}

export interface Point {
  readonly metric: string
  readonly value: number
  readonly step: number | null
}

/** Why a budget is not enforceable, or null: money is reserved by the most that a run may cost, so that must be known. */
export function budgetProblem(
  { budget_usd, run_budget_usd }: Experiment['limits'],
  kind: string,
  bound: Bound,
): string | null {
  if (budget_usd === null || run_budget_usd !== null || bound !== 'unknown') return null
  return `a budget needs a maximum cost per run, and a ${kind} target does not declare one`
}
