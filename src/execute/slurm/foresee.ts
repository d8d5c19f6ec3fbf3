import { join } from 'node:path'
import type { Setting } from '../../perform/perform.ts'
import { differentNeeds } from '../../plan/plan.ts'
import { counted } from '../../util/words.ts'
import { chunkSize, cutIntoArrays, probes } from './chunks.ts'
import { slurm } from './commands.ts'
import { type SlurmOptions, scriptText, withNeeds } from './script.ts'
import { defaultArraySize } from './states.ts'
import { submissionsIn } from './submission.ts'

/** What would be submitted: in words, and the script itself. */
export async function foreseeSubmission(
  { experiment, dir }: Pick<Setting, 'experiment' | 'dir'>,
  options: SlurmOptions,
  cwd: string,
  runs: number,
): Promise<readonly string[]> {
  // A plan can be viewed on a machine without Slurm.
  const { maxArraySize } = await slurm.facts().catch(() => ({ maxArraySize: defaultArraySize }))
  const isTried = options.chunk === undefined && runs > probes
  const first = isTried ? probes : runs
  const arrays = cutIntoArrays(Array.from({ length: first }), chunkSize(first, options.chunk, null), maxArraySize)
  const name = 'assay-<number>'
  const folder = join(submissionsIn(dir), name)
  const tasks = arrays[0]?.length ?? 0
  return [
    `slurm: ${counted(runs, 'run')} of ${experiment.name} in ${isTried ? 'arrays' : counted(arrays.length, 'array')} of at most ${maxArraySize - 1} tasks, ${chunkWords(options.chunk, isTried)}`,
    'the first is submitted with `sbatch --parsable` and this script:',
    ...scriptText(withNeeds(options, differentNeeds(experiment)[0]), { name, folder, cwd, tasks })
      .trimEnd()
      .split('\n')
      .map(line => `  ${line}`),
  ]
}

const chunkWords = (chunk: number | undefined, isTried: boolean): string =>
  chunk !== undefined
    ? `${counted(chunk, 'run')} to a task`
    : isTried
      ? `the first ${probes} runs with a task each; how long they take says how many the others get`
      : 'a run to a task'
