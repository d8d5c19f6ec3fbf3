import { basename } from 'node:path'
import type { RunRecord } from '../define/observation.ts'
import type { Summary } from '../define/outcome.ts'
import type { Run } from '../define/run.ts'
import { bindTarget } from '../define/target.ts'
import { type EngineEvent, type Listener, noInterrupts } from '../engine/call.ts'
import { runExperiment } from '../engine/run-experiment.ts'
import { openExecutor } from '../execute/registry.ts'
import { withSeries } from '../plan/identity.ts'
import { planRuns } from '../plan/plan.ts'
import type { PlannerOptions, Selection } from '../plan/planner.ts'
import { Journal } from '../record/journal/journal.ts'
import { experimentDirectory, journalFile } from '../record/places.ts'
import { recordedRuns } from '../record/read/observations.ts'
import { layoutListener } from '../report/layouts/layouts.ts'
import type { JsonObject } from '../util/json.ts'
import { systemClock } from '../util/system-clock.ts'
import type { DefinedExperiment } from './define-experiment.ts'
import { refuseUnknown } from './refuse-unknown.ts'
import type { AnyMetrics, TypedRecord, TypedRun } from './typed.ts'

/** The part of the plan to use; default: all of it. */
export type PlanOptions = Partial<Selection>

const planOptionNames = { filters: true, first: true, shard: true } as const

/**
 * The runs of an experiment, in the order in which they would start. Computed as they are asked for: a plan of a
 * million runs costs nothing until it is walked.
 *
 * @example
 * for (const run of plan(experiment, { filters: ['x > 1'] })) console.log(run.name, run.params, run.seed)
 */
export function plan<P, M>(defined: DefinedExperiment<P, M>, options: PlanOptions = {}): Generator<TypedRun<P>> {
  refuseUnknown('plan', options, planOptionNames)
  // A run's parameters are those of the definition, whose types list them.
  return plannedFrom(defined, options) as Generator<Run> as Generator<TypedRun<P>>
}

function* plannedFrom(defined: DefinedExperiment<unknown, unknown>, options: PlanOptions): Generator<Run> {
  yield* planRuns(defined.experiment, plannerOptions(defined, options))
}

export function plannerOptions(
  { experiment }: DefinedExperiment<unknown, unknown>,
  options: PlanOptions,
): PlannerOptions {
  return {
    order: experiment.order,
    seed: experiment.seed,
    selection: { filters: options.filters ?? [], first: options.first ?? null, shard: options.shard ?? null },
  }
}

export interface RunOptions extends PlanOptions {
  /** Where the experiment's files go; by default `<out_root>/<name>` under the working directory. */
  readonly dir?: string
  readonly retryFailed?: boolean
  readonly failFast?: boolean
  readonly stale?: 'rerun' | 'keep'
  /** Starts a new dated series instead of continuing the newest. */
  readonly again?: boolean
  readonly onEvent?: (event: EngineEvent) => void
  /** Aborted: no new runs start, running ones are cancelled; finished ones are kept. */
  readonly signal?: AbortSignal
}

export interface RunResult<P = JsonObject, M = AnyMetrics> {
  readonly dir: string
  readonly summary: Summary
  /** The exit code of the command line: 0 if everything requested is done. */
  readonly exitCode: number
  readonly runs: readonly TypedRecord<P, M>[]
}

/**
 * Makes every run that is missing, and gives them all back with their metrics. The same call again runs nothing that
 * is finished.
 *
 * @example
 * const { summary, runs } = await run(experiment)
 * console.log(summary.completed, runs.map(({ params, metrics }) => [params, metrics]))
 */
export async function run<P, M>(defined: DefinedExperiment<P, M>, options: RunOptions = {}): Promise<RunResult<P, M>> {
  refuseUnknown('run', options, runOptionNames)
  const { target } = defined
  const cwd = process.cwd()
  const { again = false, retryFailed = false, stale } = options
  const renews = !retryFailed && stale === undefined
  const dir = options.dir ?? experimentDirectory(defined.experiment, { cwd, again, renews, now: Date.now() })
  const experiment = withSeries(defined.experiment, basename(dir))
  const setting = { ...bindTarget(target, experiment), dir }
  const heard = hearing(options.onEvent)
  const { exitCode, summary } = await runExperiment(
    {
      ...setting,
      isGiven: true,
      executor: await openExecutor('local', setting, { slots: experiment.limits.jobs, cwd: process.cwd() }),
      plan: plannerOptions(defined, options),
      retryFailed,
      rerun: [],
      fresh: false,
      stale: stale ?? null,
      failFast: options.failFast ?? false,
      explicitLimits: [],
      tags: [],
      note: null,
    },
    {
      clock: systemClock,
      cwd,
      env: process.env,
      argv: [],
      interrupts: interruptsOf(options.signal),
      listeners: [layoutListener(experiment.dialect, dir), heard.listener],
    },
  )
  heard.throwFirst()
  const journal = Journal.openAgain(journalFile(dir))
  try {
    // The journal's runs of this definition have its parameters and metrics.
    return {
      dir,
      summary,
      exitCode,
      runs: [
        ...recordedRuns(journal, { scope: 'call', attempts: true }),
      ] as readonly RunRecord[] as readonly TypedRecord<P, M>[],
    }
  } finally {
    journal.close()
  }
}

/** An `onEvent` that throws costs no run: its first error is thrown when all work is done. */
function hearing(onEvent: RunOptions['onEvent']): { readonly listener: Listener; throwFirst(): void } {
  const errors: unknown[] = []
  return {
    listener(event) {
      try {
        const answer: unknown = onEvent?.(event)
        if (answer instanceof Promise) answer.catch(error => errors.push(error))
      } catch (error) {
        errors.push(error)
      }
    },
    throwFirst() {
      if (errors.length > 0) throw errors[0]
    },
  }
}

const runOptionNames = {
  ...planOptionNames,
  dir: true,
  retryFailed: true,
  failFast: true,
  stale: true,
  again: true,
  onEvent: true,
  signal: true,
} as const

const interruptsOf = (signal: AbortSignal | undefined): typeof noInterrupts =>
  signal === undefined
    ? noInterrupts
    : listener => {
        const onAbort = () => listener('cancel')
        if (signal.aborted) onAbort()
        else signal.addEventListener('abort', onAbort, { once: true })
        return () => signal.removeEventListener('abort', onAbort)
      }
