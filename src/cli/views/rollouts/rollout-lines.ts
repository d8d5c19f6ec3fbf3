import type { EngineEvent } from '../../../engine/call.ts'
import { launchStatus } from '../../../report/layouts/layouts.ts'
import { shortDuration } from '../number.ts'
import { lastWords, outcomeFact } from '../outcome-text.ts'
import { oneLine } from '../text-width.ts'

/** What the lines need to know besides events. */
export interface Benchmark {
  readonly name: string
  /** As given by the user; null for an experiment from code. */
  readonly config: string | null
  /** The number of `[[tasks]]`. */
  readonly entries: number
  /** 0 with -q, 1 usually, 2 with -v, 3 with -vv. */
  readonly verbosity: 0 | 1 | 2 | 3
  /** A path as it is shown to a person. */
  shown(path: string): string
  describe(run: string): { readonly task: string; readonly overrides: string | null }
}

export interface Progress {
  readonly done: number
  readonly total: number
}

export const noProgress: Progress = { done: 0, total: 0 }

export interface Line {
  readonly to: 'stdout' | 'stderr'
  readonly text: string
}

/**
 * The lines of OneShot's eval_rollouts.py: normally with marks, with -v without. The output of the run itself (-vv) is
 * followed elsewhere.
 */
export function rolloutLines(
  benchmark: Benchmark,
  before: Progress,
  event: EngineEvent,
): { readonly lines: readonly Line[]; readonly next: Progress } {
  const { verbosity } = benchmark
  switch (event.kind) {
    case 'started': {
      const total = event.planned ?? event.to_run
      const next = { total, done: total - event.to_run }
      return { lines: verbosity === 0 ? [] : startLines(benchmark, event, next), next }
    }
    case 'attempt_started':
      return { lines: verbosity >= 2 ? beginLines(benchmark, event.run) : [], next: before }
    case 'attempt_ended':
      return endLines(benchmark, before, event)
    case 'notice': {
      const isShown = event.level === 'warning' || verbosity === 3
      return { lines: isShown ? [err(`[rollouts] ${event.level}: ${event.message}`)] : [], next: before }
    }
    case 'draining':
      return { lines: verbosity === 0 ? [] : [err(`[rollouts] no new tasks: ${oneLine(event.reason)}`)], next: before }
    case 'progress': {
      // Other processes may have ended some.
      const { planned, pending, running } = event.summary
      return { lines: [], next: { ...before, done: Math.max(before.done, planned - pending - running) } }
    }
    case 'summary':
      return { lines: verbosity === 0 ? [] : [closing(benchmark, event)], next: before }
  }
}

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

export const statusLine = ({ done, total }: Progress, frame: number): string =>
  `${frames[frame % frames.length]} Running tasks... ${done}/${total} completed`

type Of<Kind extends EngineEvent['kind']> = Extract<EngineEvent, { readonly kind: Kind }>

function startLines(benchmark: Benchmark, event: Of<'started'>, { done, total }: Progress): readonly Line[] {
  const { config, entries, verbosity, shown } = benchmark
  const file = config === null ? '' : `config=${config} `
  return [
    out(`[rollouts] ${file}name=${benchmark.name} tasks=${entries} parallel=${event.jobs}`),
    out(`[rollouts] output=${shown(event.dir)}`),
    ...(verbosity === 1 ? [out('[rollouts] Running in quiet mode - use -vv for full output')] : []),
    ...(done > 0 ? [out(`[rollouts] Resuming: ${done} of ${total} tasks have ended before`)] : []),
    out(`[rollouts] Starting ${event.to_run} tasks with parallel=${event.jobs}`),
  ]
}

function beginLines({ describe }: Benchmark, run: string): readonly Line[] {
  const { task, overrides } = describe(run)
  return [
    out(`[run_codex_box] Task path: ${task}`),
    ...(overrides === null ? [] : [out(`[overrides] Using overrides file: ${overrides}`)]),
  ]
}

function endLines({ verbosity }: Benchmark, before: Progress, event: Of<'attempt_ended'>) {
  const { run, outcome, retry_in_ms } = event
  if (retry_in_ms !== null) {
    const text = `[rollouts] retrying: run_id=${run} ${outcomeFact(outcome)}, again in ${shortDuration(retry_in_ms)}`
    return { lines: verbosity === 0 ? [] : [err(text)], next: before }
  }
  const next = { ...before, done: before.done + 1 }
  const status = launchStatus(outcome.kind)
  const isGood = status === 'launched'
  const text =
    verbosity >= 2
      ? `[rollouts] finished: run_id=${run} status=${status}`
      : `${isGood ? '✓' : '✗'} Task ${run} completed (${status})`
  const lastOutput = isGood ? '' : lastWords(outcome, event.stderr_tail)
  return {
    lines: [
      ...(verbosity === 0 && isGood ? [] : [verbosity === 0 ? err(text) : out(text)]),
      ...(lastOutput === '' ? [] : [err(`[error] ${lastOutput}`)]),
    ],
    next,
  }
}

function closing({ verbosity }: Benchmark, { planned, pending, running, stopped_by }: Of<'summary'>): Line {
  const left = pending + running
  if (left === 0)
    return out(verbosity >= 2 ? `[rollouts] all ${planned} tasks completed` : `✓ All ${planned} tasks completed!`)
  const why = stopped_by === null ? '' : `: ${oneLine(stopped_by)}`
  return out(`[rollouts] ${planned - left} of ${planned} tasks completed${why}`)
}

const out = (text: string): Line => ({ to: 'stdout', text })
const err = (text: string): Line => ({ to: 'stderr', text })
