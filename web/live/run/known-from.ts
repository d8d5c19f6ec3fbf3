import type { RunDetails } from '../../../src/serve/wire.ts'
import type { KnownRun } from '../../runs/run-index.ts'

/** A run as the server knows it now; its unique name among several experiments is in the dataset. */
export function knownFrom(
  { files, output, trace, reduced, unmet, answer, task, trajectory, story, ...run }: RunDetails,
  settled: KnownRun | undefined,
): KnownRun {
  const { source, params } = settled?.run ?? run
  return {
    id: `${source}/${run.name}`,
    run: { ...run, source, params },
    folder: { files, output, trace, reduced, unmet, answer, task, trajectory, story },
  }
}
