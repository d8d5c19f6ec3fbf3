import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, complaint, folderWith, summaryOf } from '../support/assay.ts'
import { mountDisk } from '../support/small-disk.ts'

it('read-only results can be viewed, but not changed', async context => {
  const cwd = folderWith({
    'experiment.yaml': `
name: e
target: { kind: command, command: [sh, -c, 'echo loss={x}{seed}'] }
factors: { x: [1, 2] }
seeds: 1..4
metrics: { loss: { goal: minimize, regex: 'loss=(\\d+)', file: stdout.txt } }
`,
  })
  await assay(['run', '-q'], { cwd })
  const disk = join(cwd, 'disk')
  if (!mountDisk(disk, 'size=16m')) return context.skip('only root may mount a disk')
  mkdirSync(join(disk, 'theirs'))
  cpSync(join(cwd, 'results/e'), join(disk, 'theirs/e'), { recursive: true })
  execFileSync('mount', ['-o', 'remount,ro', disk])
  const look = (...args: string[]) => assay(args, { cwd })
  expect(summaryOf(await look('status', 'disk/theirs/e', '--json'))).toMatchObject({ planned: 8, completed: 8 })
  expect((await look('compare', 'disk/theirs/e', '--control', 'x=1', '--candidate', 'x=2')).stdout).toContain('loss')
  expect((await look('collect', 'disk/theirs/e', '--out-csv', 'runs.csv')).status).toBe(0)
  expect((await look('why', 'disk/theirs/e', 'x-1_seed-1')).stdout).toContain('completed')
  const set = await look('set', 'disk/theirs/e', 'jobs=1')
  expect(set.status).toBe(2)
  expect(complaint(set, { cwd })).toContain('can be read here, but not written')
})
