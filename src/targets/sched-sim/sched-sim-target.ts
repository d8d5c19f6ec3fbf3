import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Outcome } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import type { RunContext, Target } from '../../define/target.ts'
import { outputFiles } from '../../record/places.ts'
import type { JsonObject } from '../../util/json.ts'
import { callInThread, closeThreads } from '../function/function-target.ts'
import { checkSimulation } from './check.ts'
import { flagsOfParams, paramsOfFlags } from './flags.ts'
import { modelDigests } from './identity.ts'
import { simParams } from './params.ts'
import { type SchedSimSpec, schedSimSpec } from './spec.ts'

/** A run is a simulation of agent workflows over rate-limited providers, in virtual time: see docs/sched-sim.md. */
export const schedSimTarget: Target<SchedSimSpec> = {
  kind: 'sched-sim',
  schema: schedSimSpec,
  check: checkSimulation,
  identity: (spec, experiment) => ({ simulator: simulatorVersion, models: modelDigests(spec, experiment) }),
  describe: (spec, run, place, experiment) => ({
    command: ['assay', 'sim', ...flagsOfParams(paramsOf(spec, run)), '--out_dir', place.out_dir],
    cwd: experiment.folder,
  }),
  // Simulated money costs nothing.
  bound: () => 0,
  notes: ({ stands_in_for }) =>
    stands_in_for === undefined
      ? []
      : [`${stands_in_for} does not exist: assay's own simulator runs instead (target sched-sim)`],
  execute,
  close: closeThreads,
}

/** Results of another version are not comparable: raised when the same settings give other numbers. */
const simulatorVersion = 1

/** All parameters of the simulator for a run. */
export function paramsOf({ model, trace }: SchedSimSpec, run: Run): JsonObject {
  const known = Object.entries(run.block).filter(([name]) => Object.hasOwn(simParams.unwrap().shape, name))
  return {
    ...(model === undefined ? {} : { model }),
    // A sweep of many runs would fill the disk with every event of every node.
    trace: trace ?? 'attempts',
    ...run.params,
    ...Object.fromEntries(known),
    seed: run.seed,
    ...paramsOfFlags(run.flags),
  }
}

async function execute(spec: SchedSimSpec, run: Run, context: RunContext): Promise<Outcome> {
  const { folder } = context.experiment
  const params = { sim: paramsOf(spec, run), places: { folder, cwd: process.cwd() } }
  const outcome = await callInThread({ module: moduleFile(), export: 'runSimulation', params }, run, context)
  // It replaces a program, whose readers look for its output and exit code.
  const { run_dir } = context.makeDirectory()
  for (const file of Object.values(outputFiles)) writeFileSync(join(run_dir, file), '', { flag: 'a' })
  return outcome.kind === 'completed' ? { ...outcome, exit_code: 0 } : outcome
}

/** From the sources, or next to this chunk of the bundle. */
function moduleFile(): string {
  const source = fileURLToPath(new URL('./sim-run.ts', import.meta.url))
  return existsSync(source) ? source : fileURLToPath(new URL('./sched-sim-run.js', import.meta.url))
}
