import type { Path, Source } from '../source/source.ts'

/** One value put into a configuration. */
export interface Edit {
  /** As the user wrote it: `--set limits.jobs=4`. */
  readonly option: string
  readonly path: Path
  readonly source: Pick<Source, 'value' | 'spellingOf'>
  /** What it replaces in another place: a factor's `range`, when its `values` are set. */
  readonly removes?: Path
}
