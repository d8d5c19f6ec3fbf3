import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MetricSourceSpec } from '../../../src/define/experiment.ts'
import { metricSourceFor } from '../../../src/perform/metric-sources/registry.ts'
import { parseCsv } from '../../../src/util/csv.ts'
import { temporaryDirectory } from '../../process/support.ts'

function read(file: string, content: string | Uint8Array, spec: MetricSourceSpec, metric = 'm') {
  const dir = temporaryDirectory()
  mkdirSync(dirname(join(dir, file)), { recursive: true })
  writeFileSync(join(dir, file), content)
  return metricSourceFor(spec.kind)?.read(dir, metric, spec)
}

describe('csv', () => {
  const csv = (content: string, more = {}, metric = 'm') =>
    read('s.csv', content, { kind: 'csv', file: 's.csv', ...more }, metric)?.readings

  test('names a missing column with the existing ones', () => {
    expect(csv('a,b\n1,2\n', { column: 'p95' })).toEqual([
      { metric: 'm', problem: 's.csv has no column "p95"; it has a, b' },
    ])
  })

  test('without a column reads every numeric one', () => {
    expect(csv('\uFEFFpolicy,p50,p95,broken\nfull,1e3,-2,inf\n', {}, '*')).toEqual([
      { metric: 'p50', value: 1000 },
      { metric: 'p95', value: -2 },
      { metric: 'broken', problem: 'column "broken" is "inf", not a number' },
    ])
  })

  test('several rows need names', () => {
    const text = 'provider,tier_id,calls\nopenai,1,10\nanthropic,2,20\n'
    expect(csv(text, { column: 'calls' })).toMatchObject([{ problem: expect.stringContaining('has 2 rows') }])
    expect(csv(text, { row_name: '{provider}_tier{tier_id}' }, '*')).toEqual([
      { metric: 'openai_tier1_calls', value: 10 },
      { metric: 'anthropic_tier2_calls', value: 20 },
    ])
  })

  test('an optional file may be missing', () => {
    const spec = { kind: 'csv', file: 'missing.csv', optional: true }
    expect(metricSourceFor('csv')?.read(temporaryDirectory(), 'm', spec)).toEqual({ readings: [], series: [] })
  })

  test('any table comes back as it was written', () => {
    const cell = fc.string().filter(text => text !== '')
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 })
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, end) => {
        expect(parseCsv(rows.map(row => row.map(quote).join(',')).join(end))).toEqual(rows)
      }),
    )
  })
})

describe('json', () => {
  const document = '{"a": {"b": [{"c": 3}]}, "ok": true, "name": "x", "x.y": 4, "deep": {"n": 1}}'
  const json = (more = {}, metric = 'm') =>
    read('s.json', document, { kind: 'json', file: 's.json', ...more }, metric)?.readings

  test('a path', () => {
    expect(json({ path: 'a.b[0].c' })).toEqual([{ metric: 'm', value: 3 }])
    expect(json({ path: 'x.y' })).toEqual([{ metric: 'm', value: 4 }])
    expect(json({ path: 'ok' })).toEqual([{ metric: 'm', value: 1 }])
  })

  test('a missing value, or no number', () => {
    expect(json({ path: 'a.z' })).toEqual([{ metric: 'm', problem: 's.json has nothing at "a.z"; "a" has b' }])
    const problem = (path: string) => json({ path })?.flatMap(reading => ('problem' in reading ? reading.problem : []))
    expect(problem('z.b')).toEqual(['s.json has nothing at "z.b"; it has a, ok, name, x.y, deep'])
    expect(problem('a.b[3].c')).toEqual(['s.json has nothing at "a.b[3].c"; "a.b" is a list of 1'])
    expect(problem('a.b[0].d')).toEqual(['s.json has nothing at "a.b[0].d"; "a.b[0]" has c'])
    expect(problem('name.first')).toEqual(['s.json has nothing at "name.first"; "name" is "x"'])
    expect(json({ path: 'name' })).toEqual([{ metric: 'm', problem: 's.json at "name" is "x", not a number' }])
  })

  test('every number, by its path', () => {
    expect(json({}, '*')).toEqual([
      { metric: 'ok', value: 1 },
      { metric: 'x.y', value: 4 },
      { metric: 'deep.n', value: 1 },
    ])
  })
})

describe('jsonl', () => {
  const jsonl = (content: string, more = {}) =>
    read('s.jsonl', content, { kind: 'jsonl', file: 's.jsonl', field: 'loss', ...more })

  test('a series by its step field, or by the number of the line', () => {
    const content = '{"epoch": 10, "loss": 3}\n\n{"other": 1}\n{"epoch": 20, "loss": 2}\n'
    expect(jsonl(content, { step: 'epoch' })?.series).toEqual([{ metric: 'm', steps: [10, 20], values: [3, 2] }])
    expect(jsonl(content)?.series).toEqual([{ metric: 'm', steps: [1, 4], values: [3, 2] }])
  })

  test('leaves out a truncated last line; a complete one without newline counts', () => {
    expect(jsonl('{"loss": 3}\n{"loss": 2')?.readings).toEqual([{ metric: 'm', value: 3 }])
    expect(jsonl('{"loss": 3}\n{"loss": 2}')?.readings).toEqual([{ metric: 'm', value: 2 }])
  })

  test('names a broken line elsewhere', () => {
    expect(jsonl('{"loss": 3}\n{"lo\n{"loss": 2}\n')?.readings).toEqual([
      { metric: 'm', problem: 's.jsonl:2 is not JSON: {"lo' },
    ])
  })
})

describe('regex', () => {
  test('finds the last match among bytes that are not UTF-8, by number or name of the group', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xe9]), Buffer.from('\nscore=1.5 s\nscore=2.5 s\n')])
    const spec = { kind: 'regex', file: 'stdout.txt' }
    expect(read('stdout.txt', bytes, { ...spec, pattern: '^score=(\\S+)' })?.readings).toEqual([
      { metric: 'm', value: 2.5 },
    ])
    const named = { ...spec, pattern: 'score=(?<score>\\S+)', group: 'score' }
    expect(read('stdout.txt', bytes, named)?.readings).toEqual([{ metric: 'm', value: 2.5 }])
  })
})

describe('reward', () => {
  test.each([
    ['logs/verifier/reward.txt', '0.5'],
    ['out/reward.json', '{"reward": 0.5, "more": 1}'],
    ['reward.json', '0.5'],
  ])('%s', (file, content) => {
    expect(read(file, content, { kind: 'reward' })?.readings).toEqual([{ metric: 'm', value: 0.5 }])
  })
})

describe('reported', () => {
  const reported = (content: string, metric: string) => read('metrics.jsonl', content, { kind: 'reported' }, metric)

  test('costs add up', () => {
    const found = reported('{"cost_usd": 0.5}\n{"cost_usd": 0.25}\n', 'cost_usd')
    expect(found?.readings).toEqual([{ metric: 'cost_usd', value: 0.75 }])
    expect(found?.series).toEqual([{ metric: 'cost_usd', steps: [0, 1], values: [0.5, 0.75] }])
  })

  test('a summary sets the final value, and is no step of the series', () => {
    const content =
      '{"step": 1, "a": 3}\n{"step": 2, "a": 5}\n{"summary": {"a": 3, "b": 7, "text": "x", "cost_usd": 9}}\n'
    expect(reported(content, 'a')).toEqual({
      readings: [{ metric: 'a', value: 3 }],
      series: [{ metric: 'a', steps: [1, 2], values: [3, 5] }],
    })
    expect(reported(content, 'b')).toEqual({ readings: [{ metric: 'b', value: 7 }], series: [] })
    expect(reported(content, '*')?.readings.map(({ metric }) => metric)).toEqual(['a', 'b'])
    expect(reported(`${content}{"a": 9}\n`, 'a')?.readings).toEqual([{ metric: 'a', value: 9 }])
    expect(reported('{"a": 1}\n{"summary": {"a": "NaN"}}\n', 'a')?.readings).toEqual([
      { metric: 'a', problem: 'a was reported as NaN' },
    ])
    expect(reported('{"summary": 4}\n', 'summary')?.readings).toEqual([{ metric: 'summary', value: 4 }])
  })

  test('after a broken line, only metrics reported again have a value', () => {
    const content = '{"a": 1, "b": 1}\n{"a\n{"b": 2}\n'
    expect(reported(content, 'a')?.readings).toEqual([
      { metric: 'a', problem: 'metrics.jsonl:2 is not a JSON object: {"a' },
    ])
    expect(reported(content, 'b')?.readings).toEqual([{ metric: 'b', value: 2 }])
    expect(reported(content, 'c')?.readings).toEqual([
      { metric: 'c', problem: 'the run did not report c; metrics.jsonl:2 is not a JSON object: {"a' },
    ])
  })

  test('leaves out a truncated last line', () => {
    expect(reported('{"a": 1}\n{"a": 2}\n{"a": 3', 'a')?.readings).toEqual([{ metric: 'a', value: 2 }])
  })
})
