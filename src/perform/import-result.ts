import { randomUUID } from 'node:crypto'
import type { OriginalResult } from '../define/dialects/registry.ts'
import type { Experiment } from '../define/experiment.ts'
import { type AttemptResult, unmeasured } from '../define/run.ts'
import { runFolder, runPlace } from '../record/places.ts'
import { knownCost } from './known-cost.ts'
import { checkOutputs, outputsIn } from './outputs.ts'
import { readMetrics } from './read-metrics.ts'
import { Reported } from './reporting/reported.ts'

/** Another program's result of a run, read as if it had been performed here: its metrics are those in its files. */
export async function importResult(
  dir: string,
  runName: string,
  { outcome, wall_s, command, cwd }: OriginalResult,
  { metrics, metric_sources, folder, outputs }: Experiment,
): Promise<AttemptResult> {
  const runDir = runFolder(dir, runName)
  const reported = new Reported()
  const found = await readMetrics(metrics, reported, runDir, { metric_sources, folder })
  return {
    token: randomUUID(),
    mode: 'run',
    outcome: checkOutputs(outcome, outputs, runDir),
    wall_s,
    ...unmeasured,
    ...found,
    ...knownCost(reported, found.metrics),
    calls: 0,
    tokens: 0,
    outputs: outputsIn(outputs, runDir),
    command,
    cwd,
    place: runPlace(runName),
  }
}
