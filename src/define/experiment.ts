import type { Json, JsonObject } from '../util/json.ts'
import type { Limits } from './limits.ts'
import type { CallSettings, ModelSettings } from './models/model-settings.ts'
import type { Reading, Series } from './run.ts'

/**
 * An experiment, translated from any dialect: plain data, with all defaults filled in. Field names are those of the
 * configuration file, so that users always read the names that they wrote.
 */
export interface Experiment {
  readonly name: string
  readonly dialect: string
  readonly description: string
  /** The configuration file, absolute; null when the experiment was defined in code. */
  readonly file: string | null
  /** Where relative paths are looked for first: the file's folder. */
  readonly folder: string
  readonly out_root: string
  /** Where its files are below that, or elsewhere; default: in a folder of its name. */
  readonly directory?: Directory | undefined
  readonly target: TargetSpec
  /** Modules that it brings: further targets, planners, stoppers and metric sources. */
  readonly targets?: readonly ModuleSpec[] | undefined
  readonly planners?: readonly ModuleSpec[] | undefined
  readonly stoppers?: readonly ModuleSpec[] | undefined
  readonly metric_sources?: readonly ModuleSpec[] | undefined
  /** Parameters that every variant has. */
  readonly params: JsonObject
  /** Crossed, the last one varying fastest. */
  readonly factors: readonly Factor[]
  /** Each group's factors vary together, row by row. */
  readonly zip: readonly (readonly Factor[])[]
  /** Additional variants: one or several levels of some factors, or of other parameters; factors not named are crossed. */
  readonly include: readonly JsonObject[]
  /** Excluded variants: all that have these levels. */
  readonly exclude: readonly JsonObject[]
  readonly ablations: readonly Ablation[]
  /**
   * The content that levels refer to, if their names don't say it: a digest by factor or block and by level. Part of a
   * run's key.
   */
  readonly contents?: Contents | undefined
  /** Expressions that every variant must satisfy. */
  readonly constraints: readonly string[]
  readonly blocks: readonly Block[]
  readonly replicates: number
  /** Which variants are run in which blocks, and how often; default: all of them in all blocks. */
  readonly cells?: readonly CellSpec[] | undefined
  /** How variants are chosen; default: all of them are run. */
  readonly search?: SearchSpec | undefined
  readonly order: Order
  /** The experiment's own random seed: for the order, and for runs whose block names no seed. */
  readonly seed: number
  readonly limits: Limits
  /** What runs need of the machine that executes them: the same for all, or by the first rule that applies. */
  readonly needs?: Needs | readonly NeedsRule[] | undefined
  /** Its settings of language models; default: as assay knows them. */
  readonly models?: ModelSettings | undefined
  /** How they are called. */
  readonly calls?: CallSettings | undefined
  readonly metrics: readonly MetricSpec[]
  readonly analysis: AnalysisSpec
  /** Files whose content belongs to the identity of a run. */
  readonly inputs: readonly string[]
  readonly outputs: readonly OutputSpec[]
  readonly hooks: { readonly setup: Command | null; readonly cleanup: Command | null }
  readonly naming: Naming
  /** Names of environment variables to record besides the usual ones. */
  readonly record_env: readonly string[]
  /** How values look to a Python program; if the dialect's own program is in Python. */
  readonly python?: PythonValues | undefined
  /** What users should know before it runs: which parts of their file mean something else here, or nothing. */
  readonly notes?: readonly string[] | undefined
  /** What is kept besides its journal; default: the files of all runs, and no analysis is made at the end. */
  readonly kept?: Kept | undefined
}

/** Per run. 0: no requirement. */
export interface Needs {
  readonly cpu: number
  readonly memory_mb: number
  readonly gpu: number
  readonly labels: readonly string[]
}

export interface NeedsRule extends Needs {
  /** An expression; null: every run. */
  readonly when: string | null
}

export interface Kept {
  /** `failed`: the files of completed runs are deleted once they are recorded. */
  readonly runs: 'all' | 'failed'
  /** Whether the files of `assay analyze` are written at the end. */
  readonly analysis: boolean
}

/**
 * Named after the experiment; exactly this path; or a dated series that starts anew once the newest is complete. A
 * series is stamped with its day, `<name>@2026-11-15`, or with its second (UTC) in a folder of its name,
 * `<name>/20261115__09-30-00`.
 */
export type Directory =
  | { readonly kind: 'named' }
  | { readonly kind: 'exact'; readonly path: string }
  | { readonly kind: 'dated'; readonly stamp?: 'day' | 'second' | undefined }

export interface Contents {
  readonly [name: string]: { readonly [level: string]: string }
}

/**
 * What happens to runs without a value. `failed` (the default): failed runs are left out and counted, and a value that
 * is not a number is refused. `omit` leaves that out too, `zero` counts both as 0, `refuse` accepts none. `worst-rank`:
 * runs that failed or were cut off by time or cost are worse than every value. `bounds`: claims must hold whatever the
 * missing values would have been.
 */
export const missingRules = ['failed', 'omit', 'zero', 'refuse', 'worst-rank', 'bounds'] as const
export type Missing = (typeof missingRules)[number]

export interface AnalysisSpec {
  /** Levels of the variant that others are compared with; null: the first of each factor. */
  readonly baseline: JsonObject | null
  /** What `run` must reach to exit with 0. */
  readonly require?: { /** The share of runs that pass. */ readonly pass: number } | undefined
  /** How runs without a value are treated. */
  readonly missing?: Missing | undefined
  /** How much each independent unit, such as a task, counts. */
  readonly weights?: WeightsSpec | undefined
  readonly strata?: StrataSpec | undefined
  /** Metrics that decide together: the p of each is corrected for all of them. */
  readonly family?: readonly string[] | undefined
}

/** By the unit's name; or the block, parameter, column or metric that holds the weight. */
export type WeightsSpec = string | { readonly [unit: string]: number }

/** Kinds of units that are resampled separately. */
export interface StrataSpec {
  /** The block, parameter or column that says which stratum a unit is of. */
  readonly by?: string | undefined
  /** Instead: the units of each stratum. */
  readonly groups?: { readonly [stratum: string]: readonly Json[] } | undefined
  /** The share of each stratum; default: its share of the units or of their weights. */
  readonly shares?: { readonly [stratum: string]: number } | undefined
}

export interface ModuleSpec {
  /** As written: relative to the configuration's folder first, then to the working directory. */
  readonly path: string
  /** The digest of its text when the experiment was defined. */
  readonly sha256: string
}

export interface TargetSpec {
  readonly kind: string
  readonly [key: string]: Json
}

/** Whether runs are rollouts of agents on tasks: in boxes, with scores and trajectories. */
export const worksOnTasks = ({ kind }: Pick<TargetSpec, 'kind'>): boolean => kind === 'task' || kind === 'agent'

export interface Factor {
  readonly name: string
  /** All of them; empty if the domain has too many to list. */
  readonly levels: readonly Json[]
  /** If the levels are numbers of a range. */
  readonly domain?: Domain | undefined
  /** How likely a search draws each level; default: all equally. */
  readonly probabilities?: readonly number[] | undefined
  /** An expression: if it is false, the factor is absent from the variant. */
  readonly when: string | null
}

/**
 * Numbers to choose from, with the distribution that a search draws them from before it knows anything. With the scale
 * `log`, minimum and maximum are of the number itself, mean and standard deviation of its logarithm.
 */
export type Domain =
  | {
      readonly kind: 'uniform'
      readonly min: number
      readonly max: number
      readonly scale: 'linear' | 'log'
      readonly step: Step | null
    }
  | {
      readonly kind: 'normal'
      readonly mean: number
      readonly sd: number
      readonly scale: 'linear' | 'log'
      readonly step: Step | null
    }
  | { readonly kind: 'beta'; readonly a: number; readonly b: number; readonly step: Step | null }

/** Only the numbers `from + k × size` are used. Counted from the minimum, all steps of a range are equally likely. */
export interface Step {
  readonly size: number
  readonly from: number
  /**
   * A number of the range is rounded, like in numpy: possibly to the steps just outside of it, and to those half as
   * often.
   */
  readonly rounded?: true
}

export const searchMethods = ['grid', 'random', 'sobol', 'bayes', 'tpe'] as const

export interface SearchSpec {
  /** One of {@link searchMethods}, or the name of a planner that the experiment brings. */
  readonly method: string
  /** For a planner that the experiment brings. */
  readonly settings?: JsonObject | undefined
  /** The objective; null if none is needed. */
  readonly metric: string | null
  /** null only if there is no metric. */
  readonly goal: 'minimize' | 'maximize' | null
  /** Further objectives: then the search is for the whole Pareto front. */
  readonly also: readonly Objective[]
  /** What `max_runs`, `--count` and early stopping count: variants over all their blocks and replicates; default: runs. */
  readonly counts?: 'variants' | undefined
  /** Runs or variants, see `counts`; null: no limit. */
  readonly max_runs: number | null
  /** null: the experiment's own. */
  readonly seed: number | null
  /** Once a run is as good as this, no others are started. */
  readonly target?: number | null | undefined
  /** Which of the values that a run reported is its result, in every command; default: the last. */
  readonly value?: 'last' | 'best' | undefined
  /** Proposals and `target` use the best value that a run reported, whichever its result is, as in W&B sweeps. */
  readonly proposals?: 'best' | undefined
  /** What a failed run counts as. */
  readonly impute: 'worst' | 'best' | 'latest' | 'skip'
  /** Variants tried before the method relies on what it has learned; null: the method's own number. */
  readonly initial: number | null
  /** Which running runs are stopped early. */
  readonly early_stop: EarlyStop | null
}

export interface Objective {
  readonly metric: string
  readonly goal: 'minimize' | 'maximize'
}

/**
 * A rule that ends unpromising runs. It watches the search's metric while runs report it; an iteration is one report,
 * whatever its step.
 */
export type EarlyStop =
  | {
      readonly type: 'hyperband'
      /** The iterations at which runs are compared, ascending, without end if there is no `max_iter`. */
      readonly min_iter: number | null
      readonly max_iter: number | null
      readonly s: number | null
      readonly eta: number
      /** Whether the value at the band counts, not the best so far. */
      readonly strict: boolean
    }
  | { readonly type: 'asha'; readonly min_iter: number; readonly eta: number }
  | { readonly type: 'median'; readonly min_iter: number; readonly min_runs: number }
  | {
      readonly type: 'paired'
      /** The highest probability of ending a run that is as good as all it is compared with. */
      readonly alpha: number
    }
  /** A stopper that the experiment brings, by its name. */
  | { readonly type: 'own'; readonly name: string; readonly settings: JsonObject }

export interface Ablation {
  readonly name: string
  /** Appended to the command line. */
  readonly flags: readonly string[]
  /** Parameters that it sets. */
  readonly set: JsonObject
}

export interface Block {
  readonly name: string
  readonly levels: readonly Json[]
}

/**
 * Some variants in some blocks: those that have these levels. A list has several levels; names that are not given may
 * have any.
 */
export interface CellSpec {
  readonly levels: JsonObject
  readonly replicates: number
}

export type Order = 'interleaved' | 'listed' | 'shuffled'

/** An argv, or one line for the shell. */
export type Command = readonly string[] | string

export interface OutputSpec {
  /** Relative to the run's directory. */
  readonly path: string
  /** Whether a run that ends without it has failed. */
  readonly required: boolean
}

export interface MetricSpec {
  /** `*`: every number in the source is a metric. */
  readonly name: string
  readonly goal: 'minimize' | 'maximize' | null
  readonly primary: boolean
  /** Whether the best of a run's values over steps counts; default: the last. */
  readonly value?: 'best' | undefined
  /** The possible values; null: that end is open. */
  readonly range?: readonly [low: number | null, high: number | null] | undefined
  readonly source: MetricSourceSpec
}

/** `kind` names a metric source; the other fields are its own. */
export interface MetricSourceSpec {
  readonly kind: string
  readonly [key: string]: Json
}

/** A way to read metrics out of a run's directory. One file each, one registry. */
export interface MetricSource {
  readonly kind: string
  /**
   * The readings of a declared metric (for `*`: of every number). Anything unreadable is a reading with a problem,
   * never 0; only an `optional` source that does not exist gives no reading at all. Never throws.
   */
  read(runDir: string, metric: string, spec: MetricSourceSpec): SourceReading
}

export interface SourceReading {
  readonly readings: readonly Reading[]
  readonly series: readonly Series[]
}

/** How runs are named: assay's own way, by a template, or exactly as by the program that a dialect comes from. */
export type Naming =
  | { readonly kind: 'slug' }
  | { readonly kind: 'template'; readonly template: string }
  | {
      /** The dialect's name. */
      readonly kind: string
      readonly spelling: Spelling
    }

/** By parameter, then by canonical JSON of the value: how Python's json module would spell that value. */
export type Spelling = { readonly [parameter: string]: { readonly [value: string]: string } }

/**
 * Python distinguishes 50 from 50.0, and a nested configuration from a name with a dot in it; JSON data in JavaScript
 * can't.
 */
export interface PythonValues {
  readonly spelling: Spelling
  /** Parameters whose other values are floats, even whole ones. */
  readonly floats: readonly string[]
  /** The paths of nested parameters: `optimizer.lr` is at `optimizer`, `lr`. */
  readonly nested: { readonly [parameter: string]: readonly string[] }
}

/** An experiment of one variant: nothing is left to choose. */
export type FixedExperiment = Omit<Experiment, 'factors' | 'zip' | 'include' | 'exclude' | 'constraints' | 'search'>
