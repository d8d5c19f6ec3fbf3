import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { linesOf } from '../support/files.ts'

const files = {
  'program.sh': '#!/bin/sh\necho "$1" >> started\n[ -e mended ] || [ "$1" = 1 ]\n',
  'e.yaml': `name: e
target: { kind: command, command: [./program.sh, '{x}'] }
factors: { x: [1, 2] }
`,
}

it('a moved experiment directory continues in its new place', async () => {
  const cwd = folderWith(files)
  expect((await assay(['run', 'e.yaml', '-q'], { cwd })).status).toBe(1)
  const moved = join(cwd, 'archive', 'other-name')
  mkdirSync(join(cwd, 'archive'))
  renameSync(join(cwd, 'results', 'e'), moved)

  expect(summaryOf(await assay(['status', moved, '--json'], { cwd }))).toMatchObject({
    dir: moved,
    completed: 1,
    failed: 1,
  })
  writeFileSync(join(cwd, 'mended'), '')
  const continued = await assay(['run', moved, '--retry-failed', '--json'], { cwd })
  expect(continued.status).toBe(0)
  expect(summaryOf(continued)).toMatchObject({ dir: moved, completed: 2, reused: 1, attempts: 3 })
  expect(linesOf(join(cwd, 'started')).sort()).toEqual(['1', '2', '2'])

  const collected = await assay(['collect', moved], { cwd })
  expect(collected.stdout).toBe(`wrote: ${join(moved, 'aggregate', 'runs.csv')} rows=2\n`)
  expect(linesOf(join(moved, 'aggregate', 'runs.csv')).join()).toContain(join(moved, 'runs'))
})

it('an experiment directory continues without its experiment file', async () => {
  const cwd = folderWith(files)
  await assay(['run', 'e.yaml', '-q'], { cwd })
  rmSync(join(cwd, 'e.yaml'))
  writeFileSync(join(cwd, 'mended'), '')
  const continued = await assay(['run', 'results/e', '--retry-failed', '--json'], { cwd })
  expect(continued.status).toBe(0)
  expect(summaryOf(continued)).toMatchObject({ completed: 2, reused: 1, attempts: 3 })
})

it('an experiment directory continues with its stored definition after the file was edited', async () => {
  const cwd = folderWith(files)
  await assay(['run', 'e.yaml', '-q'], { cwd })
  writeFileSync(join(cwd, 'e.yaml'), files['e.yaml'].replace('[1, 2]', '[1, 2, 3, 4]'))
  const kept = () => readFileSync(join(cwd, 'results/e/experiment.yaml'), 'utf8')
  expect(summaryOf(await assay(['run', 'results/e', '--json'], { cwd }))).toMatchObject({ planned: 2, attempts: 2 })
  expect(kept()).toBe(files['e.yaml'])
  await assay(['run', 'e.yaml', '-q'], { cwd })
  expect(kept()).toContain('[1, 2, 3, 4]')
})

it('a moved tree of definition and results is reused in full', async () => {
  const outer = folderWith(Object.fromEntries(Object.entries(files).map(([name, text]) => [`before/${name}`, text])))
  const [before, after] = [join(outer, 'before'), join(outer, 'after')]
  writeFileSync(join(before, 'mended'), '')
  expect((await assay(['run', 'e.yaml', '-q'], { cwd: before })).status).toBe(0)
  renameSync(before, after)
  const again = await assay(['run', 'e.yaml', '--json'], { cwd: after })
  expect(again.status).toBe(0)
  expect(summaryOf(again)).toMatchObject({ completed: 2, reused: 2, attempts: 2, dir: join(after, 'results', 'e') })
})
