import { describe, expect, it } from 'vitest'
import { stepSeries } from '../../../src/analyze/trajectories/aggregates.ts'
import { runInstance } from '../../../src/analyze/trajectories/instance.ts'
import type { Outcome } from '../../../src/define/outcome.ts'
import { agentCurvesFigures, agentsFigure, exitsFigure } from '../../../src/report/figures/agent-figures.ts'
import { cellText } from '../../../src/report/figures/figures.ts'
import { type AgentFindings, agentFindingsOf, hasAgents } from '../../../src/report/findings/agents.ts'
import { agentsText } from '../../../src/report/formats/markdown/agents-text.ts'
import { chartDocument } from '../../../src/report/pictures/write-picture.ts'
import { aRun, evidenceWith } from '../../analyze/evidence.ts'
import { aDataset } from '../dataset/datasets.ts'

const view = { filter: '', alpha: 0.05, metric: 'score', group: [], baseline: {}, cost: 'cost_usd' }

interface Made {
  readonly strategy?: string
  readonly task?: string
  readonly cost?: number | null
  readonly turns?: number
  readonly exit?: string
  readonly score?: number | null
  readonly ended_at?: number
  readonly outcome?: Outcome
}

function anAgent({
  strategy = 'raw',
  task = 'a',
  cost = 1,
  turns = 2,
  exit = 'submitted',
  score = 1,
  ended_at = 1,
}: Made) {
  const each = cost === null ? [] : Array.from({ length: turns }, () => cost / turns)
  return aRun({
    ...{ name: `${strategy}-${task}`, params: { strategy }, block: { task }, ended_at },
    outcome: { kind: 'completed', exit_status: exit },
    metrics: {
      ...{ n_turns: turns, submitted: Number(exit.startsWith('submitted')), agent_api_calls: turns },
      ...(cost !== null && { total_cost: cost, agent_cost: cost, summary_cost: 0, rloop_cost: 0 }),
      ...{ raw_input_tokens: 100, cached_input_tokens: 300 },
      ...(score !== null && { score, passed: Number(score >= 1) }),
    },
    series: ['step/cost', 'step/tokens_raw_input'].map(metric => ({
      metric,
      steps: each.map((_, at) => at + 1),
      values: metric === 'step/cost' ? each : each.map(() => 50),
    })),
  })
}

const runs = [
  anAgent({ task: 'b', cost: 3, turns: 4, ended_at: 30, score: 0 }),
  anAgent({ task: 'a', cost: 1, turns: 2, ended_at: 10 }),
  anAgent({ task: 'c', cost: 2, turns: 3, ended_at: 20, exit: 'exit_context', score: null }),
  anAgent({ strategy: 'masked', task: 'a', cost: 0.5, turns: 2, ended_at: 11 }),
  anAgent({ strategy: 'masked', task: 'b', cost: 1.5, turns: 2, ended_at: 12, exit: 'submitted (exit_cost)' }),
  aRun({ name: 'lost', params: { strategy: 'masked' }, block: { task: 'c' }, outcome: { kind: 'infra_error' } }),
]

const datasetOf = (all: typeof runs, points: number | null = null) => {
  const dataset = aDataset(
    evidenceWith(all, { blocks: ['task'], factors: ['strategy'], levels: { strategy: ['raw', 'masked'] } }),
  )
  return { ...dataset, kept: { ...dataset.kept, series_points: points } }
}

function found(all = runs, points: number | null = null): AgentFindings {
  const finding = agentFindingsOf(datasetOf(all, points), view)
  if ('reason' in finding) throw new Error(finding.reason)
  return finding.found
}

const written = ({ table }: ReturnType<typeof agentsFigure>): readonly string[] => [
  table.columns.map(({ name }) => name).join(' | '),
  ...table.rows.map(row => row.map((cell, at) => cellText(cell, table.columns[at] ?? { name: '' })).join(' | ')),
]

describe('agents by variant', () => {
  it('have instances, submissions, solve rate, cost with its interval, turns, cache and exits', () => {
    expect(written(agentsFigure(found()))).toMatchInlineSnapshot(`
      [
        "variant | instances | runs without an agent | submitted | submission rate | solve rate | scored | avg cost | 95% CI low | high | total cost | avg turns | median | cache hit rate",
        "strategy=raw | 3 | 0 | 2 | 66.7% | 50% | 2 | $2.00 | $0.00 | $4.48 | $6.00 | 3.00 | 3.00 | 75%",
        "strategy=masked | 2 | 1 | 2 | 100% | 100% | 2 | $1.00 | $0.00 | $7.35 | $2.00 | 2.00 | 2.00 | 75%",
      ]
    `)
    expect(written(exitsFigure(found()))).toMatchInlineSnapshot(`
      [
        "variant | instances | submitted | exit_cost | exit_context",
        "strategy=raw | 3 | 2 | 0 | 1",
        "strategy=masked | 2 | 1 | 1 | 0",
      ]
    `)
  })

  it('have curves in the order in which instances ended', () => {
    const { curves, points } = found()
    expect(points).toBe('turns')
    expect(curves).toEqual(found(runs.toReversed()).curves)
    expect(curves[0]).toEqual({
      label: 'strategy=raw',
      instances: [
        { n_instances: 1, total_cost: 1, submission_rate: 1, solve_rate: 1 },
        { n_instances: 2, total_cost: 3, submission_rate: 0.5, solve_rate: 1 },
        { n_instances: 3, total_cost: 6, submission_rate: 2 / 3, solve_rate: 0.5 },
      ],
      turns: [0.5, 1, 1 + 2 / 3, 1 + 4 / 3, 3, 3.75, 4.5, 5.25, 6].map((cost, at) => ({
        global_step: at + 1,
        cost: expect.closeTo(cost, 10),
      })),
    })
  })

  it('agree with the metric cumulative/cost, turn by turn', () => {
    const records = runs.slice(0, 3).flatMap(run => runInstance(run) ?? [])
    const points = [...stepSeries(records)].map(({ global_step, metrics }) => ({
      global_step,
      cost: metrics['cumulative/cost'],
    }))
    expect(found().curves[0]?.turns).toEqual(points)
  })

  it('have a point per instance if series were thinned', () => {
    const { curves, points } = found(runs, 3)
    expect(points).toBe('instances')
    expect(curves[0]?.turns).toEqual([
      { global_step: 2, cost: 1 },
      { global_step: 5, cost: 3 },
      { global_step: 9, cost: 6 },
    ])
  })

  it('keep a cost unknown from the first unknown one on', () => {
    const { curves, rows } = found([
      anAgent({ ended_at: 1 }),
      anAgent({ task: 'b', cost: null, ended_at: 2 }),
      anAgent({ task: 'c', ended_at: 3 }),
    ])
    expect(curves[0]?.instances.map(({ total_cost }) => total_cost)).toEqual([1, null, null])
    expect(rows[0]).toMatchObject({ n_instances: 3, total_cost: null, cost: { mean: 1 } })
  })

  it('are drawn with at most 400 points, even for a hundred thousand turns', () => {
    const many = Array.from({ length: 3000 }, (_, at) => anAgent({ task: `t${at}`, turns: 30, ended_at: at }))
    const { curves } = found(many)
    expect([curves[0]?.instances.length, curves[0]?.turns.length]).toEqual([400, 400])
    expect(curves[0]?.turns.at(-1)).toEqual({ global_step: 90_000, cost: expect.closeTo(3000, 6) })
  })

  it('have figures and text, with rates from 0 to 100%', () => {
    const figures = agentCurvesFigures(found())
    expect(figures.map(({ id, title }) => [id, title])).toEqual([
      ['agent-cost', 'Cumulative cost over instances'],
      ['agent-submission-rate', 'Submission rate over instances'],
      ['agent-solve-rate', 'Solve rate over instances'],
      ['agent-cost-turns', 'Cumulative cost over turns'],
    ])
    for (const { draw } of figures)
      expect(draw?.({ document: chartDocument() })).toContain('in the order in which instances ended')
    const text = agentsText(datasetOf(runs), view)
    expect(text).toContain('## Agents')
    expect(text).toContain('| strategy=masked |')
  })

  it('do not exist without an agent’s runs', () => {
    const dataset = datasetOf([aRun({ metrics: { score: 1 } })])
    expect([hasAgents(dataset), agentsText(dataset, view)]).toEqual([false, ''])
    expect(agentFindingsOf(dataset, view)).toEqual({ reason: expect.stringContaining('there are no agents') })
  })
})
