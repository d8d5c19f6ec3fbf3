import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../../../src/models/model-call.ts'
import { noCalls } from '../../../src/models/trajectory/call-sums.ts'
import { readAtif } from '../../../src/models/trajectory/read-atif.ts'
import type { PromptPart, Trajectory, Turn } from '../../../src/models/trajectory/trajectory.ts'
import { writeAtif } from '../../../src/models/trajectory/trajectory-files.ts'
import { arbitraryTrajectory } from './arbitrary-trajectory.ts'
import { brokenRules } from './atif-rules.ts'

test('reads back exactly what was written, in valid ATIF', () => {
  fc.assert(
    fc.property(arbitraryTrajectory(), trajectory => {
      const document: unknown = JSON.parse(writeAtif(trajectory))
      expect(brokenRules(document)).toEqual([])
      expect(readAtif(document)).toEqual(trajectory)
    }),
    { numRuns: 150 },
  )
})

test('keeps turns with impossible ranges unchanged', () => {
  const { turns, ...rest } = longTrajectory(3)
  const broken = { ...rest, turns: turns.map(turn => ({ ...turn, from: turn.from + 2, to: turn.to + 900 })) }
  const document: unknown = JSON.parse(writeAtif(broken))
  expect(brokenRules(document)).toEqual([])
  expect(readAtif(document)).toEqual(broken)
})

test('the file grows with the turns, not with their square', () => {
  const bytes = (turns: number): number => writeAtif(longTrajectory(turns)).length
  const perTurn = (bytes(200) - bytes(100)) / 100
  expect((bytes(400) - bytes(200)) / 200).toBeLessThan(perTurn * 1.1)
  expect(readAtif(JSON.parse(writeAtif(longTrajectory(200))))).toEqual(longTrajectory(200))
})

/** Masks all but the ten newest results and makes a summary every twenty turns. */
function longTrajectory(length: number): Trajectory {
  const history: Message[] = [
    { role: 'system', content: 'You fix bugs.' },
    { role: 'user', content: 'Fix it.' },
  ]
  const turns: Turn[] = []
  const summaries: Trajectory['summaries'][number][] = []
  for (let at = 0; at < length; at++) {
    if (at > 0 && at % 20 === 0) summaries.push({ text: `so far ${at}`, from: 0, to: at, call: null })
    const from = history.length
    const prompt: PromptPart[] = [
      { from: 0, to: 2 },
      ...(summaries.length > 0 ? [{ summary: summaries.length - 1 }] : []),
      { from: 2, to: Math.max(2, from - 20), masked: true },
      { from: Math.max(2, from - 20), to: from },
    ]
    const id = `call-${at}`
    history.push({
      role: 'assistant',
      content: 'look',
      tool_calls: [{ id, name: 'bash', arguments: { command: 'ls' } }],
    })
    history.push({ role: 'tool', tool_call_id: id, name: 'bash', content: 'x'.repeat(500) })
    const facts = { usage: null, cost_usd: 0.01, price_usd: 0.01, inference_ms: 5, execution_ms: 7 }
    turns.push({ ...facts, prompt, from, to: from + 2, kind: 'turn', started_at: '2026-01-01T00:00:00Z' })
  }
  return {
    ...{ id: 'run', recorded_by: 'assay', history, turns, summaries },
    agent: { name: 'assay', version: '1', model: 'm', tools: [], strategy: { name: 'hybrid' } },
    ...{ exit_status: 'submitted', submission: 'diff', review_score: null, notes: [] },
    totals: { agent: noCalls, summary: noCalls, rloop: noCalls },
  }
}

const foreign = {
  schema_version: 'ATIF-v1.4',
  session_id: 's-1',
  agent: { name: 'terminus', version: '2.0', model_name: 'gpt', tool_definitions: null },
  steps: [
    { step_id: 1, source: 'system', message: 'You are an agent.' },
    {
      step_id: 2,
      source: 'user',
      message: [
        { type: 'text', text: 'Look' },
        { type: 'image', source: { media_type: 'image/png', path: 'a.png' } },
      ],
    },
    {
      step_id: 3,
      timestamp: '2026-01-02T00:00:00Z',
      source: 'agent',
      message: 'I look.',
      reasoning_content: 'hm',
      tool_calls: [{ tool_call_id: 'c', function_name: 'bash', arguments: { command: 'ls' } }],
      observation: { results: [{ source_call_id: 'c', content: 'a.txt' }] },
      metrics: { prompt_tokens: 100, completion_tokens: 10, cached_tokens: 60, cost_usd: 0.5, logprobs: [-1] },
    },
    { step_id: 4, source: 'agent', message: 'copied', is_copied_context: true, metrics: { cost_usd: 9 } },
    {
      step_id: 5,
      source: 'agent',
      message: 'Done.',
      observation: { results: [{ content: 'screen' }] },
      metrics: { prompt_tokens: 150, completion_tokens: 5, cached_tokens: 100, cost_usd: 0.25 },
      mood: 'good',
    },
    { step_id: 6, source: 'agent', message: 'rule', llm_call_count: 0 },
  ],
}

test('reads the file of another program', () => {
  const read = readAtif(foreign)
  expect(read).toMatchObject({
    id: 's-1',
    recorded_by: 'atif',
    exit_status: null,
    agent: { version: '2.0', model: 'gpt' },
  })
  expect(read.turns.map(({ from, to }) => [from, to])).toEqual([
    [2, 4],
    [5, 7],
  ])
  expect(read.history[1]).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: 'Look' },
      { type: 'image', media_type: 'image/png', url: 'a.png' },
    ],
  })
  expect(read.history[3]).toEqual({ role: 'tool', tool_call_id: 'c', name: 'bash', content: 'a.txt' })
  expect(read.totals.agent).toMatchObject({
    ...{ calls: 2, cost_usd: 0.75, raw_input_tokens: 90, cached_input_tokens: 160, output_tokens: 15 },
    reasoning_tokens: null,
  })
  expect(read.notes).toEqual(['Fields that are not part of a trajectory here: steps[].metrics.logprobs, steps[].mood.'])
})

test('prefers total metrics to sums, and counts subagents once', () => {
  const subagent = { ...foreign, trajectory_id: 'sub', steps: foreign.steps.slice(0, 3) }
  const read = readAtif({
    ...foreign,
    schema_version: 'ATIF-v1.8',
    subagent_trajectories: [subagent],
    final_metrics: {
      total_prompt_tokens: 300,
      total_completion_tokens: 20,
      total_cached_tokens: 200,
      total_cost_usd: 2,
    },
  })
  expect(read.totals.agent).toMatchObject({
    cost_usd: 2,
    raw_input_tokens: 140,
    cached_input_tokens: 260,
    output_tokens: 30,
  })
  expect(read.subagents).toHaveLength(1)
  expect(read.notes).toContain('The tokens of 1 subagents are in the totals.')
})

test.each([
  ['another version', { schema_version: 'ATIF-v2.0' }, /schema_version/],
  ['a step without a source', { steps: [{ step_id: 1, message: '' }] }, /steps\.0\.source/],
  [
    'a cost that is a text',
    { steps: [{ step_id: 1, source: 'agent', message: '', metrics: { cost_usd: '1' } }] },
    /steps\.0\.metrics\.cost_usd/,
  ],
  [
    'a result of a call nobody made',
    { steps: [{ step_id: 1, source: 'agent', message: '', observation: { results: [{ source_call_id: 'x' }] } }] },
    /"x"/,
  ],
  ['steps that are no list', { steps: {} }, /steps/],
  ['facts of assay that it did not write', { extra: { assay: { id: 1 } } }, /extra\.assay/],
])('refuses %s with its place', (_, change, reason) => {
  expect(() => readAtif({ ...foreign, ...change })).toThrow(reason)
})
