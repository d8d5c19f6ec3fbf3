import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith } from '../support/assay.ts'
import { linesOf } from '../support/files.ts'

const awkward = [
  '../../etc',
  '/abs',
  '.',
  '..',
  '-rf',
  'a/b',
  'a\\\\b',
  ' ',
  '',
  'é'.repeat(200),
  'x\\ny',
  '$(id)',
  'CON',
]

it('no level leads a run out of its directory, and the program gets it unchanged', async () => {
  const cwd = folderWith({
    'prints.sh': '#!/bin/sh\nprintf %s "$1" > "$2/level"\n',
    'experiment.yaml': `
name: e
target: { kind: command, command: [./prints.sh, '{x}', '{out_dir}'] }
factors: { x: [${awkward.map(level => `"${level}"`).join(', ')}] }
`,
  })
  const ended = await assay(['run', '-q'], { cwd })
  expect(ended).toMatchObject({ status: 0, stderr: '' })
  const runs = readdirSync(join(cwd, 'results/e/runs'))
  expect(runs).toHaveLength(awkward.length)
  for (const run of runs) expect(run).toMatch(/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*__[0-9a-f]{12}$/u)
  expect(readdirSync(cwd).sort()).toEqual(['experiment.yaml', 'prints.sh', 'results'])
  expect(readdirSync(join(cwd, 'results'))).toEqual(['e'])
  const levels = runs.map(run => linesOf(join(cwd, 'results/e/runs', run, 'out/level')).join('\n'))
  expect(levels.sort()).toEqual(awkward.map(level => JSON.parse(`"${level}"`)).sort())
})

describe('a path that leads out of the run directory is refused', () => {
  const refused = async (line: string) => {
    const cwd = folderWith({ 'e.yaml': `name: e\ntarget: { kind: command, command: ["true"] }\n${line}\n` })
    const ended = await assay(['run', 'e.yaml'], { cwd })
    expect(ended.status).toBe(2)
    return complaint(ended, { cwd })
  }

  it.each([
    'outputs: [../other/file]',
    'outputs: [/etc/passwd]',
    'outputs: [{ path: out/../../file }]',
    'metrics: { m: { json: ../../secret.json, path: a } }',
    'metrics: { m: { csv: /etc/table.csv, column: a } }',
    'metrics: { m: { regex: "(\\\\d+)", file: ../stdout.txt } }',
  ])('%s', async line => {
    expect(await refused(line)).toContain(`expected a path inside the run's directory, neither absolute nor with ".."`)
  })

  it('as a name of the experiment', async () => {
    const cwd = folderWith({ 'e.yaml': 'name: e\ntarget: { kind: command, command: ["true"] }\n' })
    const ended = await assay(['run', 'e.yaml', '--exp-name', '../../etc'], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toMatchInlineSnapshot(
      `"error: --exp-name ../../etc: expected a name of letters, digits, "_", "-" and ".", since it names a directory, got "../../etc""`,
    )
  })
})
