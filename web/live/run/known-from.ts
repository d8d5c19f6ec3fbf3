import type { RunDetails } from '../../../src/serve/wire.ts'
import type { KnownRun } from '../../runs/run-index.ts'

/** A run as the server knows it now; what it is called among several experiments, the dataset says. */
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
