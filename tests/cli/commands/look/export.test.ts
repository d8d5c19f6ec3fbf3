import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith } from '../../../support/assay.ts'
import { problemsOfOtlp } from '../../../support/valid-otlp.ts'

const files = {
  'train.mjs': `
    export default ({ rate, kind }, { report }) => {
      if (rate === 3) throw new Error('it ran away')
      for (let step = 1; step <= 2; step++) report('loss', rate / step, step)
      return { fine: kind === 'a' }
    }`,
  'experiment.yaml': `
    name: training
    target: { kind: function, module: train.mjs }
    factors: { rate: [0.5, 3], kind: [a, "b,c"], list: [[1, 2]] }
    metrics: { loss: { goal: minimize } }`,
}

async function trained() {
  const cwd = folderWith(files)
  expect((await assay(['run', '-q'], { cwd })).status).toBe(1)
  return { cwd, export: (...args: string[]) => assay(['export', 'results/training', ...args], { cwd }) }
}

async function parquetIn(file: string) {
  const { buffer, byteOffset, byteLength } = readFileSync(file)
  return parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer })
}

describe('export', () => {
  it('writes runs as Parquet: numbers, booleans, text and nulls', async () => {
    const e = await trained()
    const ended = await e.export()
    expect(ended.stdout).toMatch(/^wrote: .*export\/runs.parquet rows=4\n$/)
    const rows = await parquetIn(join(e.cwd, 'results/training/export/runs.parquet'))
    expect(rows).toHaveLength(4)
    expect(rows.find(({ rate, kind }) => rate === 0.5 && kind === 'b,c')).toMatchObject({
      loss: 0.25,
      outcome: 'completed',
      error_class: null,
      list: '[1,2]',
    })
    expect(rows.find(({ rate, kind }) => rate === 3 && kind === 'a')).toMatchObject({ loss: null, outcome: 'failed' })
    const again = await e.export('--output', 'again.parquet', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ kind: 'export', what: 'runs', format: 'parquet', rows: 4 })
    expect(readFileSync(join(e.cwd, 'again.parquet'))).toEqual(
      readFileSync(join(e.cwd, 'results/training/export/runs.parquet')),
    )
  })

  it('writes the same rows as collect, as CSV and JSONL', async () => {
    const e = await trained()
    for (const format of ['csv', 'jsonl']) {
      const collected = await assay(['collect', 'results/training', '--format', format, '--out-csv', '-'], {
        cwd: e.cwd,
      })
      expect((await e.export('--format', format, '--output', '-')).stdout).toBe(collected.stdout)
    }
  })

  it('writes every reported value of a series', async () => {
    const e = await trained()
    const { stdout } = await e.export('--what', 'series', '--format', 'csv', '--output', '-')
    const [head, ...lines] = stdout.trim().split('\n')
    expect(head).toBe('run_id,metric,step,value')
    expect(lines.map(line => line.split(',').slice(-3).join(','))).toEqual([
      'loss,1,0.5',
      'loss,2,0.25',
      'loss,1,0.5',
      'loss,2,0.25',
    ])
    await e.export('--what', 'series', '--output', 'all.parquet')
    expect(await parquetIn(join(e.cwd, 'all.parquet'))).toHaveLength(4)
  })

  it('writes model calls as OTLP, with their run', async () => {
    const cwd = folderWith({
      'experiment.yaml': `
        name: asks
        target: { kind: prompt, prompts: { say: "Say {{word}}." }, models: [sim/echo] }
        factors: { word: [one, two] }`,
    })
    const ran = await assay(['run', '-q'], { cwd })
    expect(ran.stderr).toBe('')
    const ended = await assay(['export', 'results/asks', '--format', 'otlp', '--output', '-'], { cwd })
    const document = JSON.parse(ended.stdout)
    expect(problemsOfOtlp(document)).toEqual([])
    const { resourceSpans } = document
    expect(resourceSpans).toHaveLength(2)
    const [{ resource, scopeSpans }] = resourceSpans
    expect(JSON.stringify(resource)).toContain('assay.run')
    expect(scopeSpans[0].spans[0]).toMatchObject({ traceId: expect.any(String), spanId: expect.any(String) })
    const lines = await assay(['export', 'results/asks', '--what', 'traces', '--format', 'jsonl', '--output', '-'], {
      cwd,
    })
    const spans = lines.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    const calls = spans.filter(({ name }) => name.startsWith('chat '))
    expect(calls.map(({ run_id }) => run_id)).toEqual([expect.stringMatching('one'), expect.stringMatching('two')])
    for (const { attributes } of [...calls, scopeSpans[0].spans[0]])
      expect(JSON.stringify(attributes)).toMatch(/"gen_ai.input.messages","value":\{"stringValue":"\[\{.*Say (one|two)/)
  })

  it('names a message missing in a trace, and writes the rest', async () => {
    const cwd = folderWith({
      'experiment.yaml': `
        name: asks
        target: { kind: prompt, prompts: { say: "Say it." }, models: [sim/echo] }`,
    })
    expect((await assay(['run', '-q'], { cwd })).status).toBe(0)
    const [run = ''] = readdirSync(join(cwd, 'results/asks/runs'))
    const file = join(cwd, 'results/asks/runs', run, 'trace.jsonl')
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, lines.filter(line => !/"role":"user"/.test(line)).join('\n'))
    const ended = await assay(['export', 'results/asks', '--format', 'otlp', '--json'], { cwd })
    expect(ended.status).toBe(0)
    expect(ended.stderr).toMatch(/trace\.jsonl:\d: refers to message [0-9a-f]{32}, which is not in the trace\n$/)
    expect(JSON.parse(ended.stdout)).toMatchObject({ rows: 2 })
    const written = readFileSync(join(cwd, 'results/asks/export/traces.otlp.json'), 'utf8')
    expect(JSON.stringify(JSON.parse(written))).toContain('which is not in the trace')
  })

  it('refuses unknown formats', async () => {
    const e = await trained()
    const said = async (...args: string[]) => {
      const ended = await e.export(...args)
      return `${ended.status} ${complaint(ended, e)}`
    }
    expect(await said('--what', 'runs', '--format', 'otlp')).toMatch(
      /^2 .*runs are written as csv, jsonl, parquet, not as otlp/,
    )
    expect(await said('--output', '-')).toMatch(/^2 .*a Parquet file is not text: name a file with --output/)
    expect(await said('--format', 'otlp')).toMatch(/^1 there are no traces in .*: nothing was written/)
    expect(await said('--output', '.', '--format', 'csv')).toMatch(/^\d .*it is a folder/)
  })
})
