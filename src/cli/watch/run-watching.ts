import { relative } from 'node:path'
import type { WorkEnd } from '../../engine/call.ts'
import { AssayError } from '../../util/errors.ts'
import { counted } from '../../util/words.ts'
import { type Chosen, chooseExperiment } from '../experiment/choose-experiment.ts'
import { type Io, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { reportError } from '../report-error.ts'
import { styler } from '../views/style.ts'
import { flipLines, flipsBetween, type Verdicts, verdictsOf } from './flips.ts'
import { waitForChange } from './wait-for-change.ts'
import { watchedFiles } from './watched-files.ts'

type RunChosen = (chosen: Chosen, options: Options, io: Io) => Promise<WorkEnd>

/**
 * `run --watch`: executes the missing runs, waits for a file of the experiment to be saved, executes what that changed
 * and shows which verdicts flipped, until Ctrl-C. Exits like the last round.
 */
export async function runWatching(
  args: readonly string[],
  first: Chosen,
  options: Options,
  io: Io,
  run: RunChosen,
): Promise<number> {
  const { file } = first.experiment
  if (file === null || !first.isGiven)
    throw new AssayError('usage', `--watch needs the configuration file: ${first.dir} is an experiment directory`, {
      hint: 'Name the file that the experiment is defined in.',
    })
  // For the whole time: a Ctrl-C between two rounds ends it too.
  const ending = new AbortController()
  const forget = io.onSignal(() => ending.abort())
  try {
    return await rounds(args, first, file, { options, io, run, ending: ending.signal })
  } finally {
    forget()
  }
}

interface Around {
  readonly options: Options
  readonly io: Io
  readonly run: RunChosen
  readonly ending: AbortSignal
}

async function rounds(args: readonly string[], first: Chosen, file: string, around: Around): Promise<number> {
  const { options, io, run, ending } = around
  // Before the first run: a save during it is a change.
  let seen = watchedFiles(file, io.cwd)
  let end = await run(first, options, io)
  let verdicts = verdictsOf(end.summary.dir)
  while (!ending.aborted) {
    announce(seen.digests.size, options, io)
    const saved = await waitForChange(file, seen, { cwd: io.cwd, ending })
    if (saved === null) break
    seen = saved.now
    const round = await again(args, saved.changed, options, io, run)
    if (round === null) continue
    end = round
    const names = saved.changed.map(path => relative(io.cwd, path))
    verdicts = printFlips(verdicts, end, names, options, io)
  }
  return end.exitCode
}

/** null: the file is invalid for now, which was reported. */
async function again(
  args: readonly string[],
  changed: readonly string[],
  options: Options,
  io: Io,
  run: RunChosen,
): Promise<WorkEnd | null> {
  try {
    const chosen = chooseExperiment(args, { ...options, again: undefined }, io, 'look')
    // A scoring function is in no fingerprint: if it changed, the stored answers are scored again.
    const isScoredAnew = changed.some(path => /\.[cm]?[jt]s$/.test(path)) && chosen.bound() === 'per_call'
    const round = { ...options, rerun: undefined, fresh: isScoredAnew, stale: options.stale ?? ('rerun' as const) }
    // Failed runs may have failed because of what was changed now.
    return await run(chosen, { ...round, retryFailed: true }, io)
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    reportError(error, io)
    return null
  }
}

function announce(files: number, options: Options, io: Io): void {
  if (options.json) io.stdout.write(`${JSON.stringify({ kind: 'watching', files })}\n`)
  else writeLines(io.stdout, ['', styler(io.stdout).dim(`watching ${counted(files, 'file')}; Ctrl-C ends`)])
}

function printFlips(
  before: Verdicts,
  { summary }: WorkEnd,
  changed: readonly string[],
  options: Options,
  io: Io,
): Verdicts {
  const after = verdictsOf(summary.dir)
  const flips = flipsBetween(before, after, changed)
  if (options.json) io.stdout.write(`${JSON.stringify(flips)}\n`)
  else writeLines(io.stdout, ['', `saved: ${changed.join(', ')}`, ...flipLines(flips, styler(io.stdout))])
  return after
}
