import { basename, dirname, join } from 'node:path'
import type { RunRecord } from '../../define/observation.ts'
import type { OutcomeKind } from '../../define/outcome.ts'
import { directoryName, isStamp } from '../../record/places.ts'

/** Where a benchmark's files are besides its own directory, `<root>/<name>/<stamp>`. */
export interface RolloutPlaces {
  readonly stamp: string
  /** The folder that paths in its files are relative to: the one that contains `data/`. */
  readonly base: string
  /** `data/runs`: a link to the folder of each run. */
  readonly runs: string
  readonly temp: string
  /** The index of this series, in `temp`. */
  readonly index: string
}

/**
 * null if the directory is not in the place of a series, because it was copied or renamed: then nothing is written
 * outside it. With an `--out-root` other than `…/rollouts`, everything stays below that.
 */
export function rolloutPlaces(dir: string, name: string): RolloutPlaces | null {
  const stamp = basename(dir)
  const folder = dirname(dir)
  if (!isStamp(stamp) || basename(folder) !== directoryName(name)) return null
  const root = dirname(folder)
  const isUsual = basename(root) === 'rollouts'
  const data = isUsual ? dirname(root) : root
  return {
    stamp,
    base: isUsual && basename(data) === 'data' ? dirname(data) : data,
    runs: join(data, 'runs'),
    temp: join(root, 'temp'),
    index: `rollout_${basename(folder)}__${stamp}.json`,
  }
}

/**
 * The word in OneShot's manifest for the end of a run: `launched` means that agent and evaluation were completed,
 * whatever the score. Outcomes that it does not know keep their own names.
 */
export function launchStatus(kind: OutcomeKind): string {
  if (kind === 'completed') return 'launched'
  return kind === 'failed' || kind === 'infra_error' ? 'launch_failed' : kind
}

/** Runs in the order of the configuration, in which they are numbered, not in the order of execution. */
export const inFileOrder = <T extends Pick<RunRecord, 'numbers'>>(runs: readonly T[]): readonly T[] =>
  runs.toSorted((a, b) => (a.numbers?.place ?? 0) - (b.numbers?.place ?? 0))
