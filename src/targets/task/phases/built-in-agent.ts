import { join } from 'node:path'
import * as z from 'zod'
import type { Point, RunContext } from '../../../define/target.ts'
import { modelFacts } from '../../../models/model-facts.ts'
import { behaviourOf } from '../../../models/names/settings-of.ts'
import type { SpanScope } from '../../../models/trace/run-trace.ts'
import type { Trajectory } from '../../../models/trajectory/trajectory.ts'
import { writeAtif } from '../../../models/trajectory/trajectory-files.ts'
import type { Box } from '../../../process/sandbox/box.ts'
import { AssayError } from '../../../util/errors.ts'
import { readRegular, writeWhole } from '../../../util/files.ts'
import { deadlineSignal } from '../../../util/system-clock.ts'
import { type WithBox, workInAttempts } from '../../agent/attempts.ts'
import { type AgentJob, type AgentRun, type AgentWork, workInBox } from '../../agent/built-in.ts'
import { runMetrics, stepPoints } from '../../agent/metrics.ts'
import type { Reviewer } from '../../agent/review/reviewer-schema.ts'
import { namedSettings, settingsOf } from '../../agent/settings.ts'
import { joinTrajectories, totalsOf } from '../../agent/trajectory-of.ts'
import { environmentOf } from '../../run-models.ts'
import type { AgentFacts } from '../evaluate/results-file.ts'
import type { Rollout } from './rollout.ts'

export const trajectoryFile = 'trajectory.json'
export const agentMetricsFile = 'agent-metrics.json'

/** Assay's own agent, for one run. */
export interface BuiltInAgent {
  /** Decides which of several attempts counts; null: there is one. */
  readonly reviewer: Reviewer | null
  /** Back when its work in the box is done; how many seconds it took. */
  work(box: Box, job: StepJob): Promise<number>
  workInAttempts(
    withBox: WithBox,
    job: StepJob,
  ): Promise<{ readonly chosen: number; readonly attempts: number; readonly wall_s: number }>
  /** Records and reports what the whole work used. */
  finish(): Partial<AgentFacts>
}

export interface StepJob extends Pick<AgentJob, 'instruction' | 'workdir' | 'home' | 'signal'> {
  readonly timeoutMs: number
}

export async function builtInFor(rollout: Rollout, scope: SpanScope): Promise<BuiltInAgent> {
  const { context, boxes } = rollout
  const points: Point[] = []
  const report = (point: Point): void => {
    points.push(point)
    context.report(point)
  }
  let steps = 0
  const run = await agentRun(rollout, scope, turn => {
    steps++
    for (const point of stepPoints(turn, steps)) report(point)
  })
  const works: AgentWork[] = []
  /** All steps so far, as one. */
  const whole = (more: readonly Trajectory[] = []): Trajectory | null =>
    joinTrajectories([...works.map(({ trajectory }) => trajectory), ...more], totalsOf(scope.client.totals()))
  const write = (trajectory: Trajectory | null): void => {
    if (trajectory !== null)
      writeWhole(join(boxes.dir, trajectoryFile), writeAtif({ ...trajectory, task: boxes.about.task.id }))
  }
  const onCut = (trajectory: Trajectory): void => write(whole([trajectory]))
  const reviewer = run.settings.reviewer ?? null
  const jobFor = ({ timeoutMs, ...job }: StepJob): AgentJob => ({
    ...job,
    deadline: deadlineSignal(timeoutMs),
    spent: { ...works.at(-1)?.spent, commandTimeouts: 0, formatErrors: 0 },
    mostUsd: null,
    seed: null,
  })
  return {
    reviewer,
    async work(box, job) {
      const begun = performance.now()
      works.push(await workInBox(box, jobFor(job), run, onCut))
      return secondsSince(begun)
    },
    async workInAttempts(withBox, job) {
      if (reviewer === null) throw new AssayError('internal', 'no model reviews the attempts')
      const begun = performance.now()
      const { seed } = rollout.run
      const { chosen, work } = await workInAttempts(withBox, { job: jobFor(job), run, reviewer, seed, onCut })
      works.push(work)
      return { chosen, attempts: 1 + (work.trajectory.subagents?.length ?? 0), wall_s: secondsSince(begun) }
    },
    finish() {
      const trajectory = whole()
      const last = works.at(-1)
      if (trajectory === null || last === undefined) throw new AssayError('internal', 'the agent has not worked')
      write(trajectory)
      for (const [metric, value] of Object.entries(runMetrics(trajectory))) report({ metric, value, step: null })
      writeWhole(join(boxes.dir, agentMetricsFile), `${JSON.stringify(points)}\n`)
      const { exitStatus, exit } = last
      return {
        ...callFacts(run),
        tool_calls: toolCalls(trajectory),
        exit_status: exitStatus,
        exit_message: exit.message,
      }
    },
  }
}

const secondsSince = (begun: number): number => (performance.now() - begun) / 1000

async function agentRun(
  { run, boxes, context }: Rollout,
  scope: SpanScope,
  onTurn: AgentRun['onTurn'],
): Promise<AgentRun> {
  const { experiment } = context
  const { model, env } = boxes.about
  if (model === null) throw new AssayError('config', 'the built-in agent needs a model, and none is named')
  const lookup = { settings: experiment.models ?? {}, env: environmentOf(experiment) }
  const written = boxes.spec.assay ?? {}
  return {
    id: run.name,
    model,
    settings: settingsOf(written, run.params),
    params: namedSettings(written, run.params),
    hasTools: behaviourOf(model, lookup.settings).tools !== false,
    wantsMarks: (await modelFacts(model, lookup)).takes_cache_marks,
    folder: experiment.folder,
    dir: boxes.dir,
    env,
    graceMs: context.graceMs,
    scope,
    onTurn,
  }
}

function callFacts({
  model,
  scope,
}: AgentRun): Pick<AgentFacts, 'model' | 'calls' | 'tokens_total' | 'cost_usd' | 'price_usd'> {
  const { calls, cached_calls, input_tokens, output_tokens, cost_usd, price_usd } = scope.client.totals()
  return { model, calls: calls + cached_calls, tokens_total: input_tokens + output_tokens, cost_usd, price_usd }
}

const toolCalls = ({ history }: Trajectory): number => history.filter(({ role }) => role === 'tool').length

const keptPoints = z.lazy(() =>
  z.array(z.object({ metric: z.string(), value: z.number(), step: z.number().nullable() })),
)

/** Reports what the agent's work used again, for an attempt that only scores it. */
export function reportKept(dir: string, context: Pick<RunContext, 'report'>): void {
  const kept = readRegular(join(dir, agentMetricsFile))
  if (kept !== null) for (const point of keptPoints.parse(JSON.parse(kept))) context.report(point)
}
