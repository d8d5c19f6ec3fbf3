import { join } from 'node:path'
import type { Run } from '../../define/run.ts'
import type { Description } from '../../define/target.ts'
import type { NextAction } from '../../engine/rules/next-action.ts'
import { plannedRuns } from '../../plan/planned-runs.ts'
import { plannerFor } from '../../plan/planners/registry.ts'
import { planOf } from '../../plan/runs/plan.ts'
import { shellQuote } from '../../targets/command/shell-quote.ts'
import { type Chosen, chooseExperiment } from '../experiment/choose-experiment.ts'
import { type Foresight, foresee } from '../experiment/foresight.ts'
import { type Io, writeLines } from '../io.ts'
import type { Options } from '../options.ts'

/** On a terminal a long plan is cut; a pipe or file gets all of it. */
const shownOnTerminal = 20

export async function planCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const chosen = chooseExperiment(args, options, io)
  const foresight = foresee(chosen, options, io)
  if (options.json) writePlanJson(chosen, foresight, io)
  else writePlan(chosen, foresight, options, io)
  return 0
}

/** As one document, written run by run: a million of them take no memory. */
function writePlanJson(chosen: Chosen, foresight: Foresight, io: Io): void {
  const { experiment, dir, plan } = chosen
  const planner = plannerFor(experiment, plan)
  const describe = describer(chosen)
  const { variants } = planOf(experiment, plan.order, plan.seed)
  const head = JSON.stringify({ name: experiment.name, dir, planned: planner.count(), variants })
  let lines = `${head.slice(0, -1)},"runs":[`
  let separator = '\n'
  for (const run of plannedRuns(planner)) {
    if (!io.stdout.isOpen) return
    const { name: id, params, ablation, seed, block, replicate } = run
    const { command, cwd } = describe(run)
    const { action, why } = foresight(run)
    lines += separator + JSON.stringify({ id, params, ablation, seed, block, replicate, command, cwd, action, why })
    separator = ',\n'
    if (lines.length > 1 << 16) {
      io.stdout.write(lines)
      lines = ''
    }
  }
  io.stdout.write(`${lines}\n]}\n`)
}

function writePlan(chosen: Chosen, foresight: Foresight, options: Options, io: Io): void {
  const { experiment, dir, plan } = chosen
  const most = options.show ?? (options.all || !io.stdout.isTTY ? Number.POSITIVE_INFINITY : shownOnTerminal)
  const counts = { run: 0, reuse: 0, leave: 0, refuse: 0 }
  const shown: string[] = []
  const reasons = new Map<string, number>()
  const describe = describer(chosen)
  let planned = 0
  // Counts come first on the page and last in the work: the listing of an endless plan is kept only as far as it is shown.
  for (const run of plannedRuns(plannerFor(experiment, plan))) {
    planned++
    const next = foresight(run)
    counts[next.action]++
    if (next.action !== 'run' && next.action !== 'reuse') reasons.set(next.why, (reasons.get(next.why) ?? 0) + 1)
    if (next.action === 'run' && shown.length / 3 < most) shown.push(...runLines(chosen, run, describe(run), next))
  }
  const skipped = planned - counts.run
  writeLines(io.stdout, [
    `experiment: ${dir}`,
    `planned_runs=${planned} to_run=${counts.run} skipped=${skipped} jobs=${experiment.limits.jobs}`,
    ...shapeLines(chosen, planned),
    ...stateLines(counts, reasons),
    ...shown,
  ])
  const hidden = counts.run - shown.length / 3
  if (hidden > 0) io.stdout.write(`and ${hidden} more: --all shows every run\n`)
}

function shapeLines({ experiment, plan }: Chosen, planned: number): string[] {
  const { variants } = planOf(experiment, plan.order, plan.seed)
  const parts = [
    `${variants} ${variants === 1 ? 'variant' : 'variants'}`,
    ...experiment.blocks.map(block => `${block.levels.length} of ${block.name}`),
    ...(experiment.replicates > 1 ? [`${experiment.replicates} replicates`] : []),
  ]
  const all = experiment.blocks.reduce((n, block) => n * block.levels.length, variants * experiment.replicates)
  const selected = planned < all ? `; ${planned} of ${all} runs selected` : ''
  return [`${parts.join(' × ')}, ${plan.order} order${selected}`]
}

function stateLines(counts: Record<NextAction['action'], number>, reasons: ReadonlyMap<string, number>): string[] {
  return [
    ...(counts.reuse > 0 ? [`${counts.reuse} completed runs are reused`] : []),
    ...[...reasons].map(([why, count]) => `${count} ${count === 1 ? 'run is' : 'runs are'} not run: ${why}`),
    ...(counts.refuse > 0 ? ['`run` will stop and ask for --stale rerun or --stale keep'] : []),
  ]
}

/** Three lines a run, as the original's dry run prints them. */
function runLines(chosen: Chosen, run: Run, { command }: Description, next: NextAction): string[] {
  const again = next.why === 'it has not been run yet' ? '' : `  (${next.why})`
  return [
    `- ${run.name}${again}`,
    `  run_dir=${join(chosen.dir, 'runs', run.name)}`,
    `  cmd=${command.map(shellQuote).join(' ')}`,
  ]
}

/** The exact command of any run. */
type Describe = (run: Run) => Description

function describer({ experiment, target, dir }: Chosen): Describe {
  const spec = target.schema.parse(experiment.target)
  return run => {
    const runDir = `${dir}/runs/${run.name}`
    return target.describe(spec, run, { run_dir: runDir, out_dir: `${runDir}/out` }, experiment)
  }
}
