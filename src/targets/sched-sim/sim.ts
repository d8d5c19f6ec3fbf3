import type { JsonObject } from '../../util/json.ts'
import { configurationLines, resultLines } from './output/report-text.ts'
import { summaryOf } from './output/summary.ts'
import { simulateIntoFiles } from './output/write-outputs.ts'
import { type Places, parseParams, settingsOf } from './params.ts'
import { partsOf, type SimSettings } from './settings.ts'
import { simulate } from './simulate/simulation.ts'

/** One simulation on its own, outside an experiment: `assay sim`. */
export interface Sim {
  /** The model with all its values, given or not. */
  readonly model: SimSettings['model']
  readonly workflows: number
  readonly notes: readonly string[]
  /** The settings in words, for a simulation that writes to this folder. */
  configuration(folder: string): readonly string[]
  /** Simulates, writes the files into `outDir`, and returns the result. */
  run(
    outDir: string,
    onProgress?: (ended: number) => void,
  ): { readonly summary: Readonly<Record<string, number>>; resultIn(folder: string): readonly string[] }
  /** The simulation alone, without a file. */
  simulate(): void
}

/** From parameters as written; their problems are errors with their place. */
export function openSim(given: JsonObject, places: Places): Sim {
  const params = parseParams(given)
  const settings = settingsOf(params, places)
  const { trace } = params
  return {
    model: settings.model,
    workflows: settings.workflows,
    notes: notesOn(settings),
    configuration: folder => configurationLines(settings, folder, params.time_scale),
    run(outDir, onProgress) {
      const summary = summaryOf(simulateIntoFiles(settings, { outDir, trace, ...(onProgress && { onProgress }) }))
      return { summary, resultIn: folder => resultLines(summary, { outDir: folder, hasTrace: trace !== 'none' }) }
    },
    simulate: () => void simulate(settings),
  }
}

/** Without routing, which is the default, the policies that rely on it do nothing special. */
function notesOn(settings: SimSettings): readonly string[] {
  const { policy, enable_model_routing } = settings
  if (enable_model_routing || policy === 'fifo_cheapest' || policy === 'dag_cheapest') return []
  const order = partsOf(settings).dagPriority ? 'dag_cheapest' : 'fifo_cheapest'
  return [`without --enable_model_routing nothing is escalated or hedged: ${policy} is the same as ${order} here`]
}
