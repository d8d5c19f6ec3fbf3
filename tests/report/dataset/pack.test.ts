import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../../src/define/observation.ts'
import { ByteReader } from '../../../src/report/dataset/byte-reader.ts'
import { ByteWriter } from '../../../src/report/dataset/byte-writer.ts'
import { type Dataset, noFolder } from '../../../src/report/dataset/dataset.ts'
import { readNumbers, writeNumbers } from '../../../src/report/dataset/numbers.ts'
import { packDataset } from '../../../src/report/dataset/pack.ts'
import { resultOf } from '../../../src/report/dataset/steps.ts'
import { readTable, writeTable } from '../../../src/report/dataset/table.ts'
import { unpackDataset } from '../../../src/report/dataset/unpack.ts'
import { storyView } from '../../../src/report/gather/stories/story-view.ts'
import { trajectoryView } from '../../../src/report/gather/trajectories/trajectory-view.ts'
import { aRun, evidenceWith } from '../../analyze/evidence.ts'
import { madeTrajectory } from '../../support/agent-work.ts'
import { aTurn, headOf } from '../../support/story-records.ts'
import { aDataset } from './datasets.ts'

const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0.1, -0, 1e300, 2 ** 53),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map(value => value / 1000),
)

describe('numbers', () => {
  it('round-trip bit by bit', () => {
    fc.assert(
      fc.property(fc.array(number), values => {
        const writer = new ByteWriter()
        const code = writeNumbers(values, writer)
        const back = readNumbers(code, values.length, new ByteReader(writer.take()))
        expect(back.every((value, at) => Object.is(value, values[at]))).toBe(true)
        expect(back).toHaveLength(values.length)
      }),
    )
  })

  it('with few digits take few bytes', () => {
    const writer = new ByteWriter()
    expect(writeNumbers([0.25, 0.5, 0.75, 1], writer)).toEqual({ kind: 'decimal', digits: 2 })
    expect(writer.take()).toHaveLength(4)
  })
})

describe('a table', () => {
  const cell = fc.option(fc.oneof(number, fc.string(), fc.boolean(), fc.constant(null), fc.array(fc.integer())), {
    nil: undefined,
  })
  const row = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'long name', ''), cell)

  it('round-trips present and missing cells', () => {
    fc.assert(
      fc.property(fc.array(row), rows => {
        const writer = new ByteWriter()
        const head = JSON.parse(JSON.stringify(writeTable(rows, writer)))
        const back = resultOf(readTable(head, new ByteReader(writer.take())))
        const there = rows.map(one => Object.entries(one).filter(([, value]) => value !== undefined))
        // −0 among texts is the one thing that JSON loses.
        const plain = (entries: readonly (readonly [string, unknown])[]) =>
          new Map(entries.map(([name, value]) => [name, value === 0 ? 0 : value]))
        expect(back.map(one => plain(Object.entries(one)))).toEqual(there.map(plain))
      }),
    )
  })
})

const anAttempt: Attempt = {
  number: 1,
  outcome: null,
  fingerprint: null,
  started_at: 1,
  ended_at: null,
  wall_s: null,
  cost_usd: null,
  cost_assumed: false,
  superseded: false,
  worker: null,
  mode: 'run',
  continues: null,
}

describe('a dataset', () => {
  const runs = [
    aRun({
      name: 'one',
      params: { model: 'a', layers: [1, 2], '<script>': '</script><script>alert(1)</script>' },
      block: { seed: 1 },
      metrics: { score: 0.1 + 0.2, steps: 3 },
      series: [{ metric: 'loss', steps: [1, 2, 3], values: [3, 2.5, 0.1 + 0.2] }],
      cost_usd: 0.02,
      fingerprint: 'f',
      seed: 1,
    }),
    aRun({
      name: 'two',
      params: { model: 'b' },
      block: { seed: 1 },
      outcome: { kind: 'failed', error_class: 'exit_7', exit_code: 7 },
      problems: { score: 'no file' },
      columns: { note: 'x', odd: Number.NaN },
      series: [
        { metric: 'loss', steps: [1, 2, 3], values: [1, 1, 1] },
        { metric: 'other', steps: [], values: [] },
      ],
      ablation: 'no_cache',
      flags: ['--no-cache'],
      started_at: 5,
      ended_at: 255,
      wall_s: 0.25,
      tags: ['first'],
      attempts: [
        { ...anAttempt, outcome: { kind: 'failed', error_class: 'exit_7', message: 'no' }, ended_at: 3, cost_usd: 2 },
        { ...anAttempt, number: 2, started_at: 5, cost_assumed: true, superseded: true, mode: 'score', continues: 1 },
      ],
    }),
  ]
  const folders = [
    { ...noFolder, files: [{ path: 'out/a.csv', bytes: 12 }], reduced: { 'auc loss': 'no data' } },
    {
      ...noFolder,
      task: {
        ...{ score: 0.5, passed: false, problem: null, agent: null, numbers: { reward: 0.5 }, sandbox: null },
        tests: { total: 2, passed: 1, kept: [{ name: '<b>', passed: false, output: '' }] },
        rubrics: { total: 0, kept: [], weighted_score: null, agreement: null },
        diff: { path: 'artifacts/diff.patch', text: '+x\n', bytes: 9, left_bytes: 6 },
        logs: [],
      },
      trajectory: trajectoryView(
        madeTrajectory({ turns: 3, keep: 1 }),
        { file: 'trajectory.json', bytes: 7 },
        { text: 10, room: 2000, turns: 9, endShare: 0 },
      ),
      story: storyView(
        'scenario-state.json',
        headOf(2, { branched_from: { run: 'results/a', turn: 1 } }),
        { turns: [aTurn(1), aTurn(2)], unread: [] },
        { text: 10, room: 9000, turns: 9, endShare: 0 },
      ),
      output: [{ stream: 'stderr', text: '<b>no</b>\n', bytes: 10 }],
      trace: [
        {
          name: 'chat m',
          depth: 1,
          service: null,
          purpose: null,
          started_at: 1.5,
          ms: 20,
          input_tokens: 3,
          output_tokens: null,
          reasoning_tokens: 2,
          cost_usd: null,
          is_cached: false,
          error: null,
          scores: [{ name: 'relevance', value: 0.5, label: 'pass', explanation: null }],
          repeated: 0,
          messages: [{ role: 'user', text: '<b>hi</b>' }],
          answer: [],
        },
      ],
    },
  ] satisfies Dataset['folders']
  const dataset = aDataset(evidenceWith(runs), { folders })

  it('round-trips', () => {
    expect(unpackDataset(packDataset(dataset))).toEqual(dataset)
  })

  it('has the only attempt of a run, and neither machine names nor paths', () => {
    const outcome = { kind: 'completed' } as const
    const attempt = { ...anAttempt, outcome, started_at: 7, ended_at: 9, wall_s: 2, cost_usd: 1 }
    const once = aRun({ outcome, started_at: 7, ended_at: 9, wall_s: 2, cost_usd: 1, attempts: [attempt] })
    const here = {
      ...once,
      place: '/home/somebody/runs/once',
      token: 'secret',
      attempts: [{ ...attempt, worker: 'laptop:123', fingerprint: 'f' }],
    }
    const late = { ...once, attempts: [{ ...attempt, superseded: true }] }
    const bytes = packDataset(aDataset(evidenceWith([here, late])))
    expect(unpackDataset(bytes).evidence.runs).toEqual([once, late])
    expect(new TextDecoder().decode(bytes)).not.toMatch(/somebody|secret|laptop/)
  })

  it('is deterministic', () => {
    expect(packDataset(structuredClone(dataset))).toEqual(packDataset(dataset))
  })

  it('may have no runs', () => {
    const empty = aDataset(evidenceWith([]))
    expect(unpackDataset(packDataset(empty))).toEqual(empty)
  })

  it('that is truncated is refused', () => {
    const bytes = packDataset(dataset)
    expect(() => unpackDataset(bytes.slice(0, -3))).toThrow('cut off')
  })
})
