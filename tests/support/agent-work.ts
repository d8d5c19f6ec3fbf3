import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '../../src/models/model-call.ts'
import type { CallSums, PromptPart, Summary, Trajectory, Turn } from '../../src/models/trajectory/trajectory.ts'
import { writeAtif } from '../../src/models/trajectory/trajectory-files.ts'
import { runMetrics, stepPoints } from '../../src/targets/agent/metrics.ts'
import type { Script } from './rollouts.ts'

export interface AgentPlan {
  readonly id?: string
  readonly turns: number
  readonly command?: (turn: number) => string
  readonly output?: (turn: number) => string
  /** How many of the newest outputs stay readable; without it all of them. */
  readonly keep?: number
  /** Number of turns after which they are summarised. */
  readonly summary?: { readonly after: number; readonly text: string }
  readonly exit_status?: string
}

/** A made-up trajectory: two messages before the first turn, then an answer with one command and its output per turn, from 1. */
export function madeTrajectory(plan: AgentPlan): Trajectory {
  const { turns: count, keep, summary, exit_status = 'submitted', id = 'task' } = plan
  const { command = turn => `echo ${turn}`, output = turn => `${turn}\n` } = plan
  const history: Message[] = [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: 'Do it.' },
  ]
  const turns: Turn[] = []
  for (let turn = 1; turn <= count; turn++) {
    const from = history.length
    const call = { id: `call-${turn}`, name: 'bash', arguments: { command: command(turn) } }
    history.push({ role: 'assistant', content: `Step ${turn}.`, tool_calls: [call] })
    history.push({ role: 'tool', tool_call_id: call.id, name: 'bash', content: output(turn) })
    const usage = { input_tokens: 100 * turn, cached_input_tokens: 90 * (turn - 1), cache_write_tokens: 0 }
    turns.push({
      prompt: promptOf(turn, { keep, summary }),
      ...{ from, to: history.length, kind: 'turn', usage: { ...usage, output_tokens: 20, reasoning_tokens: 5 } },
      ...{ cost_usd: 0.001 * turn, price_usd: 0.001 * turn, inference_ms: 1500, execution_ms: 250 },
      started_at: '2026-01-02T03:04:05.000Z',
    })
  }
  const cost = turns.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0)
  const summaries: Summary[] =
    summary === undefined || summary.after >= count
      ? []
      : [{ text: summary.text, from: 0, to: summary.after, call: null }]
  return {
    ...{ id, recorded_by: 'assay', history, turns, summaries, exit_status, review_score: null, notes: [] },
    agent: { name: 'assay', version: '1', model: 'sim/x', tools: [], strategy: { strategy: 'made', n: keep ?? 0 } },
    submission: 'diff --git a/x b/x\n+x\n',
    totals: {
      agent: {
        ...{ calls: count, cost_usd: cost, price_usd: cost, output_tokens: 20 * count, reasoning_tokens: 5 * count },
        raw_input_tokens: turns.reduce(
          (sum, { usage }) => sum + (usage?.input_tokens ?? 0) - (usage?.cached_input_tokens ?? 0),
          0,
        ),
        cached_input_tokens: turns.reduce((sum, { usage }) => sum + (usage?.cached_input_tokens ?? 0), 0),
      },
      ...{ summary: nothing, rloop: nothing },
    },
  }
}

function promptOf(turn: number, { keep, summary }: Pick<AgentPlan, 'keep' | 'summary'>): readonly PromptPart[] {
  const now = 2 * turn
  if (summary !== undefined && turn > summary.after)
    return [
      { from: 0, to: 2 },
      { summary: 0 },
      ...(turn > summary.after + 1 ? [{ from: 2 + 2 * summary.after, to: now }] : []),
    ]
  const masked = keep === undefined ? 0 : Math.max(0, turn - 1 - keep)
  if (masked === 0) return [{ from: 0, to: now }]
  return [
    { from: 0, to: 2 },
    { from: 2, to: 2 + 2 * masked, masked: true },
    { from: 2 + 2 * masked, to: now },
  ]
}

const nothing: CallSums = {
  ...{ calls: 0, cost_usd: 0, price_usd: 0, raw_input_tokens: 0, cached_input_tokens: 0 },
  ...{ output_tokens: 0, reasoning_tokens: 0 },
}

/** A run that leaves a trajectory and reports the metrics of assay's own agent. */
export const agentRun =
  (planOf: (model: string, task: string, replicate: number) => AgentPlan & { readonly score?: number }): Script =>
  async (run, { makeDirectory, report }) => {
    const { run_dir } = makeDirectory()
    const plan = planOf(String(run.params.model), String(run.block.task), run.replicate)
    const trajectory = madeTrajectory({ id: run.name, ...plan })
    writeFileSync(join(run_dir, 'trajectory.json'), writeAtif(trajectory))
    for (const [at, turn] of trajectory.turns.entries()) for (const point of stepPoints(turn, at + 1)) report(point)
    for (const [metric, value] of Object.entries(runMetrics(trajectory))) report({ metric, value, step: null })
    const { score = 1 } = plan
    report({ metric: 'score', value: score, step: null })
    report({ metric: 'passed', value: Number(score >= 1), step: null })
    return { kind: 'completed', sandbox: 'bubblewrap', exit_status: trajectory.exit_status ?? 'unknown' }
  }
