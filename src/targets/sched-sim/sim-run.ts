import type { JsonObject } from '../../util/json.ts'
import type { CallContext } from '../function/call-context.ts'
import { configurationLines, resultLines } from './output/report-text.ts'
import { summaryOf } from './output/summary.ts'
import { simulateIntoFiles } from './output/write-outputs.ts'
import { type Places, parseParams, settingsOf } from './params.ts'

/** What the target sends to the thread. */
export interface SimCall {
  readonly sim: JsonObject
  readonly places: Places
}

/** One simulation in a worker thread: files in the run's `out/`, and every number of the summary as a metric. */
export function runSimulation({ sim, places }: SimCall, context: CallContext): Readonly<Record<string, number>> {
  const params = parseParams(sim)
  const settings = settingsOf(params, places)
  const { out_dir } = context.directory()
  const { trace } = params
  console.log(configurationLines(settings, out_dir, params.time_scale).join('\n'))
  const summary = summaryOf(simulateIntoFiles(settings, { outDir: out_dir, trace }))
  console.log(resultLines(summary, { outDir: out_dir, hasTrace: trace !== 'none' }).join('\n'))
  return summary
}
