import type * as z from 'zod'
import type { Json, JsonObject } from '../../util/json.ts'
import type { Experiment, FixedExperiment, Spelling } from '../experiment.ts'
import type { RunRecord } from '../observation.ts'
import type { Outcome } from '../outcome.ts'
import type { Run } from '../run.ts'
import type { Path, Source } from '../source/source.ts'
import type { Target } from '../target.ts'

/**
 * A way of writing experiments. One object owns everything special about it: code elsewhere asks the dialect of an
 * experiment (`dialectNamed`), and never which one it is. Only `translate` is needed; the rest is as usual without it.
 */
export interface Dialect {
  readonly name: string
  recognises(value: Json, file: string | null): boolean
  translate(source: Source, context: LoadContext): Experiment
  /** Where in the source a part of the translated experiment was written, so that later checks can point at it. */
  pathInSource(path: Path, value: Json): Path
  /** Where a ready-made command-line option is written in this dialect. */
  pathOfOption(option: OptionName, value: Json): Path
  /** Where a limit of this name is written. */
  pathOfLimit(key: string): Path
  readonly settable: Settable
  /** A run's name where its form is fixed; otherwise `naming` says it. */
  nameOf?(run: Run, spelling: Spelling): string
  /** Parameters as the text that a run's key is made of; otherwise canonical JSON. */
  spell?(params: JsonObject, spelling: Spelling): string
  /** Blocks are parameters too, in names and on command lines. */
  readonly blocksAreParams?: true
  /** What varies fastest in listed order; otherwise replicates, then blocks. */
  readonly order?: 'replicates' | 'ablations'
  readonly columns?: Columns
  /** Ids of the pictures that a report has besides the usual ones. */
  readonly figures?: readonly string[]
  /** A single variant as a file of this dialect holds it. Native can express what all others say; the others are never written. */
  write?(experiment: FixedExperiment): JsonObject
  /** What a user should know before this plan runs, besides the `notes` of the experiment. */
  notes?(experiment: Experiment, plan: { readonly isEndless: boolean }): readonly string[]
  /** Why a run ended as it did, in words of its own and with what to do; null: as usual. */
  explain?(outcome: Outcome): string | null
  /** What a variant is called and changes, in the files of the program that the dialect comes from. */
  variation?(params: JsonObject, experiment: Experiment): JsonObject
  /** A key that is written twice counts as it is written last, with a note; otherwise it is an error. */
  readonly lastKeyCounts?: true
  /** How a terminal shows an experiment while it runs; without it as usual. */
  readonly view?: 'rollouts'
  /** The result that the program which the dialect comes from has left in a run's folder; null: none of this very run. */
  originalResult?(runDir: string, run: Run, experiment: Experiment): OriginalResult | null
}

/** A run as another program made it. */
export interface OriginalResult {
  readonly outcome: Outcome
  /** Milliseconds since 1970. */
  readonly started_at: number
  readonly wall_s: number
  readonly command: readonly string[]
  readonly cwd: string
  /** The program that made it, where the experiment would be run by another one now. */
  readonly madeBy?: string
}

/** A module that programs written for another tool import, which a command target can give them. */
export interface ProgramModule<Setting extends z.ZodType = z.ZodType> {
  /** What a user writes in the target to choose it. */
  readonly setting: Setting
  /** The environment in which a program finds the module and its run; `pythonPath` is what it would have otherwise. */
  environment(
    setting: z.output<Setting>,
    run: Run,
    experiment: Experiment,
    pythonPath: string | undefined,
  ): Readonly<Record<string, string>>
}

/** What is special about the table of runs. */
export interface Columns {
  /** The columns that come first, in this order. */
  readonly first: readonly string[]
  /** Further columns of a run. */
  of(run: Pick<RunRecord, 'flags'>): JsonObject
  /** The row of a run that the program which the dialect comes from has made, from the run's folder; null: there is none. */
  ofOriginal?(runDir: string): { readonly [column: string]: string } | null
  /** How a cell is spelt; null: as usual. */
  cellText(value: Json): string | null
  /** The columns of a table in which levels, pairs and metrics stand, whichever program wrote it. */
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
  /** Whether runs are to be started: a plan needs no program. */
  readonly isToRun: boolean
}

/** The options that exist in every dialect, besides those of limits. */
export type OptionName = 'name' | 'out_root' | 'seeds' | 'order' | 'models' | 'instances' | 'branch_from'

/** What `--set` needs to know to find its way. */
export interface Settable {
  readonly keys: readonly string[]
  /** Maps with names of the user's own, which `--set` also takes without the map's name. */
  readonly maps: readonly SettableMap[]
}

export interface SettableMap {
  readonly key: string
  readonly holdsLevels: boolean
  /** The key that levels are always written under, such as `values`; without it they may stand for themselves. */
  readonly levelsKey?: string
  /** The names that it can have, where these are known. */
  readonly names?: readonly string[]
  /** How to give an entry several values; without it, by making it a factor. */
  readonly varies?: string
  /** Where the one with this name is written, if that is not simply under its name. */
  find?(name: string, value: Json): Path | undefined
}
