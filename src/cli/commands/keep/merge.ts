import { resolve } from 'node:path'
import { type Merged, mergeExperiments } from '../../../engine/merge/merge-experiments.ts'
import { AssayError } from '../../../util/errors.ts'
import { systemClock } from '../../../util/system-clock.ts'
import { counted, listed } from '../../../util/words.ts'
import { experimentDirArgument } from '../../experiment/experiment-dir-argument.ts'
import { type Io, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'

/** `assay merge A B… --into C` */
export async function mergeCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  if (options.into === undefined)
    throw new AssayError('usage', 'merge needs --into <dir>: the directory that gets the runs of all others')
  const into = resolve(io.cwd, options.into)
  const dirs = args.map(arg => experimentDirArgument([arg], options, io))
  const { sources, summary } = mergeExperiments(dirs, into, systemClock.now())
  if (options.json) writeJson(io.stdout, { kind: 'merge', into, sources, summary })
  else writeLines(io.stdout, [...sources.flatMap(sourceLines), standingLine(into, summary)])
  return 0
}

/** How many conflicts and files are listed by name. */
const named = 5

function sourceLines({
  dir,
  runs,
  attempts,
  conflicts,
  not_copied: left,
}: Merged['sources'][number]): readonly string[] {
  const differing = conflicts.filter(({ differs }) => differs.length > 0)
  const agreeing = conflicts.length - differing.length
  return [
    `${dir}: ${attempts === 0 && runs === 0 ? 'nothing new' : `${counted(runs, 'new run')}, ${counted(attempts, 'attempt')}`}`,
    ...(agreeing === 0 ? [] : [`  ${counted(agreeing, 'run')} made twice, with the same numbers; the first counts`]),
    ...differing
      .slice(0, named)
      .map(({ run, differs }) => `  ${run} was made twice and differs in ${listed(differs)}; the first counts`),
    ...(differing.length > named ? [`  and ${counted(differing.length - named, 'other run')} that differ`] : []),
    ...left.slice(0, named).map(path => `  not copied: ${path.length > 200 ? `${path.slice(0, 200)}…` : path}`),
    ...(left.length > named ? [`  and ${left.length - named} more files that could not be copied`] : []),
  ]
}

function standingLine(into: string, { planned, completed, pending }: Merged['summary']): string {
  const rest = pending === 0 ? '' : `; ${pending} are not run yet`
  return `${into}: ${completed} of ${counted(planned, 'run')} completed${rest}`
}
