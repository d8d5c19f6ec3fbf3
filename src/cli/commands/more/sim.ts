import { resolve } from 'node:path'
import { stringify } from 'yaml'
import { openSim } from '../../../targets/sched-sim/sim.ts'
import { AssayError, messageOf } from '../../../util/errors.ts'
import { makeFolders } from '../../../util/files.ts'
import type { JsonObject } from '../../../util/json.ts'
import { drawOn, type Io, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'

export async function simCommand(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const sim = openSim(given(options), { folder: io.cwd, cwd: io.cwd })
  if (options.printModel) {
    io.stdout.write(
      options.json
        ? `${JSON.stringify(sim.model, null, 2)}\n`
        : stringify(sim.model, { aliasDuplicateObjects: false, lineWidth: 0 }),
    )
    return 0
  }
  const written = options.outDir ?? 'out'
  const outDir = folderFor(resolve(io.cwd, written))
  if (!options.json && !options.quiet) writeLines(io.stdout, sim.configuration(written))
  for (const note of sim.notes) if (!options.quiet) io.stderr.write(`note: ${note}\n`)
  const { summary, resultIn } = sim.run(outDir, progress(sim.workflows, io))
  if (options.json) writeJson(io.stdout, { kind: 'sim', out_dir: outDir, ...summary })
  else writeLines(io.stdout, resultIn(written))
  return 0
}

/**
 * The given options as the simulator's own parameters: numbers become numbers, everything else is left to the
 * simulator.
 */
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

function folderFor(path: string): string {
  try {
    makeFolders(path)
    return path
  } catch (error) {
    throw new AssayError('cannot_write', `can't make ${path}: ${messageOf(error)}`, { cause: error })
  }
}

/** The progress, on a terminal; short simulations end before it could be read. */
function progress(workflows: number, io: Io): ((ended: number) => void) | undefined {
  if (!io.stderr.isTTY || workflows < 2_000) return undefined
  const step = Math.ceil(workflows / 100)
  return ended => {
    if (ended % step === 0) drawOn(io.stderr, `\r${Math.round((100 * ended) / workflows)}% of ${workflows} workflows`)
    if (ended === workflows) drawOn(io.stderr, '\r\x1b[K')
  }
}
