import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SpanScope } from '../../models/trace/run-trace.ts'
import type { Trajectory, TrajectoryAgent, Turn } from '../../models/trajectory/trajectory.ts'
import type { Box } from '../../process/sandbox/box.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { version } from '../../util/version.ts'
import { boxWorkplace } from './loop/box-workplace.ts'
import { Course } from './loop/course.ts'
import type { AgentLimits, Spent } from './loop/limits.ts'
import { type AgentEnd, runAgent } from './loop/run-agent.ts'
import { agentTools } from './loop/tools.ts'
import { openingOf } from './opening.ts'
import { type AgentSettings, limitsOf } from './settings.ts'
import { chooseStrategy } from './strategies/choose-strategy.ts'
import { totalsOf, trajectoryOf } from './trajectory-of.ts'

/** What the built-in agent needs to know about its run. */
export interface AgentRun {
  readonly id: string
  readonly model: string
  readonly settings: AgentSettings
  /** Of the run, by the names of settings. */
  readonly params: JsonObject
  readonly hasTools: boolean
  readonly wantsMarks: boolean
  /** Where a user's own modules are searched. */
  readonly folder: string
  /** The run's own folder. */
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  readonly graceMs: number
  readonly scope: SpanScope
  onTurn(turn: Turn): void
}

/** One piece of work in a box. */
export interface AgentJob {
  readonly instruction: string
  readonly workdir: string
  /** In the box, outside of the work itself. */
  readonly home: string
  /** Aborted when the agent's time is over. */
  readonly deadline: AbortSignal
  readonly signal: AbortSignal
  /** How much of its limits earlier work of the same run has used. */
  readonly spent: Partial<Spent>
  /** The maximum cost of this piece of work, besides its own limit; null: no maximum. */
  readonly mostUsd: number | null
  /** Distinguishes attempts with the same prompt; null: the run's own seed. */
  readonly seed: number | null
}

/** Its result. */
export interface AgentWork extends AgentEnd {
  readonly trajectory: Trajectory
  readonly spent: Spent
}

const mostDiffBytes = 20 * 1_000_000

/**
 * Lets the built-in agent work in a box. `onCut`: called with its work so far when an error ends it, before that error
 * is thrown.
 */
export async function workInBox(
  box: Box,
  job: AgentJob,
  run: AgentRun,
  onCut: (trajectory: Trajectory) => void,
): Promise<AgentWork> {
  const { settings, params, scope } = run
  const chosen = chooseStrategy(params, { folder: run.folder, cwd: process.cwd() })
  if (chosen.problems !== undefined)
    throw new AssayError('config', chosen.problems.map(({ name, message }) => `${name}: ${message}`).join('; '))
  const workdir = box.at(job.workdir)
  const { instruction, deadline, signal } = job
  const course = new Course(openingOf(settings, { instruction, workdir, hasTools: run.hasTools }), job.spent)
  const before = scope.client.totals()
  const about = {
    id: run.id,
    agent: agentOf(run, { ...chosen.settings, strategy: chosen.strategy.name }),
    review_score: null,
  }
  const kept = (exit_status: string | null, submission: string | null): Trajectory =>
    trajectoryOf(course, { ...about, exit_status, submission, totals: totalsOf(scope.client.totals(), before) })
  try {
    const end = await runAgent(
      {
        model: run.model,
        summarizer: summarizerOf(settings, run.model),
        sampling: { ...samplingOf(settings), ...(job.seed !== null && { seed: job.seed }) },
        limits: limitsFor(settings, job),
        strategy: chosen.strategy,
        workplace: workplaceIn(box, job, run),
        scope,
        hasTools: run.hasTools,
        wantsMarks: run.wantsMarks,
        deadline,
        now: Date.now,
        onTurn: run.onTurn,
      },
      course,
      signal,
    )
    return { ...end, trajectory: kept(end.exitStatus, end.diff), spent: course.spent }
  } catch (error) {
    onCut(kept(null, null))
    throw error
  }
}

function limitsFor(settings: AgentSettings, { mostUsd }: AgentJob): AgentLimits {
  const limits = limitsOf(settings)
  if (mostUsd === null) return limits
  return { ...limits, costUsd: limits.costUsd === 0 ? mostUsd : Math.min(limits.costUsd, mostUsd) }
}

function workplaceIn(box: Box, { workdir, home }: AgentJob, { dir, env, graceMs, settings }: AgentRun) {
  const logs = join(dir, 'logs')
  const stage = join(dir, 'stage')
  for (const folder of [logs, stage]) mkdirSync(folder, { recursive: true })
  return boxWorkplace(box, {
    stateFile: box.at(`${home}/.assay-shell`),
    workdir: box.at(workdir),
    root: '/',
    outputFile: join(stage, 'command-output.txt'),
    log: join(logs, 'agent.log'),
    mostShown: settings.output_limit ?? 20_000,
    mostDiffBytes,
    env,
    graceMs,
  })
}

export const summarizerOf = ({ summarizer_model: named = 'same' }: AgentSettings, model: string): string =>
  named === 'same' ? model : named

/** Unset values come from the model's settings. */
function samplingOf({ temperature, top_p, max_output_tokens, reasoning }: AgentSettings) {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(max_output_tokens !== undefined && { max_output_tokens }),
    ...(reasoning !== undefined && { reasoning }),
  }
}

const agentOf = ({ model, hasTools }: AgentRun, strategy: JsonObject): TrajectoryAgent => ({
  name: 'assay',
  version,
  model,
  tools: hasTools ? agentTools : [],
  strategy,
})
