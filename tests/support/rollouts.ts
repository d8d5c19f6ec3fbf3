import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { loadExperiment } from '../../src/define/load-experiment.ts'
import type { Outcome } from '../../src/define/outcome.ts'
import type { Run } from '../../src/define/run.ts'
import { bindTarget, type RunContext, type Target } from '../../src/define/target.ts'
import { type Listener, noInterrupts } from '../../src/engine/call.ts'
import { runExperiment } from '../../src/engine/run-experiment.ts'
import { openExecutor } from '../../src/execute/registry.ts'
import { withSeries } from '../../src/plan/identity.ts'
import { everything } from '../../src/plan/planner.ts'
import { experimentDirectory } from '../../src/record/places.ts'
import { layoutListener } from '../../src/report/layouts/layouts.ts'
import { systemClock } from '../../src/util/system-clock.ts'

export type Script = (run: Run, context: RunContext) => Promise<Outcome>

/** A stand-in for the task target: it reads no tasks, and a run executes a test's function. */
export const task = (script: Script): Target => ({
  kind: 'task',
  schema: z.strictObject({ kind: z.literal('task') }),
  check: () => [],
  identity: () => ({}),
  describe: () => ({ command: [], cwd: '' }),
  bound: () => 0,
  execute: (_, run, context) => script(run, context),
  scoresAgain: true,
})

/** A run that writes the files of a task with this score; in the mode `score` one tenth more. */
export const scoring =
  (scoreOf: (run: Run) => number | null): Script =>
  async (run, { makeDirectory, report, mode }) => {
    const { run_dir } = makeDirectory()
    const score = scoreOf(run)
    if (score === null) return { kind: 'infra_error', message: 'the sandbox did not start', error_class: 'sandbox' }
    const total = mode === 'score' ? score + 0.1 : score
    mkdirSync(join(run_dir, 'logs'))
    writeFileSync(join(run_dir, 'logs/eval.log'), `scored ${total}\n`)
    writeFileSync(join(run_dir, 'evaluation_results.json'), JSON.stringify(resultsOf(run, total)))
    report({ metric: 'score', value: total, step: null })
    report({ metric: 'passed', value: total >= 1 ? 1 : 0, step: null })
    return { kind: 'completed' }
  }

const resultsOf = (run: Run, total_score: number) => ({
  task_id: basename(String(run.block.task)),
  run_id: run.name,
  total_score,
  evaluation: { total_score },
  lm_evaluation: { weighted_score: total_score / 2 },
  agent_metrics: { tokens_total: 1000, tool_calls_total: 7 },
})

export interface Call {
  readonly cwd: string
  readonly file?: string
  /** When the call is made, as far as the stamp of a new series goes. */
  readonly at?: string
  readonly script?: Script
  readonly mode?: 'score'
  readonly listener?: (experimentDir: string) => Listener
  readonly first?: number
  readonly env?: Readonly<Record<string, string>>
}

/** `assay run` on a benchmark, with the stand-in target. */
export async function runRollouts(call: Call) {
  const { cwd, file = 'configs/bench.toml', at = '2025-08-24T12:34:56Z', script = scoring(() => 1), mode } = call
  const target = task(script)
  const loaded = loadExperiment(file, { targets: [target], cwd })
  const dir = experimentDirectory(loaded, { cwd, renews: mode === undefined, now: Date.parse(at) })
  const experiment = withSeries(loaded, basename(dir))
  const setting = { ...bindTarget(target, experiment), dir }
  const end = await runExperiment(
    {
      ...setting,
      isGiven: true,
      ...(mode && { mode }),
      executor: await openExecutor('local', setting, { slots: experiment.limits.jobs, cwd }),
      plan: {
        order: experiment.order,
        seed: experiment.seed,
        selection: { ...everything, first: call.first ?? null },
      },
      ...{ retryFailed: false, rerun: [], fresh: false, stale: null, failFast: false },
      ...{ explicitLimits: [], tags: [], note: null },
    },
    {
      ...{ clock: systemClock, cwd, env: call.env ?? {}, argv: [], interrupts: noInterrupts },
      listeners: [layoutListener(experiment.dialect, dir), ...(call.listener ? [call.listener(dir)] : [])],
    },
  )
  const read = (path: string): string => readFileSync(join(cwd, path), 'utf8')
  return { dir, end, experiment, read, json: (path: string) => JSON.parse(read(path)) }
}
