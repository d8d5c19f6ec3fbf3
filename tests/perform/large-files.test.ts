import { execFile } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { jsonlSource } from '../../src/perform/metric-sources/jsonl.ts'
import { mostPoints } from '../../src/perform/reporting/track.ts'
import { folderWith } from '../support/assay.ts'

const megabytes = Number(process.env.METRICS_MB ?? 150)

/** Lines of 100 kB, each with one number: much to read, and little to parse. */
function writeLarge(file: string): void {
  const descriptor = openSync(file, 'w')
  const line = (value: number) => `{"v": ${value}, "note": "${'x'.repeat(100_000)}"}\n`
  for (let written = 0; written < megabytes * 1e6; written += 1e6) writeSync(descriptor, line(1).repeat(10))
  writeSync(descriptor, line(7))
  closeSync(descriptor)
}

/** Not by resourceUsage, which on Linux begins with the memory of the process that started this one. */
const mostMemory = `() => {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
  const status = '/proc/self/status'
  if (!existsSync(status)) return process.resourceUsage().maxRSS / 1e3
  return Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync(status, 'utf8'))[1]) / 1e3
}`

// METRICS_MB=450 npx vitest run tests/perform/large-files.test.ts
test.for([
  ['metrics.jsonl', 'reported', '{}'],
  ['out.jsonl', 'jsonl', '{ file: "out.jsonl", field: "v" }'],
])('%s of any size is read in the same memory', async ([file = '', kind = '', spec = '']) => {
  const dir = folderWith({})
  writeLarge(join(dir, file))
  const source = new URL(`../../src/perform/metric-sources/${kind}.ts`, import.meta.url)
  const script = `
    const { ${kind}Source: source } = await import(${JSON.stringify(source)})
    const { readings } = source.read(${JSON.stringify(dir)}, 'v', ${spec})
    console.log(JSON.stringify({ readings, megabytes: (${mostMemory})() }))
  `
  const args = ['--max-old-space-size=50', '--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(JSON.parse(stdout)).toEqual({
    readings: [{ metric: 'v', value: 7 }],
    megabytes: expect.toSatisfy((most: number) => most < 140, 'less than 140 MB'),
  })
})

test('thins a long JSONL series, keeping its extremes and its last value', () => {
  const values = Array.from({ length: mostPoints + 50_000 }, (_, n) => n % 1000)
  values[70_001] = -5
  values[140_001] = 5000
  const dir = folderWith({ 'out.jsonl': `${values.map(v => `{"v":${v}}`).join('\n')}\n{"v":7}\n` })
  const { readings, series } = jsonlSource.read(dir, 'v', { kind: 'jsonl', file: 'out.jsonl', field: 'v' })
  expect(readings).toEqual([{ metric: 'v', value: 7 }])
  const [{ steps = [], values: kept = [] } = {}] = series
  expect(kept.length).toBeLessThan(mostPoints)
  expect(steps.length).toBe(kept.length)
  expect([steps[kept.indexOf(-5)], steps[kept.indexOf(5000)], kept.at(-1)]).toEqual([70_002, 140_002, 7])
})
