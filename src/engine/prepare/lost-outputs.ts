import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { OutputSpec } from '../../define/experiment.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { recordedRuns } from '../../record/read/observations.ts'
import { reopenRun } from '../../record/work/reopen.ts'

export interface LostOutput {
  readonly run: string
  readonly path: string
}

/** Completed runs whose declared outputs are gone become ready again: a result without its files is not a result. */
export function reopenLostOutputs(journal: Journal, dir: string, outputs: readonly OutputSpec[]): LostOutput[] {
  if (outputs.length === 0) return []
  const lost = [...lostOutputs(journal, dir, outputs)]
  journal.transaction(() => {
    for (const { id } of lost) reopenRun(journal, id)
  })
  return lost
}

function* lostOutputs(
  journal: Journal,
  dir: string,
  outputs: readonly OutputSpec[],
): Generator<LostOutput & { readonly id: number }> {
  for (const recorded of recordedRuns(journal)) {
    if (recorded.state !== 'completed') continue
    // An output that need not be there was there if numbers were read from it.
    const hadMetrics = Object.keys(recorded.metrics).length > 0
    const missing = outputs.find(
      output => (output.required || hadMetrics) && !existsSync(join(dir, 'runs', recorded.run.name, output.path)),
    )
    if (missing) yield { id: recorded.id, run: recorded.run.name, path: missing.path }
  }
}
