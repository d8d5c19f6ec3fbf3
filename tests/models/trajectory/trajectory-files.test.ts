import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Trajectory } from '../../../src/models/trajectory/trajectory.ts'
import { readTrajectories } from '../../../src/models/trajectory/trajectory-files.ts'
import { folderWith } from '../../support/assay.ts'
import { needs } from '../../support/needs.ts'
import { fork, legacy, mergedSummary, mini, retried } from './swe-agent-files.ts'

const real = fileURLToPath(new URL('../../../../shared/data/trajectories/', import.meta.url))

/** The content read, by file, or a reason. */
function readAll(folder: string): Readonly<Record<string, Trajectory | string>> {
  const found = [...readTrajectories(folder)]
  return Object.fromEntries(found.map(one => [one.file, 'reason' in one ? one.reason : one.trajectory]))
}

function readOne(data: object, name = 'django__django-1.traj'): Trajectory {
  const read = readAll(folderWith({ [name]: JSON.stringify(data) }))[name]
  if (read === undefined || typeof read === 'string') throw new Error(`not read: ${read}`)
  return read
}

test.each([
  ['swe-agent__test-repo-i1', 5, 0.53839, 5, 52861, 326],
  ['pydicom__pydicom-1458', 12, 1.26719, 12, 122612, 1369],
  ['katy', 18, 0, 0, 0, 0],
  ['networking_1', 4, 0, 0, 0, 0],
  ['rock', 12, 0, 0, 0, 0],
])('reads the real file %s', (id, turns, cost_usd, calls, raw_input_tokens, output_tokens) => {
  needs(existsSync(real), 'the real trajectories are not here')
  const read = readAll(real)[`${id}.traj`]
  expect(read).toMatchObject({
    ...{ id, recorded_by: 'swe-agent', exit_status: 'submitted', summaries: [] },
    totals: { agent: { cost_usd, calls, raw_input_tokens, output_tokens, cached_input_tokens: null } },
  })
  if (typeof read !== 'object') throw new Error('not read')
  expect(read.turns).toHaveLength(turns)
  // Each of them is an answer of the agent and the output of its command.
  for (const { from, to, kind } of read.turns) {
    expect([kind, read.history[from]?.role]).toEqual(['turn', 'assistant'])
    expect(to - from).toBeLessThanOrEqual(2)
  }
})

test('reads SWE-agent 0.x, whose totals have no cached tokens', () => {
  const read = readOne(legacy)
  expect(read).toMatchObject({ id: 'django__django-1', submission: legacy.info.submission, agent: { model: null } })
  expect(read.turns.map(({ from, to, usage }) => [from, to, usage])).toEqual([
    [3, 5, null],
    [5, 6, null],
  ])
  expect(read.totals).toMatchObject({
    agent: { calls: 2, cost_usd: 0.5, raw_input_tokens: 1000, cached_input_tokens: null, output_tokens: 20 },
    summary: { calls: 0, cost_usd: 0 },
    rloop: { calls: 0, cost_usd: 0 },
  })
  expect(read.notes).toEqual(['The file does not say how many input tokens were cached.'])
})

test('reads the fork: statistics of turns, summaries, answers that could not be used', () => {
  const read = readOne(fork)
  expect(read.turns.map(({ kind, from, to }) => [kind, from, to])).toEqual([
    ['turn', 2, 4],
    ['again', 4, 4],
    ['turn', 4, 6],
    ['autosubmit', 6, 6],
  ])
  expect(read.turns[0]).toMatchObject({
    ...{ cost_usd: 0.25, inference_ms: 2000, execution_ms: 500 },
    usage: { input_tokens: 150, cached_input_tokens: 50, output_tokens: 14, reasoning_tokens: 4 },
  })
  expect(read.history[2]).toMatchObject({ tool_calls: [{ id: 'c1', name: 'bash', arguments: { command: 'ls' } }] })
  expect(read.history[3]).toEqual({ role: 'tool', tool_call_id: 'c1', name: 'bash', content: 'output of ls' })
  expect(read).toMatchObject({
    exit_status: 'submitted (exit_cost)',
    review_score: 1,
    agent: {
      ...{ version: '1.1.0', model: 'deepseek/deepseek-chat' },
      strategy: { strategy: 'hybrid', hp_obs_n: 10, hp_sum_n: 21, hp_sum_keep_m: 10 },
    },
    summaries: [{ text: 'so far', call: { cost_usd: 0.1, inference_ms: 900 } }],
  })
  // SWE-agent's own totals leave out the tokens of thoughts, which its turns have: 2 × 4.
  expect(read.totals.agent).toMatchObject({ cost_usd: 0.5, calls: 3, output_tokens: 28, reasoning_tokens: 8 })
  expect(read.totals.summary).toMatchObject({ cost_usd: 0.1, calls: 1, raw_input_tokens: 30 })
})

test("separates the summariser's share if it uses the agent's model", () => {
  const { totals, notes } = readOne(mergedSummary)
  expect(totals.agent.cost_usd).toBeCloseTo(0.5, 12)
  expect(totals.agent).toMatchObject({ calls: 3, raw_input_tokens: 200 })
  expect(totals.summary).toMatchObject({ cost_usd: 0.1, calls: 1, raw_input_tokens: 30 })
  expect(notes[0]).toContain("the agent's own model")
})

test('counts each attempt of the retry agent once, the best one too', () => {
  const read = readOne(retried)
  expect(read.totals.agent).toMatchObject({ cost_usd: 1.25, calls: 2, raw_input_tokens: 200 })
  expect(read.totals.rloop).toMatchObject({ cost_usd: 0.125, calls: 5 })
  expect([read.turns.length, read.review_score]).toEqual([1, 0.75])
})

test('leaves out the files of attempts beside the file that has them all', () => {
  const folder = folderWith({
    'a/a.traj': JSON.stringify(retried),
    'a/attempt_0/a.traj': JSON.stringify(legacy),
    'a/attempt_1/a.traj': JSON.stringify(legacy),
    'b/attempt_0/b.traj': JSON.stringify(legacy),
  })
  expect(Object.keys(readAll(folder))).toEqual(['a/a.traj', 'b/attempt_0/b.traj'])
})

test('reads a file without a history out of its steps', () => {
  const { history: _history, ...bare } = legacy
  const read = readOne(bare)
  expect(read.history.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant', 'user'])
  expect(read.turns.map(({ from, to }) => [from, to])).toEqual([
    [0, 2],
    [2, 4],
  ])
})

test('reads Python’s NaN and Infinity as unknown', () => {
  const written = JSON.stringify(fork).replace('"execution_time":0.5', '"execution_time":-Infinity')
  const folder = folderWith({ 'a.traj': written.replace('I run ls', 'NaN, \\"Infinity\\": NaN') })
  const read = readAll(folder)['a.traj']
  expect(read).toMatchObject({ turns: [{ execution_ms: null }, {}, {}, {}] })
})

test('reads mini-swe-agent', () => {
  const read = readOne(mini, 'django__django-1.traj.json')
  expect(read).toMatchObject({
    ...{ id: 'django__django-1', recorded_by: 'mini-swe-agent', exit_status: 'Submitted' },
    agent: { version: '1.14.0', model: 'anthropic/claude' },
    totals: {
      agent: {
        calls: 2,
        cost_usd: 0.5,
        raw_input_tokens: 190,
        cached_input_tokens: 60,
        output_tokens: 15,
        reasoning_tokens: 3,
      },
    },
  })
  expect(read.turns.map(({ from, to, cost_usd, started_at }) => [from, to, cost_usd, started_at])).toEqual([
    [2, 4, 0.25, null],
    [4, 6, null, '2025-10-09T08:53:20.000Z'],
  ])
})

test("reads mini-swe-agent's calls through the API of responses", () => {
  const answer = {
    object: 'response',
    output: [
      { type: 'reasoning', summary: [] },
      { type: 'message', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'function_call', call_id: 'c', name: 'bash', arguments: '{"command": "ls"}' },
    ],
    usage: {
      input_tokens: 100,
      output_tokens: 10,
      input_tokens_details: { cached_tokens: 40 },
      output_tokens_details: { reasoning_tokens: 6 },
    },
    extra: { cost: 0.5 },
  }
  const output = { type: 'function_call_output', call_id: 'c', output: 'a.py' }
  const read = readOne({ ...mini, messages: [...mini.messages.slice(0, 2), answer, output] }, 'x.traj.json')
  expect(read.history.slice(2)).toEqual([
    { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'c', name: 'bash', arguments: { command: 'ls' } }] },
    { role: 'tool', tool_call_id: 'c', name: 'bash', content: 'a.py' },
  ])
  expect(read.turns).toMatchObject([
    {
      from: 2,
      to: 4,
      cost_usd: 0.5,
      usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: 10, reasoning_tokens: 6 },
    },
  ])
})

test('reads the trial of a benchmark under the name of its task', () => {
  const atif = { schema_version: 'ATIF-v1.5', session_id: 'f81d4fae', agent: { name: 'x', version: '1' }, steps: [] }
  const folder = folderWith({
    'job/hello__Ab3/agent/trajectory.json': JSON.stringify(atif),
    'job/hello__Ab3/result.json': JSON.stringify({ task_name: 'hello', trial_name: 'hello__Ab3' }),
    'job/hello__Cd4/agent/mini-swe-agent.trajectory.json': JSON.stringify(mini),
    'other/session.json': JSON.stringify(atif),
  })
  const ids = Object.entries(readAll(folder)).map(([file, read]) => [file, typeof read === 'string' ? read : read.id])
  expect(ids).toEqual([
    ['job/hello__Ab3/agent/trajectory.json', 'hello'],
    ['job/hello__Cd4/agent/mini-swe-agent.trajectory.json', 'hello__Cd4'],
    ['other/session.json', 'f81d4fae'],
  ])
})

test('names broken files and continues; never mistakes another file for a trajectory', () => {
  const whole = JSON.stringify(legacy)
  const folder = folderWith({
    'a-truncated.traj': whole.slice(0, -20),
    'b-empty.traj': '',
    'c-list.traj': '[1, 2]',
    'd-null.traj': 'null',
    'e-binary.traj': '\u0000\u0001ELF',
    'f-other.traj': '{"positions": [1, 2], "velocities": []}',
    'g-steps.traj': JSON.stringify({ ...legacy, trajectory: [{ action: 7 }] }),
    'h-cost.traj': JSON.stringify({ ...legacy, info: { model_stats: { instance_cost: '1' } } }),
    'i-atif.json': '{"schema_version": "ATIF-v1.7", "steps": "none"}',
    'j-fine.traj': whole,
    'package.json': '{"name": "x", "info": {}, "messages": []}',
    'preds.json': '{}',
    'log.txt': whole,
    'trajectory.json': '{"kind": "flight"}',
    'x.traj/inside.traj': whole,
  })
  execFileSync('mkfifo', [join(folder, 'pipe.traj')])
  symlinkSync('loop.traj', join(folder, 'loop.traj'))
  symlinkSync('nowhere', join(folder, 'missing.traj'))
  symlinkSync('.', join(folder, 'again'))
  mkdirSync(join(folder, 'locked'), { mode: 0 })
  const read = Object.entries(readAll(folder)).map(([file, one]) => [file, typeof one === 'string' ? one : one.id])
  expect(Object.fromEntries(read)).toEqual({
    'a-truncated.traj': expect.stringContaining('is not valid JSON'),
    'b-empty.traj': 'is empty',
    'c-list.traj': 'is not a trajectory: it contains no object',
    'd-null.traj': 'is not a trajectory: it contains no object',
    'e-binary.traj': expect.stringContaining('is not valid JSON'),
    'f-other.traj': expect.stringContaining('its keys: positions, velocities'),
    'g-steps.traj': 'trajectory.0.action: invalid input: expected string, received number',
    'h-cost.traj': 'info.model_stats.instance_cost: invalid input: expected number, received string',
    'i-atif.json': 'agent: invalid input: expected object, received undefined',
    'j-fine.traj': 'j-fine',
    'loop.traj': expect.stringContaining("can't be read"),
    'missing.traj': expect.stringContaining("can't be read"),
    'pipe.traj': 'is not a regular file',
    'trajectory.json': expect.stringContaining('its keys: kind'),
    'x.traj/inside.traj': 'inside',
  })
})

test('reads a file of 50 MB, and survives deep nesting', () => {
  const large = { ...legacy, trajectory: [{ ...legacy.trajectory[0], observation: 'x'.repeat(50_000_000) }] }
  const folder = folderWith({ 'large.traj': JSON.stringify(large) })
  writeFileSync(join(folder, 'deep.traj'), `${'['.repeat(200_000)}${']'.repeat(200_000)}`)
  const { 'large.traj': read, 'deep.traj': deep } = readAll(folder)
  expect(read).toMatchObject({ id: 'large' })
  expect(deep).toContain('is not')
})
