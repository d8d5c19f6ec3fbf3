import { join } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { RunContext } from '../../define/target.ts'
import { tokenVariable } from '../../process/processes.ts'
import type { Environment } from '../../process/spawn/spawn-group.ts'
import { canonicalJson } from '../../util/json.ts'

/** A command's environment: ours, the experiment's settings, and the run's facts. */
export function environmentOf(run: Run, context: RunContext, own: Environment): Environment {
  const { run_dir, out_dir } = context.place
  return {
    ...inheritedBy(context.experiment),
    ...(context.gpus !== undefined && context.gpus.length > 0 && { CUDA_VISIBLE_DEVICES: context.gpus.join(',') }),
    ...own,
    ASSAY_RUN_ID: run.name,
    ASSAY_RUN_DIR: run_dir,
    ASSAY_OUT_DIR: out_dir,
    ASSAY_SEED: String(run.seed),
    ASSAY_REPLICATE: String(run.replicate),
    ASSAY_PARAMS: canonicalJson(run.params),
    ASSAY_BLOCK: canonicalJson(run.block),
    ASSAY_METRICS_FILE: join(run_dir, 'metrics.jsonl'),
    // Left over from an assay around this one, it would be wrong here.
    ASSAY_RUN_BUDGET_USD: context.runBudgetUsd === null ? undefined : String(context.runBudgetUsd),
    ASSAY_MODE: context.mode,
    ASSAY_CONTINUES_DIR: context.continues?.dir ?? undefined,
    [tokenVariable]: context.token,
  }
}

const inherited = new WeakMap<Experiment, Environment>()

/** Every read of `process.env` is a system call: one copy serves all runs, and they all get the same values. */
function inheritedBy(experiment: Experiment): Environment {
  const known = inherited.get(experiment)
  if (known !== undefined) return known
  const copy = { ...process.env }
  inherited.set(experiment, copy)
  return copy
}
