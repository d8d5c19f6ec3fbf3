import { lstatSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readDefinition } from '../../record/journal/experiment-row.ts'
import { experimentsUnder } from '../../record/places.ts'
import { folderOf, recordedRuns } from '../../record/read/observations.ts'
import { targets } from '../../targets/registry.ts'
import { AssayError } from '../../util/errors.ts'
import { chooseExperiment } from '../experiment/choose-experiment.ts'
import { withJournal } from '../experiment/with-journal.ts'
import { type Io, writeJson } from '../io.ts'
import type { Options } from '../options.ts'
import { bytes } from '../views/number.ts'

type Agree = (question: string) => Promise<boolean>

/**
 * Deletes what the boxes of finished runs left for `assay eval`: files on this disk, and containers of docker and
 * podman. Scores, diffs and logs stay.
 */
export async function pruneBoxes(place: string | undefined, options: Options, io: Io, agree: Agree): Promise<number> {
  if (options.maxSize !== undefined || options.model !== undefined)
    throw new AssayError('usage', '--boxes can only be combined with --older-than')
  const dirs = experimentsAt(place, options, io)
  const runs = dirs.flatMap(dir => finishedRuns(dir, options.olderThan ?? 0))
  const size = runs.flatMap(({ boxes }) => boxes).reduce((sum, box) => sum + bytesIn(box), 0)
  const what = `what the boxes of ${runs.length === 1 ? '1 run' : `${runs.length} runs`} left, ${bytes(size)}`
  const isToDelete =
    !options.dryRun && runs.length > 0 && (await agree(`Delete ${what}? These runs can't be scored again.`))
  if (isToDelete) for (const { discard } of runs) await discard()
  if (options.json)
    writeJson(io.stdout, { kind: 'boxes_prune', dry_run: options.dryRun ?? false, runs: runs.length, bytes: size })
  else if (runs.length === 0) io.stdout.write('there is nothing to delete: no finished run has boxes\n')
  else if (options.dryRun) io.stdout.write(`would delete ${what}\n`)
  else io.stdout.write(isToDelete ? `deleted ${what}: they can't be scored again\n` : 'nothing was deleted\n')
  return 0
}

/** All experiments in a folder, or the one that is named. */
function experimentsAt(place: string | undefined, options: Options, io: Io): readonly string[] {
  const path = resolve(io.cwd, place ?? options.outRoot ?? '.')
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  const found = isFolder ? experimentsUnder(path) : []
  return found.length > 0 ? found : [chooseExperiment(place === undefined ? [] : [place], options, io).dir]
}

interface RunWithBoxes {
  readonly boxes: readonly string[]
  discard(): Promise<void>
}

/** Runs that are not scored yet keep the files that their score needs. */
function finishedRuns(dir: string, olderThan: number): readonly RunWithBoxes[] {
  return withJournal(dir, journal => {
    const kind = readDefinition(journal)?.target.kind
    const leftovers = targets.find(target => target.kind === kind)?.leftovers
    if (leftovers === undefined) return []
    return [...recordedRuns(journal)].flatMap(run => {
      const folder = folderOf(run, dir)
      const isOver = run.outcome !== null && run.state !== 'running' && run.outcome.only_scoring_left !== true
      const isOld = run.ended_at !== null && Date.now() - run.ended_at >= olderThan
      const boxes = folder !== null && isOver && isOld ? leftovers.of(folder) : []
      return folder === null || boxes.length === 0 ? [] : [{ boxes, discard: () => leftovers.discard(folder) }]
    })
  })
}

function bytesIn(path: string): number {
  const found = lstatSync(path)
  if (!found.isDirectory()) return found.size
  try {
    return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0)
  } catch {
    // A box may have made its folder unreadable.
    return 0
  }
}
