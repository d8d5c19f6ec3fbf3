import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { MetricSourceSpec } from '../../../src/define/experiment.ts'
import { metricSourceFor, metricSources } from '../../../src/perform/metric-sources/registry.ts'
import { temporaryDirectory } from '../../process/support.ts'
import { head, simple } from './event-file.ts'

interface Case {
  readonly spec: MetricSourceSpec
  readonly file: string
  readonly good: string | Uint8Array
  readonly nan: string | Uint8Array
  readonly broken: string | Uint8Array
}

/** For every source: how to ask it for the metric `score`, and files that make it 1.5, not a number, or broken. */
const cases: Record<string, Case> = {
  csv: {
    spec: { kind: 'csv', file: 'out/s.csv', column: 'score' },
    file: 'out/s.csv',
    good: 'name,score\na,1.5\n',
    nan: 'name,score\na,nan\n',
    broken: 'name,other\na,1\n',
  },
  json: {
    spec: { kind: 'json', file: 'out/s.json', path: 'score' },
    file: 'out/s.json',
    good: '{"score": 1.5}',
    nan: '{"score": NaN}',
    broken: '{"score": ',
  },
  jsonl: {
    spec: { kind: 'jsonl', file: 'out/s.jsonl', field: 'score' },
    file: 'out/s.jsonl',
    good: '{"score": 1}\n{"score": 1.5}\n',
    nan: '{"score": 1}\n{"score": NaN}\n',
    broken: '{"score": 1}\nhello\n{"score": 2}\n',
  },
  regex: {
    spec: { kind: 'regex', file: 'stdout.txt', pattern: 'score=(\\S+)', group: 1 },
    file: 'stdout.txt',
    good: 'score=1\nscore=1.5\n',
    nan: 'score=NaN\n',
    broken: 'no score\n',
  },
  reward: { spec: { kind: 'reward' }, file: 'reward.txt', good: '1.5\n', nan: 'nan', broken: 'great' },
  reported: {
    spec: { kind: 'reported' },
    file: 'metrics.jsonl',
    good: '{"score": 1, "step": 1}\n{"metric": "score", "value": 1.5, "step": 2}\n',
    nan: '{"score": 1}\n{"score": NaN}\n',
    broken: '{"score": 1}\nhello\n',
  },
  tensorboard: {
    spec: { kind: 'tensorboard', file: 'out' },
    file: 'out/events.out.tfevents.1.host',
    good: Buffer.concat([head(), simple(1, 'score', 1), simple(2, 'score', 1.5)]),
    nan: simple(1, 'score', Number.NaN),
    broken: Buffer.concat([simple(1, 'score', 1), simple(2, 'score', 2).fill(7)]),
  },
}

test('every source has a contract test', () => {
  expect(metricSources.map(({ kind }) => kind).sort()).toEqual(Object.keys(cases).sort())
})

describe.each(Object.entries(cases))('%s', (kind, { spec, file, good, nan, broken }) => {
  const read = (content: string | Uint8Array | null, more = {}) => {
    const dir = temporaryDirectory()
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    if (content !== null) writeFileSync(join(dir, file), content)
    return metricSourceFor(kind)?.read(dir, 'score', { ...spec, ...more })
  }

  test('reads the value', () => {
    expect(read(good)?.readings).toEqual([{ metric: 'score', value: 1.5 }])
  })

  test.each([
    ['no file', null],
    ['an empty file', ''],
    ['not a number', nan],
    ['something else', broken],
    ['bytes that are not text', Uint8Array.from([0xff, 0xfe, 0, 0x80])],
  ])('%s is a problem with a reason, never a value', (_, content) => {
    expect(read(content)?.readings).toEqual([{ metric: 'score', problem: expect.stringMatching(/\w+ \w+/) }])
  })

  if (typeof good === 'string')
    test('lines may end as on Windows', () => {
      expect(read(good.replaceAll('\n', '\r\n'))?.readings).toEqual([{ metric: 'score', value: 1.5 }])
    })
})
