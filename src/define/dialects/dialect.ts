import type * as z from 'zod'
import type { Json, JsonObject } from '../../util/json.ts'
import type { Experiment, FixedExperiment, Spelling } from '../experiment.ts'
import type { RunRecord } from '../observation.ts'
import type { Outcome } from '../outcome.ts'
import type { Run } from '../run.ts'
import type { Path, Source } from '../source/source.ts'
import type { Target } from '../target.ts'

/**
 * A way of writing experiments. One object owns everything special about it: other code asks the dialect of an
 * experiment (`dialectNamed`), and never checks which one it is. Only `translate` is required; the rest has defaults.
 */
export interface Dialect<Name extends string = string> {
  readonly name: Name
  /** The files that are looked for where none is named, best first. */
  readonly defaultFiles?: readonly string[]
  recognises(value: Json, file: string | null): boolean
  translate(source: Source, context: LoadContext): Experiment
  /** Where in the source a part of the translated experiment was written, so that later checks can point at it. */
  pathInSource(path: Path, value: Json): Path
  /** Where a ready-made command-line option is written in this dialect. */
  pathOfOption(option: OptionName, value: Json): Path
  /** Where a limit of this name is written. */
  pathOfLimit(key: string): Path
  settable(): Settable
  /** A run's name if its form is fixed; otherwise `naming` defines it. */
  nameOf?(run: Run, spelling: Spelling): string
  /** Parameters as the text that a run's key is made from; default: canonical JSON. */
  spell?(params: JsonObject, spelling: Spelling): string
  /** Blocks are parameters too, in names and on command lines. */
  readonly blocksAreParams?: true
  /** What varies fastest in listed order; default: replicates, then blocks. */
  readonly order?: 'replicates' | 'ablations'
  readonly columns?: Columns
  /** Ids of the pictures that a report has besides the usual ones. */
  readonly figures?: readonly string[]
  /**
   * A single variant as a file of this dialect. Native can express everything the others can; the others are never
   * written.
   */
  write?(experiment: FixedExperiment): JsonObject
  /** What a user should know before this plan runs, besides the `notes` of the experiment. */
  notes?(experiment: Experiment, plan: { readonly isEndless: boolean }): readonly string[]
  /** Why a run ended as it did, in the dialect's words and with what to do; null: the default text. */
  explain?(outcome: Outcome): string | null
  /** The name and the changes of a variant, in the files of the program that the dialect comes from. */
  variation?(params: JsonObject, experiment: Experiment): JsonObject
  /** If a key is written twice, the last one counts, with a note; default: an error. */
  readonly lastKeyCounts?: true
  /** The terminal view of a running experiment; default: the usual one. */
  readonly view?: 'rollouts'
  /** The result that the dialect's own program left in a run's folder; null: none of this run. */
  originalResult?(runDir: string, run: Run, experiment: Experiment): OriginalResult | null
}

/** A run executed by another program. */
export interface OriginalResult {
  readonly outcome: Outcome
  /** Milliseconds since 1970. */
  readonly started_at: number
  readonly wall_s: number
  readonly command: readonly string[]
  readonly cwd: string
  /** The program that made it, if the experiment would now be run by another one. */
  readonly madeBy?: string
}

/** A module that programs written for another tool import, and that a command target can provide. */
export interface ProgramModule<Setting extends z.ZodType = z.ZodType> {
  /** The setting in the target that selects it. */
  readonly setting: Setting
  /** How each line begins that the module prints for the user: it is no output of the program. */
  readonly notice: string
  /** The environment in which a program finds the module and its run; `pythonPath` is the value without it. */
  environment(
    setting: z.output<Setting>,
    run: Run,
    experiment: Experiment,
    pythonPath: string | undefined,
  ): Readonly<Record<string, string>>
}

/** The dialect's changes to the table of runs. */
export interface Columns {
  /** The columns that come first, in this order. */
  readonly first: readonly string[]
  /** Further columns of a run. */
  of(run: Pick<RunRecord, 'flags'>): JsonObject
  /** The table row of a run that the dialect's own program made, from the run's folder; null: there is none. */
  ofOriginal?(runDir: string): { readonly [column: string]: string } | null
  /** How a cell is spelt; null: the default. */
  cellText(value: Json): string | null
  /** Which columns of a table contain levels, pairs and metrics, whichever program wrote it. */
  readonly reading: { readonly levels: readonly string[]; readonly pairs: readonly string[]; readonly metrics: Metrics }
}

/** The first is the primary one. */
type Metrics = readonly { readonly name: string; readonly goal: 'minimize' | 'maximize' }[]

export interface LoadContext {
  readonly targets: readonly Target[]
  /** The configuration file, absolute; null for an experiment from code. */
  readonly file: string | null
  readonly folder: string
  readonly cwd: string
  /** Whether runs will be started: a plan needs no program. */
  readonly isToRun: boolean
}

/** The options that exist in every dialect, besides those of limits. */
export type OptionName = 'name' | 'out_root' | 'seeds' | 'order' | 'models' | 'instances' | 'branch_from'

/** What `--set` needs to find a setting. */
export interface Settable {
  readonly keys: readonly string[]
  /** Maps with names of the user's own, which `--set` also accepts without the map's name. */
  readonly maps: readonly SettableMap[]
}

export interface SettableMap {
  readonly key: string
  readonly holdsLevels: boolean
  /** The key that levels are always written under, such as `values`; without it they may be written directly. */
  readonly levelsKey?: string
  /** The names that it can have, if these are known. */
  readonly names?: readonly string[]
  /** How to give an entry several values; default: by making it a factor. */
  readonly varies?: string
  /** Where the entry with this name is written, if not simply under its name. */
  find?(name: string, value: Json): Path | undefined
}
