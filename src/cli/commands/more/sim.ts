import { resolve } from 'node:path'
import { stringify } from 'yaml'
import { configurationLines, resultLines } from '../../../targets/sched-sim/output/report-text.ts'
import { summaryOf } from '../../../targets/sched-sim/output/summary.ts'
import { simulateIntoFiles } from '../../../targets/sched-sim/output/write-outputs.ts'
import { parseParams, settingsOf } from '../../../targets/sched-sim/params.ts'
import { partsOf, type SimSettings } from '../../../targets/sched-sim/settings.ts'
import { AssayError, messageOf } from '../../../util/errors.ts'
import { makeFolders } from '../../../util/files.ts'
import type { JsonObject } from '../../../util/json.ts'
import { type Io, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'

export async function simCommand(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const params = parseParams(given(options))
  const settings = settingsOf(params, { folder: io.cwd, cwd: io.cwd })
  if (options.printModel) {
    io.stdout.write(
      options.json
        ? `${JSON.stringify(settings.model, null, 2)}\n`
        : stringify(settings.model, { aliasDuplicateObjects: false, lineWidth: 0 }),
    )
    return 0
  }
  const written = options.outDir ?? 'out'
  const outDir = folderFor(resolve(io.cwd, written))
  const isTalking = !options.json && !options.quiet
  if (isTalking) writeLines(io.stdout, configurationLines(settings, written, params.time_scale))
  for (const note of notesOn(settings)) if (!options.quiet) io.stderr.write(`note: ${note}\n`)
  const { trace } = params
  const onProgress = progress(settings.workflows, io)
  const summary = summaryOf(simulateIntoFiles(settings, { outDir, trace, ...(onProgress && { onProgress }) }))
  if (options.json) writeJson(io.stdout, { kind: 'sim', out_dir: outDir, ...summary })
  else writeLines(io.stdout, resultLines(summary, { outDir: written, hasTrace: trace !== 'none' }))
  return 0
}

/** What was given, as the simulator's own parameters: numbers are numbers, everything else is its business. */
function given(options: Options): JsonObject {
  const numeric = (text: string | undefined) =>
    text === undefined ? undefined : text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  const params = {
    workflows: numeric(options.workflows),
    pdfs: numeric(options.pdfs),
    iters: numeric(options.iters),
    subqueries: numeric(options.subqueries),
    policy: options.policy,
    seed: options.seed,
    time_scale: numeric(options.timeScale),
    enable_model_routing: options.enableModelRouting,
    disable_hedging: options.disableHedging,
    disable_escalation: options.disableEscalation,
    disable_dag_priority: options.disableDagPriority,
    heavy_tail_prob: numeric(options.heavyTailProb),
    heavy_tail_mult: numeric(options.heavyTailMult),
    model: options.model,
    arrivals: options.arrivals,
    spill: options.spill,
    original_rules: options.originalRules,
    trace: options.trace,
  }
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** The original's default is without routing, where its best policy does nothing special: worth a word. */
function notesOn(settings: SimSettings): readonly string[] {
  const { policy, enable_model_routing } = settings
  if (enable_model_routing || policy === 'fifo_cheapest' || policy === 'dag_cheapest') return []
  const order = partsOf(settings).dagPriority ? 'dag_cheapest' : 'fifo_cheapest'
  return [`without --enable_model_routing nothing is escalated or hedged: ${policy} is the same as ${order} here`]
}

function folderFor(path: string): string {
  try {
    makeFolders(path)
    return path
  } catch (error) {
    throw new AssayError('cannot_write', `can't make ${path}: ${messageOf(error)}`, { cause: error })
  }
}

/** On a terminal, how far it is; short simulations are over before anybody could read it. */
function progress(workflows: number, io: Io): ((ended: number) => void) | undefined {
  if (!io.stderr.isTTY || workflows < 2_000) return undefined
  const step = Math.ceil(workflows / 100)
  return ended => {
    if (ended % step === 0) io.stderr.write(`\r${Math.round((100 * ended) / workflows)} % of ${workflows} workflows`)
    if (ended === workflows) io.stderr.write('\r\x1b[K')
  }
}
