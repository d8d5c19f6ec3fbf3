import { expect, it } from 'vitest'
import { instanceColumns } from '../../../src/analyze/trajectories/instance.ts'
import { assay } from '../../support/assay.ts'
import { benchmark, said } from '../task/support.ts'
import { metricsOf } from './metrics-of.ts'

const command = '{ tool: { name: bash, arguments: { command: "echo x >> file.txt" } } }'

/** An agent that thinks, writes summaries, is cut off, and is reviewed: two attempts of six calls. */
const experiment = `target:
  kind: agent
  tasks: tasks/*
  sandbox: process
  strategy: llm_summary
  call_limit: 6
  reviewer: { kind: score, samples: 1, max_attempts: 2, accept_score: 11 }
params: { model: sim/a, hp_sum_n: 2, hp_sum_keep_m: 1 }
models:
  sim/a:
    price: { input: 1, cached_input: 0.5, output: 4 }
    tokens: { reasoning: 40, cached: prefix }
    rules:
      - { purpose: rloop, answer: "7" }
      - { purpose: summary, answer: a summary }
      - ${command}
`

/** Of the numbers that both a run's metrics and a row of `instances` have. */
async function parsed(cwd: string): Promise<Record<string, unknown>> {
  const { stdout } = await assay(['parse', 'results/bench', '--json'], { cwd })
  return JSON.parse(stdout).instances[0]
}

it('gives the run’s numbers from the trajectory, paid or cached', async () => {
  const cwd = benchmark({ 'tasks/a/instruction.md': 'Write a file.' }, experiment)
  for (const more of [[], ['--fresh']]) {
    const ended = await assay(['run', '--json', ...more], { cwd })
    expect(ended.status, said(ended)).toBe(0)
    const metrics = metricsOf(cwd)
    const row = await parsed(cwd)
    const both = instanceColumns.filter(column => metrics[column] !== undefined && column !== 'submitted')
    expect(both.length).toBeGreaterThan(18)
    for (const column of both) expect(Number(row[column]), column).toBeCloseTo(metrics[column] ?? Number.NaN, 9)
    expect(metrics).toMatchObject({ n_attempts: 2, agent_api_calls: 10, summary_api_calls: 2, rloop_api_calls: 2 })
    expect(metrics.internal_reasoning_tokens).toBeGreaterThan(0)
    expect(metrics.cost_usd, 'nothing is paid twice').toBeCloseTo(more.length > 0 ? 0 : (metrics.total_cost ?? 0), 9)
  }
})
