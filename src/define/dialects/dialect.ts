import type { Json } from '../../util/json.ts'
import type { Experiment } from '../experiment.ts'
import type { Path, Source } from '../source/source.ts'
import type { Target } from '../target.ts'

/** A way of writing experiments. Dialects only translate: there is one engine. */
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
}

export interface LoadContext {
  readonly targets: readonly Target[]
  /** The configuration file, absolute; null for an experiment from code. */
  readonly file: string | null
  readonly folder: string
  readonly cwd: string
}

/** The options that exist in every dialect, besides those of limits. */
export type OptionName = 'name' | 'out_root' | 'seeds' | 'order'

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
  /** Where the one with this name is written, if that is not simply under its name. */
  find?(name: string, value: Json): Path | undefined
}
