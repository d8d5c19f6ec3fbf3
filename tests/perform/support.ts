import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Experiment, TargetSpec } from '../../src/define/experiment.ts'
import { noRunCaps } from '../../src/define/limits.ts'
import type { Permits } from '../../src/define/permits.ts'
import { type AttemptResult, type Job, nothingSpent, type Run } from '../../src/define/run.ts'
import { bindTarget, type Point } from '../../src/define/target.ts'
import { perform, type Setting } from '../../src/perform/perform.ts'
import { endGroup } from '../../src/process/end.ts'
import { targetFor } from '../../src/targets/registry.ts'
import { experimentWith as emptyExperimentWith } from '../plan/experiment.ts'

export const programs = join(import.meta.dirname, '../fixtures/programs')
export const functions = join(import.meta.dirname, '../fixtures/functions')

/** An experiment of this target, beside the fixture programs, with a test's settings. */
export const experimentWith = (target: TargetSpec, more: Partial<Experiment> = {}): Experiment =>
  emptyExperimentWith({ folder: programs, target, ...more })

export const runWith = (more: Partial<Run> = {}): Run => ({
  key: 'key',
  name: 'the-run',
  params: {},
  ablation: null,
  flags: [],
  block: {},
  replicate: 1,
  seed: 7,
  ...more,
})

export function jobWith(more: Partial<Omit<Job, 'run'>> & { readonly run?: Partial<Run> } = {}): Job {
  const { run, ...rest } = more
  return {
    run: runWith(run),
    attempt: 1,
    token: randomUUID(),
    timeout_ms: null,
    grace_ms: 100,
    started_at: 1_000_000,
    run_budget_usd: null,
    ...noRunCaps,
    spent: nothingSpent,
    mode: 'run',
    continues: null,
    ...rest,
  }
}

/** Every call is let through. */
export function noLimits(): Permits {
  let permits = 0
  return { acquire: async ask => ({ id: ++permits, ask }), settle() {} }
}

export function settingOf(experiment: Experiment, dir: string): Setting {
  return { ...bindTarget(targetFor(experiment), experiment), dir }
}

/** Performs one job; the test may listen and interfere. */
export function performOne(
  experiment: Experiment,
  dir: string,
  options: Parameters<typeof jobWith>[0] & {
    readonly signal?: AbortSignal
    readonly onPoint?: (point: Point) => void
    readonly onStarted?: (process: { readonly pid: number }) => void
    readonly onNote?: (message: string) => void
    readonly permits?: Permits
  } = {},
): Promise<AttemptResult> {
  const { signal = new AbortController().signal, onPoint = () => {}, onStarted = () => {}, ...more } = options
  const { permits = noLimits(), onNote = () => {}, ...job } = more
  const attempt = jobWith(job)
  // Also when the test fails before the program has ended.
  onTestFinished(async () => void (await endGroup({ token: attempt.token, pid: null, startTime: null }, 0)))
  return perform(attempt, settingOf(experiment, dir), {
    signal,
    permits,
    modelIds: new Map(),
    onPoint,
    onStarted,
    onNote,
  })
}
